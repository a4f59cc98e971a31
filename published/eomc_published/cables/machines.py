"""Case 36: hoisting, travelling and slewing cranes with ropes that do not stretch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.constraints import assemble
from eomc.runtime.linearization import linearize
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees

X, Z = (1, 0, 0), (0, 0, 1)


def hanging(name: str, loads: tuple[tuple[float, float], ...], trolley: float = 0.0) -> Model:
    """Point masses (mass, length of the rope above) under each other, in the x-z plane, under a
    trolley that rolls along x, or a point of the ground."""
    model, above, height = Model(name), "world", 0.0
    if trolley:
        model.body("trolley", mass=trolley)
        model.joint("trolley", "prismatic", parent="world", child="trolley", axis=X)
        above = "trolley"
    for k, (mass, length) in enumerate(loads, 1):
        height -= length
        model.body(f"guide{k}")
        model.body(f"load{k}", mass=mass)
        model.joint(
            f"x{k}",
            "prismatic",
            parent="world",
            child=f"guide{k}",
            axis=X,
            placement=(0, 0, height),
        )
        model.joint(f"z{k}", "prismatic", parent=f"guide{k}", child=f"load{k}", axis=Z)
        model.constraint(f"rope{k}", "rope", route=[above, f"load{k}"], length=length)
        above = f"load{k}"
    return model


def _hoisting() -> Iterator[CaseCheck]:
    expected = {
        -0.6: {
            3: (-0.0217420442547722, -0.0070513367574498),
            6: (0.0246924906663669, 0.0106488107745087),
            12: (0.0288035643364090, -0.0365490085653120),
        },
        0.8: {
            3: (-0.0143275051633253, -0.0076498039531330),
            6: (0.0030896104587146, 0.0115404412018024),
            12: (-0.0125867951621590, -0.0015170385765059),
        },
    }
    # What the linear equation says, from an angle so small that nothing else is left of the
    # nonlinear one, and at 1e-4.
    for speed, rows in expected.items():
        built = _hoist(f"12 + {speed}*t")
        wanted = np.array(list(rows.values()))
        for start, name, tolerance in ((1e-6, "linear", 1e-9), (1e-4, "at 1e-4 rad", 0.02 * 1e-7)):
            got = _angles(built, start, [0, *rows])[1:] * 0.02 / start
            yield agrees(f"hoisting at {speed} m/s, {name}", wanted, got, tolerance)


def _hoist(length: str | float, above: Any = "world") -> Any:
    """A load that moves in the x-z plane on a rope."""
    model = Model("hoist")
    model.body("guide")
    model.body("load", mass=3)
    model.joint("x", "prismatic", parent="world", child="guide", axis=X)
    model.joint("z", "prismatic", parent="guide", child="load", axis=Z)
    model.constraint("rope", "rope", route=[above, "load"], length=length)
    return build(model)


def _angles(built: Any, start: float, times: Any) -> np.ndarray[Any, Any]:
    """Angle from straight down, and its rate, from rest at a rope of 12 m."""
    q = {"x": 12 * np.sin(start), "z": -12 * np.cos(start)}
    run = simulate(built, q, t_span=times, rtol=1e-12, atol=1e-18, method="DOP853", assemble=True)
    x, z, u, w = (run[name] for name in ("x", "z", "speed(x)", "speed(z)"))
    return np.column_stack([np.arctan2(x, -z), (x * w - u * z) / (x * x + z * z)])


def _sheave() -> Iterator[CaseCheck]:
    """The rope leaves a sheave of the radius r that stands still, and unwinds from it."""
    radius, free, start, times = 0.4, 8.0, 0.5, np.linspace(0, 6, 7)
    sheave = {
        "kind": "winch",
        "at": "world",
        "axis": (0, 1, 0),
        "radius": radius,
        "sense": 1,
        "zero": (0, 0, -1),
    }
    built = _hoist(free, sheave)

    def rates(_: float, state: Any) -> list[float]:
        angle, rate = state
        return [rate, -(radius * rate**2 + 9.81 * np.sin(angle)) / (free + radius * angle)]

    def place(angle: Any) -> Any:
        """Of the load, the rope at an angle from straight down."""
        length = free + radius * angle
        x = radius * np.cos(angle) + length * np.sin(angle)
        return np.array([x, radius * np.sin(angle) - length * np.cos(angle)])

    q = dict(zip("xz", place(-start), strict=True))
    run = simulate(built, q, t_span=times, rtol=1e-12, atol=1e-14, method="DOP853", assemble=True)
    witness = solve_ivp(rates, (0, 6), [-start, 0.0], "DOP853", times, rtol=1e-13, atol=1e-14)
    yield agrees(
        "rope that unwinds from a sheave, x and z [m]",
        place(witness.y[0]),
        np.array([run["x"], run["z"]]),
        1e-9,
    )


def _frequencies(model: Model, count: int) -> np.ndarray[Any, Any]:
    values = linearize(build(model)).modes().eigenvalues
    return np.sort([v.imag for v in values if v.imag > 1e-3])[:count]


def _travelling() -> Iterator[CaseCheck]:
    yield agrees(
        "under a free trolley [rad/s]",
        [1.2380680514414384],
        _frequencies(hanging("crane", ((50, 8),), trolley=200), 1),
        1e-7,
    )
    yield agrees(
        "under a fixed one",
        [1.1073617295175051],
        _frequencies(hanging("pendulum", ((50, 8),)), 1),
        1e-7,
    )
    yield agrees(
        "hook and load",
        [0.97895891, 6.09849485],
        _frequencies(hanging("hook", ((30, 9), (120, 1.5))), 2),
        1e-7,
    )


def _slewing() -> Iterator[CaseCheck]:
    model, turn, length = Model("slewing"), 0.3, 10
    model.body("jib", mass=1, inertia=(1, 1, 1))
    model.body("load", mass=50)
    model.joint("slew", "revolute", parent="world", child="jib", axis=Z)
    model.joint("load", "translational", parent="jib", child="load", placement=(20, 0, 0))
    model.constraint(
        "rope", "rope", route=[{"body": "jib", "xyz": (20, 0, 0)}, "load"], length=length
    )
    model.prescribed("slew")
    built, angle = build(model), 0.1989513050434945
    q = {"load_x": length * np.sin(angle), "load_z": -length * np.cos(angle)}
    motion = {"slew": lambda t: (turn * t, turn, 0.0)}
    at = assemble(built, q, prescribed=motion)
    yield agrees("accelerations in the turning frame", np.zeros(3), at.a, 1e-12)
    values = linearize(built, q=at.q, u=at.u, prescribed=motion).modes().eigenvalues
    got = np.sort([v.imag for v in values if v.imag > 0])
    yield agrees("modes in the turning frame [rad/s]", [0.7054069, 1.29357441], got, 1e-7)


def _case() -> Iterator[CaseCheck]:
    yield from _hoisting()
    yield from _sheave()
    yield from _travelling()
    yield from _slewing()


CASES = (
    Case(
        36,
        "Cranes",
        "5.4",
        "rope constraints: DOP853 and exact linearization",
        _case,
        provenance="reconstructed",
        slow=True,
    ),
)
