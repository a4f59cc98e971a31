"""Cases 7 and 10: columns and strips that buckle."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.optimize import brentq

from eomc.building import build
from eomc.runtime.equilibrium import equilibrium
from eomc.runtime.linearization import linearize
from eomc.systems.reference.case import Case, Check, agrees
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


CASES = (
    Case(7, "euler column", "geometrically exact rods, list of cases: Euler 1744",
         "buckling load by the linearized stiffness, post-buckling against elliptic integrals",
         _column),
    Case(10, "lateral buckling", "geometrically exact rods, list of cases: Michell 1899",
         "the load at which the linearized stiffness of a strip is singular, against the zero of "
         "a Bessel function", _lateral, slow=True),
)  # fmt: skip
