"""Case 33: tangents, wraps and lengths of routes over pulleys."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.case import Case, CaseCheck, agrees, at_most

CENTER, Z = {"body": "world", "xyz": (0.4, 1.2, 0)}, (0, 0, 1)


def drum(sense: int, xyz: Any = (0.4, 1.2, 0), radius: float = 0.25, zero: int = 1) -> Any:
    """A drum on the ground that stands still."""
    return {
        "kind": "winch",
        "at": {"body": "world", "xyz": xyz},
        "axis": Z,
        "radius": radius,
        "sense": sense,
        "zero": (zero, 0, 0),
    }


def pulley(sense: int, xyz: Any, radius: float) -> Any:
    """A pulley on the ground."""
    return {
        "kind": "pulley",
        "at": {"body": "world", "xyz": xyz},
        "axis": Z,
        "radius": radius,
        "sense": sense,
    }


@cache
def routes() -> CompiledModel:
    """Cables to a point that slides in space, and cables that stand still."""
    model = Model("routes", gravity=(0, 0, 0))
    model.body("load", mass=1)
    model.joint("slide", "translational", parent="world", child="load")
    start = {"body": "world", "xyz": (-0.9, 0.1, 0)}
    made = {
        "right": [drum(-1), "load"],
        "left": [drum(1), "load"],
        "over": [start, pulley(-1, (0.4, 1.2, 0), 0.25), "load"],
    }
    for name, senses in (("rr", (-1, -1)), ("ll", (1, 1)), ("rl", (-1, 1)), ("lr", (1, -1))):
        made[name] = [drum(senses[0], (0, 0, 0), 0.3), drum(senses[1], (2, 0.5, 0), 0.2, zero=-1)]
    block = {
        "kind": "winch",
        "at": "world",
        "swivel": Z,
        "radius": 0.07,
        "sense": -1,
        "offset": 0.1,
    }
    made["block"] = [block | {"height": 0.05}, "load"]
    for name, route in made.items():
        model.cable(name, route, length=1, modulus=1)
    return build(model)


def at_rest(model: CompiledModel, q: Any) -> dict[str, float]:
    """Outputs of the cables in a state of rest, by name."""
    return model.outputs(q, np.zeros(model.nu))


def _samples() -> Iterator[CaseCheck]:
    at = at_rest(routes(), [1.7, 0.3, 0])
    yield agrees(
        "circle to point", [1.5612494995995994] * 2, [at["right.length"], at["left.length"]], 1e-12
    )
    slopes = [(at["right.rest_length"] - 1) / 0.25, (1 - at["left.rest_length"]) / 0.25]
    yield agrees("gamma", [-0.7643248782507307, -0.4467644489592093], slopes, 1e-12)
    yield agrees(
        "wrap, whole length",
        [1.6139193622947774, 3.6492173929655953],
        [at["over.wrap_1"], at["over.length"]],
        1e-12,
    )
    open_, crossed = 2.0591260281974, 2.0
    names = ("rr", "ll", "rl", "lr")
    yield agrees(
        "belts", [open_, open_, crossed, crossed], [at[f"{name}.length"] for name in names], 1e-12
    )
    paid = {"rr": 0.3 - 0.2, "ll": 0.2 - 0.3, "rl": 0.3 + 0.2, "lr": -0.3 - 0.2}
    directions = [(at[f"{name}.rest_length"] - 1) / paid[name] for name in names]
    expected = [0.1964524955480127, 0.2935048307057156, 0.0, 0.4899573262537283]
    yield agrees("directions of the belts", expected, directions, 1e-12)
    at = at_rest(routes(), [0.6, 0.5, 0.9])
    yield agrees(
        "block: l, gamma",
        [1.086919963236423, 0.8310071980404024],
        [at["block.length"], (at["block.rest_length"] - 1) / 0.07],
        1e-12,
    )


def _over(q: Any) -> float:
    return at_rest(routes(), q)["over.length"]


def _slopes() -> Iterator[CaseCheck]:
    """The force of unit tension per stretch is the unit tangent."""
    h, worst = 1e-3, 0.0
    rng = np.random.default_rng(1)
    for _ in range(5):
        q = np.array([1.7, 0.3, 0]) + np.array([*rng.uniform(-0.3, 0.3, 2), 0])
        slope = np.array(
            [
                (
                    8 * (_over(q + h * e) - _over(q - h * e))
                    - (_over(q + 2 * h * e) - _over(q - 2 * h * e))
                )
                / (12 * h)
                for e in np.eye(3)
            ]
        )
        d = q[:2] - [0.4, 1.2]
        length = np.sqrt(d @ d - 0.25**2)
        gamma = np.arctan2(d[1], d[0]) - np.arctan2(0.25, length)
        worst = max(worst, float(np.abs(slope - [np.cos(gamma), np.sin(gamma), 0]).max()))
    yield at_most("slope of the length - unit tangent", worst, 1e-10)


LOW, OFFSET, HEIGHT, SMALL = np.array([0.12, 0.05, 0.3]), 0.06, 2.0, 0.08


@cache
def led() -> CompiledModel:
    """A cable from a point of the ground over a block that swivels upright, to a load."""
    model = Model("led")
    model.body("load", mass=1)
    model.joint("load", "translational", parent="world", child="load")
    mast = {
        "kind": "pulley",
        "at": "world",
        "swivel": Z,
        "offset": OFFSET,
        "height": HEIGHT,
        "radius": SMALL,
        "sense": -1,
    }
    model.cable("led", [{"body": "world", "xyz": tuple(LOW)}, mast, "load"], length=2, modulus=1)
    return build(model, functions=["element_outputs"])


def over_the_block(beta: float, load: Any) -> tuple[float, float]:
    """(length, wrap) where the block looks along the angle beta: spans are the hypotenuse of
    tangent and height over the plane."""
    out, up = np.array([np.cos(beta), np.sin(beta), 0]), np.array(Z)
    center, length, touched = OFFSET * out + HEIGHT * up, 0.0, []
    for end, side in ((LOW, 1), (load, -1)):
        d = end - center
        x, y, beside = d @ out, d @ up, d @ np.cross(up, out)
        length += np.sqrt(x * x + y * y - SMALL**2 + beside**2)
        # It goes round the pulley clockwise, seen with `out` to the right.
        touched.append(np.arctan2(y, x) - side * np.arccos(SMALL / np.hypot(x, y)))
    wrap = float((touched[0] - touched[1] + np.pi / 4) % (2 * np.pi) - np.pi / 4)
    return float(length) + SMALL * wrap, wrap


def _swivelling() -> Iterator[CaseCheck]:
    """A block without friction turns to where the cable is shortest."""
    for load in ((1.2, 0.8, 1.0), (0.9, -0.5, 0.4)):
        toward = np.arctan2(load[1], load[0])
        found = minimize_scalar(
            lambda beta, at=load: over_the_block(beta, at)[0],
            bounds=(toward - 0.5, toward + 0.5),
            method="bounded",
            options={"xatol": 1e-10},
        )
        label = at_rest(led(), load)
        name = f"pulley in a block, load at {load}"
        yield agrees(f"{name}: length [m]", found.fun, label["led.length"], 1e-12)
        wrap = over_the_block(found.x, load)[1]
        yield agrees(f"{name}: wrap", wrap, label["led.wrap_1"], 1e-6)


def _case() -> Iterator[CaseCheck]:
    yield from _samples()
    yield from _slopes()
    yield from _swivelling()


CASES = (
    Case(
        33,
        "Tangents and lengths",
        "5.1",
        "lengths that the compiled model tells",
        _case,
        provenance="reconstructed",
    ),
)
