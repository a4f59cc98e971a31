"""Cases 7, 10, 11 and 14: columns, strips and loops that buckle or flutter."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import eomc
from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.equilibria import equilibrium
from eomc.runtime.linearization import linearize
from eomc.systems.rods.cantilever import cantilever, tip_place
from eomc_published.case import Case, CaseCheck, agrees, holds
from eomc_published.rods.exact import buckled
from eomc_published.rods.statics import LONG, QUICK, planar

CRITICAL = math.pi**2 / 4
CLOSED = (
    "inverse_dynamics",
    "gravity",
    "integrate",
    "normalize",
    "neutral",
    "constraint_residual",
    "constraint_jacobian",
    "constraint_velocity",
    "constraint_bias",
    "frame_middle_pose",
)


def lowest(model: Any, **inputs: float) -> float:
    """Least eigenvalue of the stiffness of the straight rod, by the first entry of K."""
    stiffness = linearize(model, equilibrium(model, inputs=inputs)).stiffness
    return float(np.linalg.eigvals(stiffness).real.min())


def _euler() -> Iterator[CaseCheck]:
    for functions, tolerance in ((4, 2e-6), (5, 1e-8)):
        model = build(
            cantilever("euler", strains={"bend_z": functions}, points=12, order=6),
            functions=(*LONG, "linearization"),
            flags=QUICK,
        )

        def critical(load: float, model: Any = model) -> float:
            return lowest(model, Fx=-load)

        found = float(brentq(critical, 2.0, 3.0, xtol=1e-13))
        yield agrees(f"{functions} functions: P by P_cr", 1, found / CRITICAL, tolerance)


def _post_buckling() -> Iterator[CaseCheck]:
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


def _column() -> Iterator[CaseCheck]:
    yield from _euler()
    yield from _post_buckling()


def _strip(functions: int, others: int) -> Any:
    """A strip whose stiffness in its plane is the parameter EIz."""
    strains = {"twist": functions, "bend_y": functions, "bend_z": others}
    model = cantilever(
        "strip",
        strains=strains,
        EI=(1.0, "EIz"),
        GJ=1.0,
        points=functions + 2,
        order=6,
        section_inertia=(2e-3, 1e-3, 1e-3),
    )
    model.parameter("EIz", 1e8, tunable=True)
    return build(model, functions=LONG, flags=QUICK)


def _lateral_load(model: Any, functions: int, ratio: float, between: tuple[float, float]) -> float:
    def critical(load: float) -> float:
        given: dict[str, Any] = {"inputs": {"Fy": load}, "parameters": {"EIz": ratio}}
        # By differences: exact derivatives of such a rod are a hundred thousand statements.
        linear = linearize(model, equilibrium(model, **given), method="central", **given)
        # rows of twist and bending about y, which those about z, far stiffer, do not touch
        block = linear.stiffness[: 2 * functions, : 2 * functions]
        return float(np.linalg.eigvals(block).real.min())

    return float(brentq(critical, *between, xtol=1e-8))


def _lateral() -> Iterator[CaseCheck]:
    exact = 4.0125993435789
    model = _strip(6, 4)
    for functions, strip, tolerance in ((6, model, 2e-5), (8, _strip(8, 2), 1e-5)):
        found = _lateral_load(strip, functions, 1e8, (3.9, 4.1))
        yield agrees(
            f"{functions} functions: P by sqrt(EI GJ)/L^2", exact, found, tolerance, relative=True
        )
    for ratio, expected in ((100.0, 4.0596), (20.0, 4.2749), (5.0, 5.8420)):
        found = _lateral_load(model, 6, ratio, (0.97 * expected, 1.03 * expected))
        yield agrees(f"EIz by EIy = {ratio:g}: P", expected, found, 1e-3)


def _beck() -> Iterator[CaseCheck]:
    model = build(
        cantilever("beck", strains={"bend_z": 6}, points=10, order=6),
        functions=(*LONG, "linearization"),
        flags=QUICK,
    )
    zeros = np.zeros(model.nu)

    def linear(load: float) -> Any:
        return linearize(model, q=zeros, u=zeros, a=zeros, inputs={"thrust": -load})

    def growth(load: float) -> float:
        return float(linear(load).modes().eigenvalues.real.max())

    found = float(brentq(lambda load: growth(load) - 1e-4, 18.0, 22.0, xtol=1e-6))
    yield agrees("flutter load", 20.0509536, found, 2e-3)
    singular = min(abs(np.linalg.det(linear(load).stiffness)) for load in np.linspace(0, 40, 41))
    straight = abs(np.linalg.det(linear(0.0).stiffness))
    label = f"least det K {singular / straight:.3g} of that without load"
    yield holds("Euler's criterion", "finds nothing", label, singular > 1e-3 * straight)


def closed_strip(
    functions: int = 10, points: int = 14, strains: tuple[str, ...] = ("bend_z",)
) -> Model:
    """A strip clamped at both ends, which have come nearer by a quarter: a loop joint."""
    model = Model("closed", gravity=(0, 0, 0))
    model.deformable(
        "rod",
        "rod",
        length=1,
        mass_per_length=1,
        EI=1,
        GJ=1,
        order=6,
        points=points,
        reach=3.0,
        strains=dict.fromkeys(strains, functions),
        section_inertia=(2e-3, 1e-3, 1e-3),
    )
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


def _loop() -> Iterator[CaseCheck]:
    _, force, middle = loop_values(math.radians(60))
    x = np.linspace(-1, 1, 101)
    wave = 2 * np.pi * np.radians(60) * np.cos(np.pi * (x + 1))
    for functions, tolerance in ((10, 2e-4), (12, 1e-5)):
        model = build(closed_strip(functions, functions + 2), functions=CLOSED, flags=QUICK)
        state = equilibrium(model, np.polynomial.legendre.legfit(x, wave, functions - 1))
        word = f"{functions} functions"
        place = np.asarray(model.function("frame_middle_pose")(state.q))[:3, 3]
        yield agrees(f"{word}: deflection in the middle", middle, abs(place[1]), 1e-4)
        thrust = float(np.abs(state.multipliers).max())
        yield agrees(f"{word}: axial force", force, thrust, tolerance, relative=True)
        freedoms = functions - _rank(model.constraint_jacobian(state.q))
        yield agrees(f"{word}: freedoms", functions - 3, freedoms, 0)
    spatial = closed_strip(3, 4, ("twist", "bend_y", "bend_z"))
    (rows,) = eomc.equations(spatial).quantities("constraint_jacobian")
    found = rows.evaluate(q=np.linspace(0.1, 0.9, 9))
    yield agrees("in space: rank", 6, _rank(found), 0)


def _rank(jacobian: Any) -> int:
    return int(np.linalg.matrix_rank(jacobian, tol=1e-8))


CASES = (
    Case(
        7,
        "euler column",
        "geometrically exact rods, list of cases: Euler 1744",
        "buckling load by the linearized stiffness, post-buckling against elliptic integrals",
        _column,
        slow=True,
    ),
    Case(
        10,
        "lateral buckling",
        "geometrically exact rods, list of cases: Michell 1899",
        "the load at which the linearized stiffness of a strip is singular, against the zero of "
        "a Bessel function",
        _lateral,
        slow=True,
    ),
    Case(
        11,
        "beck's column",
        "geometrically exact rods, list of cases: Beck 1952",
        "eigenvalues under a load that follows the tip",
        _beck,
        slow=True,
    ),
    Case(
        14,
        "clamped at both ends",
        "geometrically exact rods, list of cases: elastica",
        "a loop joint, against elliptic integrals",
        _loop,
        slow=True,
    ),
)
