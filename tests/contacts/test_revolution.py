"""Wheels and rails of a profile: gaps by SciPy's search, rates by differences, limits, errors."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import eomc
from eomc.derive.equations import Equations
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.graph import evaluate
from eomc.derive.language.errors import ModelError

ROWS = [[-0.3, 0.41], [-0.2, 0.438], [-0.1, 0.446], [0.0, 0.45], [0.15, 0.441], [0.3, 0.415]]
HEAD = [[-0.4, -0.19], [-0.2, -0.055], [0.0, 0.0], [0.2, -0.05], [0.4, -0.2]]
WHEELS: dict[str, Any] = {
    "cone": ({"profile": "0.45 + 0.1*x", "lower": -0.3, "upper": 0.3}, lambda x: 0.45 + 0.1 * x),
    "barrel": (
        {"profile": "0.45 - w*x**2", "lower": -0.3, "upper": 0.3},
        lambda x: 0.45 - 0.4 * x**2,
    ),
    "table": ({"profile": ROWS}, CubicSpline(*np.transpose(ROWS))),
}
RAILS: dict[str, Any] = {
    "plane": {"kind": "plane", "at": "table"},
    "sphere": {"kind": "sphere", "at": "table", "radius": 0.3},
    "cylinder": {"kind": "cylinder", "at": "table", "radius": 0.3, "axis": (1, 0, 0)},
    "extruded": {"kind": "extruded", "at": "table", "profile": HEAD},
}
OTHERS: dict[str, Any] = {
    "sphere": {"kind": "sphere", "at": "stone", "radius": 0.1},
    "ellipsoid": {"kind": "ellipsoid", "at": "stone", "semi_axes": (0.2, 0.15, 0.1)},
    "disc": {"kind": "disc", "at": "stone", "radius": 0.2},
}
Z = (0, 0, 1)
PAIRS = [(a, b) for a in WHEELS for b in RAILS if (a, b) != ("cone", "plane")]


@cache
def derived(shape: str, surface: str) -> Equations:
    """A stone and a table, both free."""
    model = eomc.Model("pair", gravity=(0, 0, 0))
    model.parameter("w", 0.4)
    for name in ("table", "stone"):
        model.body(name, mass=1, inertia=(1, 2, 2.5))
        model.joint(name, "floating", parent="world", child=name)
    wheel = OTHERS.get(shape) or {"kind": "revolution", "at": "stone", "axis": (0, 1, 0)}
    given = wheel | (WHEELS[shape][0] if shape in WHEELS else {})
    model.contact("c", given, RAILS[surface], {"kind": "spring", "stiffness": 1e3})
    return eomc.equations(model)


def gap_and_rate(equations: Equations, q: Any, u: Any) -> tuple[float, float]:
    """The gap and its rate."""
    program = equations.program(functions=["element_outputs"])
    (function,) = program.functions
    given = {"q": q, "u": u, "p": [0.4]}
    values = {
        node: float(entry)
        for argument in function.inputs
        for node, entry in zip(argument.entries, given[argument.name], strict=True)
    }
    gap, rate = evaluate(program.graph, function.outputs[0].entries[:2], values)
    return float(gap), float(rate)


def rotation(q: Any) -> Any:
    w, *e = q
    skew = np.cross(np.eye(3), np.array(e))
    return (2 * w * w - 1) * np.eye(3) + 2 * np.outer(e, e) + 2 * w * skew


def on_wheel(shape: str, x: Any, angle: Any) -> Any:
    """Points of a shape in the axes of the stone."""
    if shape == "sphere":
        return np.stack([np.cos(angle) * np.cos(x), np.sin(x), np.sin(angle) * np.cos(x)], -1) / 10
    if shape == "ellipsoid":
        way = [np.cos(angle) * np.cos(x), np.sin(angle) * np.cos(x), np.sin(x)]
        return np.stack(way, axis=-1) * (0.2, 0.15, 0.1)
    if shape == "disc":
        return 0.2 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=-1)
    r = WHEELS[shape][1](x)
    return np.stack([r * np.cos(angle), x, r * np.sin(angle)], axis=-1)


def height(surface: str, x: Any) -> Any:
    """Distance of places from a surface in the axes of the table."""
    if surface == "plane":
        return x[..., 2]
    if surface == "sphere":
        return np.linalg.norm(x, axis=-1) - 0.3
    if surface == "cylinder":
        return np.hypot(x[..., 1], x[..., 2]) - 0.3
    rail = CubicSpline(*np.transpose(HEAD))
    y = np.clip(x[..., 1], -0.4, 0.4)
    for _ in range(12):
        off, slope = rail(y) - x[..., 2], rail(y, 1)
        f = y - x[..., 1] + off * slope
        y = np.clip(y - f / np.maximum(1 + slope**2 + off * rail(y, 2), 0.2), -0.4, 0.4)
    distance = np.hypot(y - x[..., 1], rail(y) - x[..., 2])
    return np.copysign(distance, x[..., 2] - rail(np.clip(x[..., 1], -0.4, 0.4)))


def searched(shape: str, surface: str, q: Any) -> tuple[float, bool]:
    """The least distance from any point of the shape by finer and finer grids, and whether that is
    at a rim."""
    most = 0.3 if shape in WHEELS else np.pi / 2
    table, stone = rotation(q[3:7]), rotation(q[10:])

    def at(v: Any) -> Any:
        x = np.clip(v[..., 0], -most, most)
        return height(surface, (q[7:10] - q[:3] + on_wheel(shape, x, v[..., 1]) @ stone.T) @ table)

    centre, width = np.zeros(2), np.array([most, np.pi])
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 41)] * 2), axis=-1).reshape(-1, 2)
    for k in range(34):
        places = centre + width * (grid if k == 0 else grid[::5])
        heights = at(places)
        centre, width = places[heights.argmin()], width / (8 if k == 0 else 2)
    return float(heights.min()), shape in WHEELS and abs(centre[0]) > 0.999 * most


def poses(rng: Any, surface: str) -> tuple[Any, Any]:
    """The table anywhere, the stone over it or beside it, within 20 degrees of upright."""
    q, u = np.zeros(14), rng.normal(size=12)
    q[:3] = rng.normal(size=3)
    q[3:7] = rng.normal(size=4)
    q[3:7] /= np.linalg.norm(q[3:7])
    lean = np.array([1, *(0.15 * rng.normal(size=3))])
    away = np.array([rng.normal(), 0.1 * rng.normal(), 0.9])
    if surface == "sphere":
        away[0] = 0.1 * away[0]
    q[7:10] = q[:3] + rotation(q[3:7]) @ away
    w, e = q[3], q[4:7]
    a, b = lean[0], lean[1:]
    q[10:] = [w * a - e @ b, *(w * b + a * e + np.cross(e, b))]
    q[10:] /= np.linalg.norm(q[10:])
    return q, u


def moved(q: Any, u: Any, t: float) -> Any:
    """Both bodies turned and moved at constant rates in their own axes."""
    q = q.copy()
    for k in (0, 1):
        at, turn = q[7 * k : 7 * k + 7], u[6 * k + 3 : 6 * k + 6] * t
        w, v = at[3], at[4:7].copy()
        at[:3] += rotation(at[3:7]) @ (u[6 * k : 6 * k + 3] * t)
        half = np.linalg.norm(turn) / 2
        c, s = np.cos(half), np.sin(half) / (2 * half) * turn
        at[3:] = [w * c - v @ s, *(w * s + c * v + np.cross(v, s))]
    return q


@pytest.mark.parametrize(("shape", "surface"), [*PAIRS, *((a, "extruded") for a in OTHERS)])
def test_gaps_and_rates(shape: str, surface: str) -> None:
    equations, rng = derived(shape, surface), np.random.default_rng(3)
    count = 0
    while count < 2:
        q, u = poses(rng, surface)
        distance, at_rim = searched(shape, surface, q)
        if at_rim and surface in ("cylinder", "extruded"):
            continue
        gap, rate = gap_and_rate(equations, q, u)
        assert abs(gap - distance) < 1e-12
        h, count = 1e-5, count + 1
        both = [gap_and_rate(equations, moved(q, u, t), u)[0] for t in (h, -h)]
        assert abs(rate - (both[0] - both[1]) / (2 * h)) < 1e-8 * (1 + abs(rate))


def wheel_of(profile: Any = ROWS, **given: Any) -> dict[str, Any]:
    return {"kind": "revolution", "at": "wheel", "axis": (0, 1, 0), "profile": profile} | given


RAIL: dict[str, Any] = {"kind": "extruded", "at": "world", "profile": HEAD}
ROUND = {"kind": "sphere", "at": "world", "radius": 1}


def touching(shape: dict[str, Any], surface: dict[str, Any] = RAIL) -> eomc.Model:
    model = eomc.Model("touching")
    model.body("wheel", mass=1, inertia=(1, 1, 1))
    model.joint("free", "floating", parent="world", child="wheel")
    model.contact("touch", shape, surface, {"kind": "spring", "stiffness": 1e4})
    return model


@pytest.mark.parametrize(
    ("shape", "surface", "told"),
    [
        (wheel_of("0.4"), RAIL, "shape (revolution): lower and upper: an expression has no ends"),
        (wheel_of("y", lower=0, upper=1), RAIL, "unknown name 'y'; valid: 'x'"),
        (wheel_of([[0, 1]]), RAIL, "profile has 1 rows; give 2 to 64"),
        (wheel_of([[0, 1], [0, 2]]), RAIL, "profile: x is 0 after 0; give rows by growing x"),
        (wheel_of([[0, 1], [1]]), RAIL, "profile: give an expression in x, or rows [x, y]"),
        (wheel_of([[0, 1], [1, -1]]), RAIL, "profile: the least radius is -1; give a positive"),
        (wheel_of(lower=-1), RAIL, "lower to upper is -1 to 0.3, its rows reach from -0.3 to 0.3"),
        (wheel_of(lower=0.1, upper=0), RAIL, "lower is 0.1 and upper 0; give a range that grows"),
        (wheel_of(), ROUND | {"side": "inside"}, "a revolution meets a sphere from outside alone"),
        (wheel_of(), ROUND | {"kind": "torus"}, "no form for the pair revolution and torus"),
        (
            wheel_of(),
            ROUND | {"kind": "cylinder", "side": "inside"},
            "a revolution meets a cylinder from outside alone",
        ),
        (
            {"kind": "cone", "at": "wheel", "radius": 1, "height": 0},
            RAIL,
            "shape (cone): height is 0; give a positive number",
        ),
    ],
)
def test_mistakes(shape: dict[str, Any], surface: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError) as caught:
        touching(shape, surface).validate()
    assert told in str(caught.value) and "contact 'touch'" in str(caught.value)


def test_files_hold_tables() -> None:
    model = touching(wheel_of(), RAIL)
    assert parse_toml(toml_text(model)).contacts == model.contacts


def test_a_cone_lies_on_its_rims() -> None:
    """Apex and rim are as high above a plane as they are by hand."""
    cone = {"kind": "cone", "at": "wheel", "radius": 0.3, "height": 0.4, "axis": (1, 0, 0)}
    model = touching(cone, {"kind": "plane", "at": "world"})
    compiled = eomc.build(model, functions=["element_outputs"], flags=("-O0",))
    angle = np.arctan2(0.3, 0.4)
    q = [0, 0, 0.3 * np.cos(angle), np.cos(angle / 2), 0, np.sin(angle / 2), 0]
    told = compiled.outputs(np.array([q]), np.zeros((1, 6)))
    assert np.allclose([told["touch.gap_1"][0], told["touch.gap_2"][0]], 0, atol=1e-12)


def test_beyond_its_rim_a_wheel_has_no_nearest_point() -> None:
    model = touching(wheel_of(), {"kind": "cylinder", "at": "world", "radius": 0.3, "axis": Z})
    compiled = eomc.build(model, functions=["element_outputs"], flags=("-O0",))
    upright = [0.9, 0, 0, 1, 0, 0, 0]
    assert (
        abs(compiled.outputs(np.array([upright]), np.zeros((1, 6)))["touch.gap"][0] - 0.15) < 1e-4
    )
    with pytest.raises(FloatingPointError, match="no_nearest_point_on_wheel"):
        compiled.element_outputs([0.9, 0, 0, np.cos(0.6), 0, 0, np.sin(0.6)], np.zeros(6))
