"""Case 37: the tensegrity prism of three struts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.equilibria import equilibrium
from eomc.runtime.linearization import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.statics import form_finding, prestress
from eomc.systems.tensegrity.prism import frequency, members, nodes, prism, twist
from eomc_published.case import Case, CaseCheck, agrees, at_most

N, RADIUS, HEIGHT, MASS, Q = 3, 0.5, 0.8, 0.4, 25.0
LENGTHS = {
    "bottom": 0.8660254037844387,
    "top": 0.8660254037844387,
    "vertical": 0.8408253671885625,
    "strut": 1.2541980313699346,
}
#: Force densities over that of the vertical cables.
RATIOS = {"bottom": 1 / np.sqrt(3), "top": 1 / np.sqrt(3), "vertical": 1.0, "strut": -1.0}


def turned(places: Mapping[str, Array]) -> list[float]:
    """Angles of the top nodes against those of the bottom [degrees]."""
    about = {
        letter: np.mean([places[f"{letter}{i + 1}"] for i in range(N)], axis=0) for letter in "ab"
    }
    axis = about["b"] - about["a"]
    axis = axis / np.linalg.norm(axis)
    found = []
    for i in range(N):
        a, b = (places[f"{letter}{i + 1}"] - about[letter] for letter in "ab")
        found.append(float(np.degrees(np.arctan2(axis @ np.cross(a, b), a @ b))))
    return found


def by_kind(of: Mapping[str, float]) -> Array:
    """Values of the members."""
    return np.array([of[name.rstrip("0123456789")] for name in members(N)])


def _net() -> Iterator[CaseCheck]:
    start = nodes(N, RADIUS, HEIGHT, 20)
    of_cables = {
        name: LENGTHS[name.rstrip("0123456789")] for name in members(N) if "strut" not in name
    }
    struts = {f"strut{i + 1}": -Q for i in range(N)}
    form = form_finding(start, members(N), lengths=of_cables, force_densities=struts)
    yield agrees("form of given cables, from 20 [deg]", [30.0] * N, turned(form.nodes), 1e-9)
    yield agrees("lengths [m]", by_kind(LENGTHS), list(form.lengths.values()), 1e-12)
    ratios = np.array(list(form.force_densities.values())) / Q
    yield agrees("force densities/q", by_kind(RATIOS), ratios, 1e-12)
    found = form.prestress()
    yield agrees("rank", 11, found.rank, 0)
    yield agrees(
        "states of self-stress, mechanisms",
        [1, 1],
        [found.self_stress.shape[1], found.mechanisms.shape[1]],
        0,
    )
    state = found.self_stress[:, 0] / by_kind(LENGTHS)
    state = state / state[list(members(N)).index("vertical1")]
    yield agrees("the state of self-stress", by_kind(RATIOS), state, 1e-12)
    yield at_most("-(stiffness of the mechanism)", -float(found.stiffness[0]), 0.0)


def _places(built: CompiledModel, q: Array) -> dict[str, Array]:
    """Of the nodes."""
    pose = {name: np.asarray(built.frame(name).pose(q)) for name in nodes(N, 1, 1, 0)}
    return {name: matrix[:3, 3] for name, matrix in pose.items()}


def _model() -> Iterator[CaseCheck]:
    built = build(prism(N, radius=RADIUS, height=HEIGHT, mass=MASS, force_density=Q))
    at, start = (nodes(N, RADIUS, HEIGHT, angle) for angle in (twist(N), 20))
    moved = {
        f"{name}_{x}": float(start[name]["xyz".index(x)] - at[name]["xyz".index(x)])
        for name in at
        for x in "xyz"
    }
    found = equilibrium(built, moved)
    yield agrees("compiled model, from 20 [deg]", [30.0] * N, turned(_places(built, found.q)), 1e-9)
    forces = [
        found.outputs[f"{name}.tension"] / found.outputs[f"{name}.length"] / Q
        for name in members(N)
    ]
    yield agrees("its force densities/q", by_kind(RATIOS), forces, 1e-11)
    rest = prestress(found)
    yield agrees(
        "rank, states of self-stress, mechanisms, neutral ones",
        [11, 1, 7, 6],
        [rest.rank, rest.self_stress.shape[1], rest.mechanisms.shape[1], rest.neutral],
        0,
    )
    omega = _frequencies(built)
    yield at_most("six frequencies of the free body [rad/s]", float(omega[5]), 1e-4)
    expected = [
        14.039142383520,
        *[72.60953148708] * 2,
        *[103.04248533085] * 2,
        *[127.29221856301] * 2,
        130.10035434661,
        150.36041093145,
        *[325.16388602333] * 2,
        347.10956981261,
    ]
    yield agrees("the other twelve [rad/s]", expected, omega[6:], 1e-8)


def _frequencies(built: CompiledModel) -> Any:
    """Sorted [rad/s]."""
    values = linearize(built, equilibrium(built)).modes().eigenvalues
    return np.sort(np.abs(values))[::2]


def _stiff() -> Iterator[CaseCheck]:
    closed = frequency(N, RADIUS, HEIGHT, MASS, Q)
    yield agrees("closed form [rad/s]", 14.044366133044882, closed, 1e-12)
    built = build(
        prism(
            N,
            radius=RADIUS,
            height=HEIGHT,
            mass=MASS,
            force_density=Q,
            cable_stiffness=1e7,
            strut_stiffness=1e7,
        )
    )
    lowest = float(_frequencies(built)[6])
    yield agrees("members of 1e7 N/m, the closed form [rad/s]", closed, lowest, 1e-6, relative=True)
    yield agrees("and the finite stiffness [rad/s]", 14.0443640176, lowest, 1e-7)


def _case() -> Iterator[CaseCheck]:
    yield from _net()
    yield from _model()
    yield from _stiff()


CASES = (
    Case(
        37,
        "A tensegrity prism",
        "5.5",
        "form finding, prestress, exact linearization",
        _case,
        provenance="reconstructed",
        slow=True,
    ),
)
