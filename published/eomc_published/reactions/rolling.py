"""Cases 5 to 7: a wheelset that creeps, its wheels at the limit of friction, and the bicycle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.linearization import LinearModel, speed_form
from eomc.runtime.linearization.linearize import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.systems.bicycle import bicycle, straight_ahead
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

G = 9.81
SLOPE, HALF, BALL = 0.1, 0.7, 0.45
MASS, ACROSS_AXLE, ABOUT_AXLE = 1200.0, 650.0, 80.0
STIFFNESS = 1e12
_LINEAR = ("forward_dynamics", "linearization")
_FREE = ["x", "y", "yaw", "lean", "steer", "rear", "front"]

Springs = tuple[float, float]
"""On the lateral motion [N/m] and on the yaw [N m/rad]."""


def wheelset(creep: float, across: float, springs: Springs) -> CompiledModel:
    """Two balls on an axle, each on a plane that rises outwards: an equivalent conicity."""
    model, parent = Model("wheelset"), "world"
    for name, kind, axis in (
        ("x", "prismatic", (1, 0, 0)),
        ("y", "prismatic", (0, 1, 0)),
        ("z", "prismatic", (0, 0, 1)),
        ("yaw", "revolute", (0, 0, 1)),
        ("roll", "revolute", (1, 0, 0)),
    ):
        model.body(f"after_{name}")
        model.joint(name, kind, parent=parent, child=f"after_{name}", axis=axis)
        parent = f"after_{name}"
    model.body("set", mass=MASS, inertia=(ACROSS_AXLE, ABOUT_AXLE, ACROSS_AXLE))
    model.joint("spin", "revolute", parent=parent, child="set", axis=(0, 1, 0))
    for name, side in (("left", 1), ("right", -1)):
        at = {"body": "set", "xyz": (0, side * HALF, 0)}
        normal = (0, -side * np.sin(SLOPE), np.cos(SLOPE))
        model.contact(
            name,
            shape={"kind": "sphere", "at": at, "radius": BALL},
            normal={"kind": "spring", "stiffness": STIFFNESS},
            surface={
                "kind": "plane",
                "at": {"body": "world", "xyz": (0, side * HALF, 0)},
                "normal": normal,
            },
            friction={
                "kind": "creep",
                "along": creep,
                "across": across,
                "load": MASS * G / (2 * np.cos(SLOPE)),
                "rolling_speed": 1e-9,
            },
        )
    model.joint_spring("lateral", joint="y", stiffness=springs[0])
    model.joint_spring("steering", joint="yaw", stiffness=springs[1])
    return build(model, functions=[*_LINEAR])


def by_hand(v: float, creep: float, across: float, springs: Springs) -> NDArray[Any]:
    """Eigenvalues of lateral motion y and yaw psi, the contacts rigid.

    With t = tan(slope), c half the axle and b = c + r sin(slope) the axle rolls by t y/c, both
    sink the centre by t y^2 t^2/2c + t c psi^2/2, across the slip is (y' b/c - V psi)/cos(slope),
    along it -+(b psi' + V t^2 y/c).
    """
    t, b = np.tan(SLOPE), HALF + BALL * np.sin(SLOPE)
    turn = t / HALF * ABOUT_AXLE * v / (BALL * np.cos(SLOPE))
    mass = np.diag([MASS + ACROSS_AXLE * (t / HALF) ** 2, ACROSS_AXLE])
    slip = b / (HALF * np.cos(SLOPE))
    loss = np.array([[2 * across / v * slip**2, -turn], [turn, 2 * creep / v * b**2]])
    stiff = np.diag(np.array(springs) - MASS * G * np.array([t**3 / HALF, t * HALF]))
    stiff[0, 1] -= 2 * across * slip / np.cos(SLOPE)
    stiff[1, 0] += 2 * creep * b * t**2 / HALF
    inverse = np.linalg.inv(mass)
    none, one = np.zeros((2, 2)), np.eye(2)
    return np.asarray(
        np.linalg.eigvals(np.block([[none, one], [-inverse @ stiff, -inverse @ loss]]))
    )


def swinging(model: CompiledModel, v: float) -> complex:
    """The eigenvalue of the slow wave of the model, rolling steadily."""
    sunk = MASS * G / (2 * np.cos(SLOPE)) / STIFFNESS
    turning = v / (BALL * np.cos(SLOPE))
    linear = linearize(model, q={"z": (BALL - sunk) / np.cos(SLOPE)}, u={"x": v, "spin": turning})
    values = np.linalg.eigvals(linear.A)
    # The contacts' own modes are a thousand times as fast.
    slow = values[(values.imag > 1e-3) & (values.imag < 1e3)]
    return complex(slow[np.argmax(slow.imag)]) if len(slow) else 0j


def _wave(values: NDArray[Any]) -> complex:
    return complex(values[np.argmax(values.imag)])


def _wheelset() -> Iterator[CaseCheck]:
    b = HALF + BALL * np.sin(SLOPE)
    wave = 2 * np.pi * b / np.tan(SLOPE)
    slow = swinging(wheelset(1e11, 1e11, (0.0, 0.0)), 0.5)
    yield agrees("Klingel's wave", wave, 2 * np.pi * 0.5 / slow.imag, 1e-6, relative=True)
    law = (8e6, 7e6, (4e4, 3e4))
    model = wheelset(*law)
    for v in (10.0, 60.0):
        wanted, found = _wave(by_hand(v, *law)), swinging(model, v)
        yield at_most(f"swinging at {v:g} m/s", abs(found / wanted - 1), 1e-5)
    critical = brentq(lambda v: by_hand(v, *law).real.max(), 50, 400)
    near = [swinging(model, critical * share).real for share in (0.9999, 1.0001)]
    yield holds(
        "hunts beyond the critical speed",
        "-, +",
        ", ".join("-+"[x > 0] for x in near),
        near[0] < 0 < near[1],
    )


def creep_forces(creepages: Iterable[float], **friction: Any) -> list[float]:
    """Forces along a rail [N] of a wheel at 10 m/s under 1000 N, by its creepages."""
    model = Model("wheel")
    model.body("wheel", mass=200, inertia=(10, 16, 10))
    model.joint("x", "prismatic", parent="world", child="at", axis=(1, 0, 0))
    model.body("at")
    model.joint("spin", "revolute", parent="at", child="wheel", axis=(0, 1, 0))
    model.contact(
        "rail",
        shape={"kind": "disc", "at": "wheel", "radius": 0.4, "axis": (0, 1, 0)},
        surface={"kind": "plane", "at": {"body": "world", "xyz": (0, 0, -0.4 + 1e-6)}},
        normal={"kind": "spring", "stiffness": 1e9},
        friction={"kind": "creep", "along": 1e6, "limit": 0.3, **friction},
    )
    compiled = build(model, functions=["element_outputs"], flags=("-O0",))
    place = compiled.output_names("element_outputs").index("rail.friction_x")
    spins = (10 * (2 - creepage) / (2 + creepage) / 0.4 for creepage in creepages)
    return [-float(compiled.element_outputs([0, 0], [10, spin])[place]) for spin in spins]


def _limit() -> Iterator[CaseCheck]:
    x = np.array([0.01, 0.5, 1.0, 2.0, 2.999, 3.001, 10.0])
    shares = np.where(x < 3, x - x**2 / 3 + x**3 / 27, 1.0)
    found = creep_forces(x * 300 / (1e6 * 0.5 ** (2 / 3)), load=2000.0)
    yield agrees("force along the rail", 300 * shares, found, 1e-6, relative=True)


@cache
def _ahead(v: float) -> LinearModel:
    model = _ready()
    return linearize(model, u=straight_ahead(v), tau=np.zeros(model.nu), independent=_FREE)


@cache
def _ready() -> CompiledModel:
    return build(bicycle(), functions=[*_LINEAR])


def _bicycle() -> Iterator[CaseCheck]:
    form = speed_form(_ahead)
    published = (
        ("M", form.M, [80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686]),
        ("K0", form.K0 / G, [-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618]),
        ("K2", form.K2, [0, 76.59734589573222, 0, 2.65431523794604]),
        ("C1", form.C1, [0, 33.86641391492494, -0.85035641456978, 1.68540397397560]),
    )
    for name, found, wanted in published:
        yield agrees(name, wanted, found.ravel(), 1e-10)
    weave, capsize = form.critical_speeds(0.1, 10)
    speeds = [weave.speed, capsize.speed]
    yield agrees("weave and capsize", [4.29238253634111, 6.02426201538837], speeds, 1e-11)


CASES = (
    Case(5, "Hunting of a wheelset", "Klingel; Kalker", "wave and critical speed", _wheelset),
    Case(6, "Creep at the limit", "Vermeulen, Johnson", "x - x^2/3 + x^3/27 up to mu N", _limit),
    Case(
        7, "Bicycle of the benchmark", "table 1, sec. 5", "matrices and critical speeds", _bicycle
    ),
)
