"""Cases 1 to 3: joints that rub under what they transmit themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.case import Case, CaseCheck, agrees, holds

G = 9.81
_ASKED = ["forward_dynamics", "inverse_dynamics", "forces_by_reactions"]


def journal() -> CompiledModel:
    """A pendulum of 1.3 kg, 0.7 m below its journal of radius 0.12 m."""
    model = Model("journal")
    model.body("arm", mass=1.3, com=(0, 0, -0.7), inertia=(0.05, 0.05, 0.05))
    model.joint("hinge", "revolute", parent="world", child="arm", axis=(0, 1, 0))
    model.bearing(
        "rub", speed="hinge", friction=0.4, radius=0.12, slip_speed=1e-2, minimum_load=1e-9
    )
    return build(model, functions=[*_ASKED])


def _root(q: float, u: float, tau: float) -> float:
    """Of I a + m g l sin q + mu r g(r u) |F(a)| = tau."""
    m, length, inertia = 1.3, 0.7, 0.05 + 1.3 * 0.7**2
    slip = 0.12 * u / 1e-2
    share = 0.4 * 0.12 * slip / np.sqrt(1 + slip**2)

    def left(a: float) -> float:
        across = m * (length * a + G * np.sin(q))
        along = m * (length * u * u + G * np.cos(q))
        taken = inertia * a + m * G * length * np.sin(q) - tau
        return float(taken + share * np.hypot(across, along))

    return float(brentq(left, -1e3, 1e3, xtol=1e-14, rtol=1e-14))


def _journal() -> Iterator[CaseCheck]:
    model = journal()
    states = np.random.default_rng(3).uniform(-3, 3, (20, 3))
    found = [model.forward_dynamics([q], [u], [tau]).item() for q, u, tau in states]
    yield agrees("accelerations", [_root(*state) for state in states], found, 1e-11, relative=True)
    taken = [
        model.inverse_dynamics([q], [u], [a]).item()
        for (q, u, _), a in zip(states, found, strict=True)
    ]
    yield agrees("inverse dynamics gives the torque back", states[:, 2], taken, 1e-11)


def guide(span: float) -> CompiledModel:
    """A block on a guide of that length, its mass 0.3 m beside it, mu = 0.6."""
    model = Model("guide", gravity=(0, 0, 0))
    model.body("block", mass=2, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.1))
    model.joint("way", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.bearing("guide", speed="way", friction=0.6, span=span, slip_speed=1e-8, minimum_load=1e-9)
    return build(model, functions=[*_ASKED])


def _locks(model: CompiledModel) -> str:
    """The code of a brake that finds no deceleration."""
    try:
        model.forward_dynamics([0], [1], [-3])
    except ArithmeticError as error:
        return str(error)
    return ""


def _guide() -> Iterator[CaseCheck]:
    limit = 2 * 0.6 * 0.3
    free, jams = guide(limit * 1.001), guide(limit * 0.999)
    ratio = limit / (limit * 1.001)
    wanted = [1.5 / (1 + ratio), -1.5 / (1 - ratio)]
    found = [free.forward_dynamics([0], [1], [force]).item() for force in (3, -3)]
    yield agrees("driven and braked just above the limit", wanted, found, 1e-7, relative=True)
    yield holds("moves above d/L = 1/(2 mu)", "", _locks(free), not _locks(free))
    yield holds("jams below, by name", "jammed_guide", _locks(jams), "jammed_guide" in _locks(jams))


def _collar() -> Iterator[CaseCheck]:
    model = Model("turntable")
    model.body("table", mass=3, inertia=(0.1, 0.1, 0.04))
    model.joint("axle", "revolute", parent="world", child="table", axis=(0, 0, 1))
    model.bearing(
        "thrust",
        speed="axle",
        friction=0.2,
        radius=0.01,
        collar=0.05,
        slip_speed=1e-8,
        preload=7,
        minimum_load=1e-9,
    )
    (a,) = build(model, functions=[*_ASKED]).forward_dynamics([0], [1], [0])
    yield agrees("collar and preload", -0.2 * (0.05 * 3 * G + 0.01 * 7) / 0.04, a, 1e-8)
    model = Model("bracket")
    model.body("bracket", mass=3, com=(0, 0.2, 0), inertia=(0.1, 0.1, 0.1))
    model.joint("way", "prismatic", parent="world", child="bracket", axis=(1, 0, 0))
    model.bearing("guide", speed="way", friction=0.2, width=0.1, slip_speed=1e-8, minimum_load=1e-9)
    (a,) = build(model, functions=[*_ASKED]).forward_dynamics([0], [1], [0])
    yield agrees("width", -0.2 * G * (1 + 2 * 0.2 / 0.1), a, 1e-8)


CASES = (
    Case(1, "Journal under its load", "Haug, sec. 10.4", "the root of one equation", _journal),
    Case(2, "Guide that locks", "statics", "locks at d/L = 1/(2 mu)", _guide),
    Case(3, "Collar and width", "statics", "friction of what presses along an axis", _collar),
)
