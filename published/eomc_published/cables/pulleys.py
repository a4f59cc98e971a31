"""Cases 34 and 35: turns round pulleys and drums, friction over bends, block and tackle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most

Y, Z = (0, 1, 0), (0, 0, 1)
TURN = 2 * np.pi


@cache
def carried() -> CompiledModel:
    """An arm carries the ends of two cables round a pulley and round a drum."""
    model = Model("carried", gravity=(0, 0, 0))
    model.body("arm", mass=1, inertia=(1, 1, 1))
    model.joint("arm", "revolute", parent="world", child="arm", axis=Z)
    tip, far = {"body": "arm", "xyz": (0.8, 0, 0)}, {"body": "world", "xyz": (-3, 0, 0)}
    round_ = {"axis": Z, "radius": 0.25, "sense": 1, "near": "arm"}
    model.cable("over", [far, {"kind": "pulley", "at": "world"} | round_, tip], length=1, modulus=1)
    model.cable("wound", [{"kind": "winch", "at": "world"} | round_, tip], length=20, modulus=1)
    return build(model)


def _winding() -> Iterator[CaseCheck]:
    turns = np.linspace(-0.3, 3.2, 1001) * TURN
    label = carried().outputs(turns[:, None], np.zeros(1))
    grown = turns - turns[0]
    yield agrees(
        "pulley: the wrap grows with the arm",
        grown,
        label["over.wrap_1"] - label["over.wrap_1"][0],
        1e-12,
    )
    yield agrees(
        "pulley: the length by as much",
        0.25 * grown,
        label["over.length"] - label["over.length"][0],
        1e-12,
    )
    yield agrees(
        "drum: the rest length",
        -0.25 * grown,
        label["wound.rest_length"] - label["wound.rest_length"][0],
        1e-12,
    )
    rest = np.zeros(1)
    ends = (carried().outputs([angle], rest)["over.wrap_1"] for angle in (0.1, 0.1 + 3 * TURN))
    yield agrees("pulley: three times round", 3 * TURN, -np.subtract(*ends), 1e-12)


def _winch() -> Iterator[CaseCheck]:
    radius, time = 0.15, 1.986304317370712
    model = Model("winch")
    model.body("drum", mass=10, inertia=(0.8, 0.8, 0.8))
    model.joint("drum", "revolute", parent="world", child="drum", axis=Y)
    model.body("load", mass=50)
    model.joint(
        "load",
        "prismatic",
        parent="world",
        child="load",
        axis=(0, 0, -1),
        placement=(radius, 0, -1),
    )
    drum = {"kind": "winch", "at": "world", "axis": Y, "radius": radius, "sense": 1, "turn": "drum"}
    model.constraint("rope", "rope", route=[drum | {"zero": (0, 0, -1)}, "load"], length=1)
    built = build(model)
    a, tension = built.constrained_dynamics(np.zeros(2), np.zeros(2), np.zeros(2), [0.0])
    fall = dict(zip(built.speeds, np.asarray(a).tolist(), strict=True))
    yield agrees("winch: fall [m/s^2]", 5.733116883116883, fall["load"], 1e-12)
    yield agrees("winch: tension [N]", 203.8441558441559, -float(tension[0]), 1e-10)
    run = simulate(built, t_span=[0, time], rtol=1e-12, atol=1e-13, method="DOP853")
    yield agrees("winch: 12 turns", 24 * np.pi, abs(run["drum"][-1]), 1e-9)
    yield agrees("winch: way [m]", 11.309733552923255, run["load"][-1], 1e-9)


def _turns() -> Iterator[CaseCheck]:
    yield from _winding()
    yield from _winch()


MU = 0.1


@cache
def tackle(parts: int, mu: float = MU, slip_speed: float = 1e-9) -> CompiledModel:
    """A hand pulls over a sheave on the ground; `parts` parallel parts bear the load."""
    model, r = Model("tackle", gravity=(0, 0, 0)), 0.1
    for name, height in (("hand", -8), ("load", -5)):
        model.body(name, mass=1)
        model.joint(name, "prismatic", parent="world", child=name, axis=Z, placement=(0, 0, height))
    route: list[Any] = ["hand"]
    for k in range(parts):  # above and below in turn, side by side
        center = {"body": "load" if k % 2 else "world", "xyz": ((2 * k + 1) * r, 0, 0)}
        route.append(
            {
                "kind": "pulley",
                "at": center,
                "axis": Y,
                "radius": r,
                "sense": -1 if k % 2 else 1,
                "friction": mu,
            }
        )
    end = {"body": "load" if parts % 2 else "world", "xyz": (2 * parts * r, 0, 0)}
    model.cable("rope", [*route, end], length=5, modulus=1e4, slip_speed=slip_speed)
    return build(model)


def pulls(parts: int, speed: float, **given: Any) -> np.ndarray[Any, Any]:
    """Forces of the hand and of the load, while the load rises by the speed."""
    rest = np.zeros(2)
    u = [-parts * speed, speed]
    forces: np.ndarray[Any, Any] = tackle(parts, **given).inverse_dynamics(rest, u, rest)
    return np.asarray(np.abs(forces))


def _capstan() -> Iterator[CaseCheck]:
    for wraps, expected in (
        (((90, 0.2), (180, 0.15), (270, 0.3)), 9.017028610942078),
        (((1080, 0.25),), 111.3177784898562),
    ):
        model, heading, at = Model("capstan", gravity=(0, 0, 0)), 0.0, np.zeros(2)
        model.body("hand", mass=1)
        model.joint(
            "hand", "prismatic", parent="world", child="hand", axis=(-1, 0, 0), placement=(-2, 0, 0)
        )
        route: list[Any] = ["hand"]
        for angle, mu in wraps:  # each bolt to the left of the cable's way, 2 m ahead
            e = np.array([np.cos(heading), np.sin(heading)])
            center = at + 2 * e + 0.1 * np.array([-e[1], e[0]])
            route.append(
                {
                    "kind": "pulley",
                    "at": {"body": "world", "xyz": (*center, 0)},
                    "axis": Z,
                    "radius": 0.1,
                    "sense": 1,
                    "friction": mu,
                    "turns": angle // 360,
                }
            )
            heading += np.radians(angle)
            at = center + 0.1 * np.array([np.sin(heading), -np.cos(heading)])
        e = np.array([np.cos(heading), np.sin(heading)])
        model.body("load", mass=1)
        model.joint(
            "load",
            "prismatic",
            parent="world",
            child="load",
            axis=(*e, 0),
            placement=(*(at + 2 * e), 0),
        )
        model.cable("rope", [*route, "load"], length=4, modulus=1e4, slip_speed=1e-9)
        rest = np.zeros(2)
        hand, load = np.abs(build(model).inverse_dynamics(rest, [1.0, -1.0], rest))
        yield agrees("capstan: ratio", expected, hand / load, 1e-12, relative=True)


def _tackle() -> Iterator[CaseCheck]:
    raising = [
        1.369107770624847,
        0.7912076060140374,
        0.6047587548948872,
        0.5159528858493316,
        0.4659743135070242,
    ]
    lowering = [
        0.7304026910486456,
        0.3083028556594551,
        0.1721201130590995,
        0.1072560673273121,
        0.0707515835937213,
    ]
    for name, speed, expected in (("raising", 1.0, raising), ("lowering", -1.0, lowering)):
        got = [np.divide(*pulls(n, speed)) for n in range(1, 6)]
        yield agrees(f"tackle: effort over load, {name}", expected, got, 1e-12)
    free = [np.divide(*pulls(n, 1.0, mu=0.0)) for n in range(1, 6)]
    yield agrees("tackle without friction", 1 / np.arange(1, 6), free, 1e-12)


def _reversal() -> Iterator[CaseCheck]:
    """Part k of the rope passes its sheave with (n - k) parts behind it."""
    parts, slip, worst = 3, 0.02, 0.0
    for speed in np.linspace(-0.1, 0.1, 41):
        over = speed * (parts - np.arange(parts))
        falls = np.cumsum(-MU * np.pi * over / np.hypot(over, slip))
        hand, load = pulls(parts, float(speed), slip_speed=slip)
        worst = max(worst, abs(hand / load * np.exp(falls).sum() - 1))
    yield at_most("tackle: reversal of the friction", worst, 1e-12)
    hand, load = pulls(parts, 0.0, slip_speed=slip)
    yield agrees("tackle: at rest", 1 / parts, hand / load, 1e-12)


def _friction() -> Iterator[CaseCheck]:
    yield from _capstan()
    yield from _tackle()
    yield from _reversal()


CASES = (
    Case(
        34,
        "Turns",
        "5.1, 5.9",
        "angles within half a turn of a coordinate; a rope constraint",
        _turns,
        provenance="reconstructed",
    ),
    Case(
        35,
        "Capstan, block and tackle",
        "5.2, 5.3",
        "ratios of tensions that depend on the slip",
        _friction,
        provenance="reconstructed",
        slow=True,
    ),
)
