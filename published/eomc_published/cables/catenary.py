"""Case 39: the elastic catenary, closed and as a chain of links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model, Point
from eomc.runtime.equilibria import equilibrium
from eomc.runtime.linearization import linearize
from eomc.runtime.statics import form_finding
from eomc_published.case import Case, CaseCheck, agrees, at_most

LENGTH, STIFFNESS, WEIGHT = 100.0, 5e5, 12.0
END = (85.0, 0.0, -20.0)
H, V = 541.2935805060512, 762.8497423227076
TENSIONS, STRETCHED = (935.3814567645022, 695.7722961460769), 100.13076073307923


def _closed() -> Iterator[CaseCheck]:
    model = Model("line")
    model.body("load", mass=50)
    model.joint("load", "translational", parent="world", child="load")
    model.catenary("line", a="world", b="load", length=LENGTH, weight=WEIGHT, modulus=STIFFNESS)
    built, rest = build(model), np.zeros(3)
    label = built.outputs(END, rest)
    holding = np.asarray(built.function("inverse_dynamics")(END, rest, rest))
    pull = holding - [0, 0, 50 * 9.81]
    yield agrees("pull on the lower end [N]", [H, 0, WEIGHT * LENGTH - V], pull, 1e-9)
    yield agrees("H [N]", H, label["line.horizontal"], 1e-9)
    tensions = [label["line.tension_a"], label["line.tension_b"]]
    yield agrees("tensions [N]", TENSIONS, tensions, 1e-9)
    yield agrees("stretched length [m]", STRETCHED, label["line.stretched_length"], 1e-11)
    stiffness = linearize(built, q=END, tau=holding).stiffness
    yield at_most(
        "its exact stiffness against differences, relative",
        float(np.abs(stiffness / _differences(built) - 1)[[0, 0, 1, 2, 2], [0, 2, 1, 0, 2]].max()),
        1e-8,
    )


def _differences(built: Any, h: float = 1e-2) -> Array:
    """Slopes of the holding force by the place of the load, fourth order."""
    rest = np.zeros(3)

    def force(q: Array) -> Array:
        return np.asarray(built.function("inverse_dynamics")(q, rest, rest))

    slopes = [
        (
            8 * (force(END + h * e) - force(END - h * e))
            - (force(END + 2 * h * e) - force(END - 2 * h * e))
        )
        / (12 * h)
        for e in np.eye(3)
    ]
    # What vanishes is not compared.
    return np.where(np.abs(slopes) > 1e-6, slopes, 1.0)


def chain(lumps: int) -> float:
    """The horizontal pull of N links, by form finding."""
    start = {
        f"n{k}": np.array([85 * k / lumps, 0, -20 * k / lumps - 100 * k * (lumps - k) / lumps**2])
        for k in range(lumps + 1)
    }
    members = {f"link{k}": (f"n{k}", f"n{k + 1}") for k in range(lumps)}
    link = LENGTH / lumps
    found = form_finding(
        start,
        members,
        fixed=["n0", f"n{lumps}"],
        elastic=dict.fromkeys(members, (STIFFNESS / link, link)),
        loads={f"n{k}": (0, 0, -WEIGHT * link) for k in range(1, lumps)},
    )
    return horizontal(found.nodes, found.force_densities)


def horizontal(nodes: Mapping[str, Array], densities: Mapping[str, float]) -> float:
    """Pull of the first link along x."""
    return float((nodes["n1"] - nodes["n0"])[0] * densities["link0"])


def _chains() -> Iterator[CaseCheck]:
    errors = [chain(lumps) - H for lumps in (10, 20, 40, 80)]
    expected = [-1.854418, -0.463865, -0.115981, -0.028996]
    yield agrees("errors of H of 10, 20, 40, 80 links [N]", expected, errors, 1e-6)
    ratios = [before / after for before, after in pairwise(errors)]
    yield agrees("their ratios", [4.0] * 3, ratios, 0.03)
    yield agrees("the same of ten compiled links [N]", errors[0], _compiled(10) - H, 1e-8)


def _compiled(lumps: int) -> float:
    """The horizontal pull of the links of a compiled model."""
    model = Model("chain")
    model.lumped_cable(
        "line",
        a="world",
        b=Point("world", END),
        length=LENGTH,
        line_mass=WEIGHT / 9.81,
        lumps=lumps,
        modulus=STIFFNESS,
    )
    start = {f"line_{k}_z": -100 * k * (lumps - k) / lumps**2 for k in range(1, lumps)}
    found = equilibrium(build(model), start)
    x = 85 / lumps + found["line_1_x"]
    return float(found.outputs["line_link1.tension"] / found.outputs["line_link1.length"] * x)


def _case() -> Iterator[CaseCheck]:
    yield from _closed()
    yield from _chains()


CASES = (
    Case(
        39,
        "An elastic catenary",
        "5.7",
        "the element, form finding, a compiled chain",
        _case,
        provenance="reconstructed",
        slow=True,
    ),
)
