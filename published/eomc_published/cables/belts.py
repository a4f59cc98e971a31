"""Case 41: a belt over two pulleys, a jump on a rope that goes slack, a heavy rope on a pulley."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.linearization import linearize
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees

Y, Z, G = (0, 1, 0), (0, 0, 1), 9.81


def _belt() -> Iterator[CaseCheck]:
    """omega^2 = 2 k (r1^2/J1 + r2^2/J2), and one zero mode."""
    model, span = Model("belt"), np.sqrt(1 - 0.1**2)
    sizes = (("small", 0.1, 0.02, 0.0), ("large", 0.2, 0.05, 1.0))
    model.parameter("E", 1.0)
    for name, _, inertia, x in sizes:
        model.body(name, mass=1, inertia=(1, 1, inertia))
        model.joint(name, "revolute", parent="world", child=name, axis=Z, placement=(x, 0, 0))
    for name, sense in (("upper", -1), ("lower", 1)):
        route = [
            {
                "kind": "winch",
                "at": {"body": "world", "xyz": (x, 0, 0)},
                "axis": Z,
                "radius": r,
                "sense": sense,
                "turn": turn,
                "zero": (1 - 2 * x, 0, 0),
            }
            for turn, r, _, x in sizes
        ]
        model.cable(name, route, length=span * 0.9, modulus="E", elasticity="work")
    built = build(model, tunable="all")
    label = built.outputs([0, 0], [0, 0])
    yield agrees(
        "belt: spans [m]", [span] * 2, [label["upper.length"], label["lower.length"]], 1e-14
    )
    # F = E (L/L0 - 1): at a length that stays dF/dL0 = -E L/L0^2.
    given = {"E": 4e4 * label["upper.rest_length"] ** 2 / span}
    values = linearize(built, parameters=given).modes().eigenvalues
    yield agrees("belt [rad/s]", 322.490309931942, max(v.imag for v in values), 1e-9, relative=True)
    yield agrees("belt: zero eigenvalues", 2, sum(abs(v) < 1e-3 for v in values), 0)


def jumper(width: float) -> Model:
    """70 kg on a rope of 12 m and 150 N/m, slack at first."""
    model = Model("bungee")
    model.body("jumper", mass=70)
    model.joint("z", "prismatic", parent="world", child="jumper", axis=Z)
    model.cable("rope", ["world", "jumper"], length=12, modulus=150 * 12, width=width)
    return model


_FALL = -1e-9, 5.83696278231279, -28.016097918797513
"""Start, for the rope has no direction in its anchor; period [s]; lowest point [m]."""


def _bungee() -> Iterator[CaseCheck]:
    start, period, lowest = _FALL
    built = build(jumper(0.0))
    run = simulate(
        built, [start], t_span=[0, period / 2, period], rtol=1e-12, atol=1e-13, method="DOP853"
    )
    yield agrees("bungee by event: lowest [m]", lowest, run["z"][1], 1e-9)
    tension = built.outputs(run.q[1], run.u[1])["rope.tension"]
    yield agrees("bungee by event: tension [N]", 2402.414687819627, tension, 1e-9, relative=True)
    fall = np.sqrt(2 * 12 / G)
    times = [fall, period - fall]
    yield agrees("bungee by event: taut, slack [s]", times, run.switches["rope.taut"], 1e-9)
    yield agrees("bungee by event: back after a period [m]", start, run["z"][2], 1e-9)
    run = simulate(
        build(jumper(1e-6)), [start], t_span=np.linspace(0, period, 2001), rtol=1e-10, atol=1e-10
    )
    yield agrees("bungee, smooth law: lowest [m]", lowest, run["z"].min(), 1e-4)
    yield agrees("bungee, smooth law: after a period", 0.0, run["z"][-1], 1e-4)


def _heavy_rope() -> Iterator[CaseCheck]:
    """4 m of 0.6 kg/m over a massless pulley: its mass moves with the weights, and the more of it
    hangs on one side the lower it is, V = -rho g x^2."""
    rho, length, radius = 0.6, 4.0, 0.1
    model = Model("heavy", gravity=(0, 0, -G))
    for name, mass, x in (("left", 2, -radius), ("right", 1.5, radius)):
        model.body(name, mass=mass)
        model.joint(name, "prismatic", parent="world", child=name, axis=Z, placement=(x, 0, -1))
    model.body("rope", mass=rho * length)
    model.joint(
        "creep", "prismatic", parent="world", child="rope", axis=(1, 0, 0), mimic={"joint": "left"}
    )
    model.potential("weight", f"-{rho * G}*left**2")
    over = {"kind": "pulley", "at": "world", "axis": Y, "radius": radius, "sense": 1}
    model.constraint("rope", "rope", route=["left", over, "right"], length=2 + np.pi * radius)
    run = simulate(build(model), t_span=[0, 0.5, 1], rtol=1e-12, atol=1e-13, method="DOP853")
    expected = [0.10831166337405865, 0.4895574523259403]
    yield agrees("heavy rope: way at 0.5 and 1 s [m]", expected, -run["left"][1:], 1e-9)


def _case() -> Iterator[CaseCheck]:
    yield from _belt()
    yield from _bungee()
    yield from _heavy_rope()


CASES = (
    Case(
        41,
        "Belt, bungee and heavy rope",
        "5.9",
        "cables, a run in stretches, a rope constraint",
        _case,
        provenance="reconstructed",
        slow=True,
    ),
)
