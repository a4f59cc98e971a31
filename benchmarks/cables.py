"""Cost of cables: operations of one more, and a mast of struts in a net beside MuJoCo.

    python -m benchmarks.cables

The mast is `eomc.systems.cables.mast`: up to 27 struts on ball joints, 105 cables from point to
point that go slack, which MuJoCo has as spatial tendons with a spring. Operations are the
sums, differences, products and quotients of one call; time is thread CPU time on one core.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from benchmarks.compiling import c_function
from benchmarks.contender import Array, Contender, Unavailable
from benchmarks.mujoco_peer import NAME, loaded
from benchmarks.ours import ours
from benchmarks.section import Section, Target, exponent, print_alone
from benchmarks.timing import STATES, Timer
from eomc.derive.graph import flops
from eomc.derive.model import Model, Point
from eomc.systems.cables import mast

STAGES = (1, 2, 4, 6, 9)
FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "element_outputs")
_AXIS = (0, 0, 1)


def _anchor(k: int) -> Point:
    return Point("world", (4 + math.cos(k), 3 + math.sin(2 * k), 1.5 + math.sin(k) / 3))


def _at(k: int, z: float = 0.0) -> Point:
    """A point of the load."""
    return Point("load", (0.3 + 0.1 * math.cos(3 * k), 0.2 + 0.1 * math.sin(k), z + 0.02 * k))


def _pulley(x: float, k: int) -> dict[str, Any]:
    place = Point("world", (x + 0.1 * math.sin(k), 1.1, 0.3))
    return {"kind": "pulley", "at": place, "axis": _AXIS, "radius": 0.1 + 0.01 * k, "sense": 1}


def _block(k: int) -> dict[str, Any]:
    pulley = _pulley(2.0, k)
    return {
        "kind": "pulley",
        "at": pulley["at"],
        "swivel": _AXIS,
        "offset": 0.1,
        "height": 0.02,
        "radius": pulley["radius"],
        "sense": 1,
    }


def _drum(k: int) -> dict[str, Any]:
    return {
        "kind": "winch",
        "at": Point("world", (2.1 + 0.1 * k, 1.3, 0.3)),
        "radius": 0.1 + 0.01 * k,
        "sense": 1,
        "turn": f"{k + 1}*drum",
    }


ROUTES: dict[str, Any] = {
    "from point to point": lambda k: [_anchor(k), _at(k)],
    "through a point of a body": lambda k: [_anchor(k), _at(k), _anchor(k + 9)],
    "over a pulley": lambda k: [_anchor(k), _pulley(2.0, k), _at(k)],
    "over two pulleys": lambda k: [_anchor(k), _pulley(2.0, k), _pulley(1.2, k), _at(k)],
    "over a pulley, with friction": lambda k: [
        _anchor(k),
        _pulley(2.0, k) | {"friction": 0.1},
        _at(k),
    ],
    "over a pulley in a block": lambda k: [_anchor(k), _block(k), _at(k)],
    "from a drum": lambda k: [_drum(k) | {"axis": _AXIS, "zero": (1, 0, 0)}, _at(k)],
    "from a drum in a block": lambda k: [
        _drum(k) | {"swivel": _AXIS, "offset": 0.1, "height": 0.02},
        _at(k),
    ],
    "from block to block": lambda k: [
        _drum(k) | {"swivel": _AXIS, "offset": 0.1, "height": 0.02},
        {
            "kind": "winch",
            "at": _at(k, 2.0),
            "swivel": (0.6, 0, 0.8),
            "radius": 0.1 + 0.01 * k,
            "sense": 1,
        },
    ],
}
"""The k-th cable of its kind, between the ground and a free body."""


def count(route: str, cables: int, function: str) -> int:
    """Operations of a function of a free body on so many cables of one kind."""
    model = Model("hung")
    model.body("load", mass=1, com=(0.1, 0.2, 0.3), inertia=(0.3, 0.4, 0.5, 0.01, 0.02, 0.03))
    model.joint("load", "floating", parent="world", child="load")
    model.body("drum", mass=1, inertia=(0.1, 0.1, 0.1))
    model.joint("drum", "revolute", parent="world", child="drum", axis=_AXIS)
    for k in range(cables):
        model.cable(f"c{k}", ROUTES[route](k), length=1.0 + k / 7, modulus=100.0 + k, viscosity=0.3)
    program = eomc.equations(model).program(functions=[function])
    return flops(program.graph, program.functions[0].nodes)


def operations() -> Section:
    """Operations of one more cable, and whether the tenth costs what the third does."""
    figures, worst = [], 0.0
    for route in ROUTES:
        row: dict[str, Any] = {"route": route}
        for function in FUNCTIONS:
            early, late = (
                count(route, n + 1, function) - count(route, n, function) for n in (3, 10)
            )
            row[function] = late
            worst = max(worst, late / early)
        figures.append(row)
    return Section(
        "Cables",
        "`python -m benchmarks.cables`: operations of one more cable with damping between the "
        "ground and a free body, in functions that hold ten.",
        ("route", *FUNCTIONS),
        [tuple(map(str, row.values())) for row in figures],
        figures,
        [],
        [
            Target(
                "cables: operations of the eleventh over those of the fourth",
                worst,
                1.05,
                at_most=True,
            )
        ],
    )


def packed(model: Model, seed: int = 0) -> Array:
    """Rows (q, u, tau) of masts near their equilibrium."""
    rng = np.random.default_rng(seed)
    struts = len(model.bodies)
    q = rng.normal(0, 0.02, (STATES, struts, 4)) + np.eye(4)[0]
    q /= np.linalg.norm(q, axis=2, keepdims=True)
    rest = rng.normal(0, 0.1, (STATES, 6 * struts))
    return np.ascontiguousarray(np.hstack([q.reshape(STATES, -1), rest]))


def mjcf(model: Model) -> str:
    """The mast as MuJoCo reads it: ball joints, and tendons that only pull."""
    ends = [
        (station.at, f"{name}_{k}")
        for name, cable in model.cables.items()
        for k, station in enumerate(cable.route)
    ]

    def inside(body: str) -> str:
        sites = "".join(
            f'<site name="{name}" pos="{_text(at.xyz)}"/>' for at, name in ends if at.body == body
        )
        return sites + "".join(
            f'<body pos="{_text(joint.placement.xyz)}"><joint type="ball"/>'
            f"{_inertia(model.bodies[joint.child])}{inside(joint.child)}</body>"
            for joint in model.joints.values()
            if joint.parent == body
        )

    tendons = "".join(
        f'<spatial springlength="0 {cable.length!r}" '
        f'stiffness="{cable.modulus * cable.area / cable.length!r}">'
        f'<site site="{name}_0"/><site site="{name}_1"/></spatial>'
        for name, cable in model.cables.items()
    )
    return (
        '<mujoco><compiler boundmass="0" boundinertia="0" balanceinertia="false"/>'
        f'<option gravity="{_text(model.gravity)}">'
        '<flag contact="disable" limit="disable"/></option>'
        f"<worldbody>{inside('world')}</worldbody><tendon>{tendons}</tendon></mujoco>"
    )


def _inertia(body: Any) -> str:
    return (
        f'<inertial pos="{_text(body.com)}" mass="{float(body.mass)!r}" '
        f'fullinertia="{_text(body.inertia)}"/>'
    )


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in numbers)


def peer(model: Model, folder: Path) -> Contender:
    """MuJoCo's forward dynamics with tendons; raises Unavailable without MuJoCo."""
    return Contender(NAME, c_function(loaded(mjcf(model), folder), "passive_dynamics"))


def growth(folder: Path, stages: tuple[int, ...] = STAGES) -> Section:
    """Forward dynamics of masts by their height, beside MuJoCo."""
    timer, figures = Timer(folder / "timer"), []
    for number in stages:
        model = mast(number)
        start = time.thread_time()
        eomc.equations(model).program(functions=["forward_dynamics"])
        derived = time.thread_time() - start
        mine = ours(model, "forward_dynamics", folder / f"mast{number}")
        contenders = [mine]
        try:
            contenders.append(peer(model, folder / f"peer{number}"))
        except Unavailable as reason:
            print(f"{NAME} left out: {reason}")
        states, size = packed(model), len(model.speeds)
        values = [contender.values(states[:4], size) for contender in contenders]
        apart = max(float(np.abs(v - values[0]).max() / np.abs(values[0]).max()) for v in values)
        if apart > 1e-9:
            raise ArithmeticError(f"accelerations of the mast of {number} differ by {apart:.1e}")
        times = timer.race(contenders, states, size)
        figures.append(
            {
                "struts": 3 * number,
                "cables": len(model.cables),
                "operations": mine.operations or 0,
                "derive_s": derived,
                "compile_s": mine.compile or 0.0,
                "ns": times[0].median,
                "peer_ns": times[1].median if len(times) > 1 else None,
            }
        )
    sizes = [float(row["cables"] or 0) for row in figures]
    stage = np.diff([float(row["operations"] or 0) for row in figures]) / np.diff(stages)
    powers = {
        words: exponent(sizes[1:], [float(row[key] or 0) for row in figures][1:])
        for words, key in (("derivation", "derive_s"), ("compilation", "compile_s"), ("call", "ns"))
    }
    return Section(
        "Masts of struts and cables",
        "Forward dynamics of `eomc.systems.cables.mast` by its number of stages, beside MuJoCo's "
        "spatial tendons with springs: the same accelerations to 1e-9.",
        ("struts", "cables", "operations", "derive, s", "compile, s", "µs", f"{NAME}, µs"),
        [
            (
                str(row["struts"]),
                str(row["cables"]),
                str(row["operations"]),
                f"{row['derive_s']:.2f}",
                f"{row['compile_s']:.1f}",
                f"{row['ns'] / 1e3:.1f}",
                "" if row["peer_ns"] is None else f"{row['peer_ns'] / 1e3:.1f}",
            )
            for row in figures
        ],
        figures,
        [
            "each further stage of 3 struts and 12 cables takes "
            + ", ".join(f"{x:.0f}" for x in stage)
            + " operations",
            *(
                f"power of growth of the time of {words} by the number of cables: {power:.2f}"
                for words, power in powers.items()
            ),
        ],
        [
            Target(
                "mast: operations of the last stages over those of the first",
                float(stage[-1] / stage[1]),
                1.05,
                at_most=True,
            )
        ],
    )


if __name__ == "__main__":
    print(operations().markdown())
    print_alone(growth)
