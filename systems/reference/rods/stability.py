"""Cases 7, 10, 11 and 14: columns, strips and loops that buckle or flutter."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.constraints import assemble
from eomc.runtime.equilibrium import equilibrium
from eomc.runtime.linearization import linearize
from eomc.systems.reference.case import Case, Check, agrees, holds
from eomc.systems.reference.rods.exact import buckled
from eomc.systems.reference.rods.statics import LONG, QUICK, planar
from eomc.systems.rods.cantilever import cantilever, tip_place

CRITICAL = math.pi**2 / 4


def lowest(model: Any, **inputs: float) -> float:
    """Least eigenvalue of the stiffness of the straight rod, by the first entry of K."""
    stiffness = linearize(model, equilibrium(model, inputs=inputs)).stiffness
    return float(np.linalg.eigvals(stiffness).real.min())


def _euler() -> Iterator[Check]:
    for functions, tolerance in ((4, 2e-6), (5, 1e-8)):
        model = build(
            cantilever("euler", strains={"bend_z": functions}, points=12, order=6),
            functions=(*LONG, "linearization"), flags=QUICK,
        )  # fmt: skip

        def critical(load: float, model: Any = model) -> float:
            return lowest(model, Fx=-load)

        found = float(brentq(critical, 2.0, 3.0, xtol=1e-13))
        yield agrees(f"{functions} functions: P by P_cr", 1, found / CRITICAL, tolerance)


def _post_buckling() -> Iterator[Check]:
    model = planar()
    q: Any = {"rod_kz1": 1.0, "rod_kz2": -0.5}
    before = 1.1
    for degrees in (60, 120, 150):
        load, x, y = buckled(math.radians(degrees))
        for force in np.linspace(before, load, 5)[1:]:
            q = equilibrium(model, q, inputs={"Fx": -float(force) * CRITICAL}).q
        before = load
        place = tip_place(model, q)
        yield agrees(f"{degrees} degrees: angle", math.radians(degrees), abs(q[0]), 1e-7)
        got = [place[0], abs(place[1])]
        yield agrees(f"{degrees} degrees: tip", [x, y], got, 1e-8)


def _column() -> Iterator[Check]:
    yield from _euler()
    yield from _post_buckling()


@lru_cache(maxsize=1)
def _strip() -> Any:
    strains = {"twist": 6, "bend_y": 6, "bend_z": 2}
    return build(
        cantilever(
            "strip", strains=strains, EI=(1.0, 1e8), GJ=1.0, points=8, order=6,
            section_inertia=(2e-3, 1e-3, 1e-3),
        ),
        functions=LONG, flags=QUICK,
    )  # fmt: skip


def _lateral() -> Iterator[Check]:
    model = _strip()

    def critical(load: float) -> float:
        linear = linearize(model, equilibrium(model, inputs={"Fy": load}))
        # rows of twist and bending about y: those about z are stiffer by eight digits
        return float(np.linalg.eigvals(linear.stiffness[:12, :12]).real.min())

    found = float(brentq(critical, 3.5, 4.5, xtol=1e-8))
    yield agrees("P by sqrt(EI GJ)/L^2", 4.0125993435789, found, 3e-5, relative=True)


def _beck() -> Iterator[Check]:
    model = build(
        cantilever("beck", strains={"bend_z": 6}, points=10, order=6),
        functions=(*LONG, "linearization"), flags=QUICK,
    )  # fmt: skip
    zeros = np.zeros(model.nu)

    def linear(load: float) -> Any:
        return linearize(model, q=zeros, u=zeros, a=zeros, inputs={"thrust": -load})

    def growth(load: float) -> float:
        return float(linear(load).modes().eigenvalues.real.max())

    found = float(brentq(lambda load: growth(load) - 1e-4, 18.0, 22.0, xtol=1e-6))
    yield agrees("flutter load", 20.0509536, found, 2e-3)
    singular = min(abs(np.linalg.det(linear(load).stiffness)) for load in np.linspace(0, 40, 41))
    straight = abs(np.linalg.det(linear(0.0).stiffness))
    told = f"least det K {singular / straight:.3g} of that without load"
    yield holds("Euler's criterion", "finds nothing", told, singular > 1e-3 * straight)


def closed_strip(functions: int = 10) -> Model:
    """A strip clamped at both ends, which have come nearer by a quarter: a loop joint."""
    model = Model("closed", gravity=(0, 0, 0))
    model.deformable("rod", "rod", length=1, mass_per_length=1, EI=1, order=6, points=14, reach=3.0,
                     strains={"bend_z": functions})  # fmt: skip
    model.joint("clamp", "fixed", parent="world", child="rod")
    model.attachment("tip", body="rod", at="tip")
    model.attachment("middle", body="rod", at=0.5)
    distance, _, _ = loop_values(math.radians(60))
    model.body("wall")
    model.joint("wall", "fixed", parent="world", child="wall", placement=(distance, 0, 0))
    model.joint("far", "fixed", parent="tip", child="wall")
    return model


def loop_values(angle: float) -> tuple[float, float, float]:
    """(distance of the ends, axial force, deflection in the middle) of a clamped strip whose
    inflections turn by `angle`."""
    k = math.sin(angle / 2)
    first, second = float(ellipk(k * k)), float(ellipe(k * k))
    return 2 * second / first - 1, 16 * first**2, k / first


def _loop() -> Iterator[Check]:
    model = build(closed_strip(), flags=QUICK)
    _, force, middle = loop_values(math.radians(60))
    x = np.linspace(-1, 1, 101)
    wave = 2 * np.pi * np.radians(60) * np.cos(np.pi * (x + 1))
    start = assemble(model, np.polynomial.legendre.legfit(x, wave, model.nq - 1))
    state = equilibrium(model, start.q)
    place = np.asarray(model.function("frame_middle_pose")(state.q))[:3, 3]
    yield agrees("deflection in the middle", middle, abs(place[1]), 1e-4)
    largest = float(np.abs(state.multipliers).max())
    yield agrees("axial force", force, largest, 2e-4, relative=True)
    yield agrees("rows of the loop", 3, len(state.multipliers), 0)


CASES = (
    Case(7, "euler column", "geometrically exact rods, list of cases: Euler 1744",
         "buckling load by the linearized stiffness, post-buckling against elliptic integrals",
         _column),
    Case(10, "lateral buckling", "geometrically exact rods, list of cases: Michell 1899",
         "the load at which the linearized stiffness of a strip is singular, against the zero of "
         "a Bessel function", _lateral, slow=True),
    Case(11, "beck's column", "geometrically exact rods, list of cases: Beck 1952",
         "eigenvalues under a load that follows the tip", _beck),
    Case(14, "clamped at both ends", "geometrically exact rods, list of cases: elastica",
         "a loop joint, against elliptic integrals", _loop, slow=True),
)  # fmt: skip
