"""Pairs of a ball and a surface: gaps by hand, rates by differences, work by energy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import least_squares

import eomc

R = 0.1


def to_ellipsoid(y: Any, sizes: Any) -> float:
    """Least distance over two angles, by SciPy."""

    def place(angles: Any) -> Any:
        (a, b), size = angles, np.array(sizes)
        return size * [np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)]

    starts = np.array([[a, b] for a in np.linspace(-3, 3, 9) for b in (-1, 0, 1)])
    first = min(starts, key=lambda s: np.linalg.norm(place(s) - y))
    found = least_squares(lambda s: place(s) - y, first, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    inside = np.sum((np.asarray(y) / sizes) ** 2) < 1
    return float(np.linalg.norm(found.fun) * (-1 if inside else 1))


SURFACES: dict[str, tuple[dict[str, Any], Callable[[Any], float]]] = {
    "plane": (
        {"kind": "plane", "at": "table", "normal": (0, 3, 4)},
        lambda x: (3 * x[1] + 4 * x[2]) / 5,
    ),
    "sphere": ({"kind": "sphere", "at": "table", "radius": 0.5}, lambda x: np.linalg.norm(x) - 0.5),
    "hollow": (
        {"kind": "sphere", "at": "table", "radius": 3, "side": "inside"},
        lambda x: 3 - np.linalg.norm(x),
    ),
    "cylinder": (
        {"kind": "cylinder", "at": "table", "radius": 0.3, "axis": (1, 0, 0)},
        lambda x: np.hypot(*x[1:]) - 0.3,
    ),
    "capsule": (
        {"kind": "capsule", "at": "table", "radius": 0.2, "half_length": 0.4},
        lambda x: np.linalg.norm(x - [0, 0, np.clip(x[2], -0.4, 0.4)]) - 0.2,
    ),
    "torus": (
        {"kind": "torus", "at": "table", "radius": 0.6, "tube": 0.1},
        lambda x: np.hypot(np.hypot(*x[:2]) - 0.6, x[2]) - 0.1,
    ),
    "face": (
        {"kind": "face", "at": "table", "half_sizes": (0.5, 0.3, 0)},
        lambda x: (
            np.linalg.norm(x - [*np.clip(x[:2], (-0.5, -0.3), (0.5, 0.3)), min(x[2], 0)])
            if (abs(x[:2]) > (0.5, 0.3)).any()
            else x[2]
        ),
    ),
    "ellipsoid": (
        {"kind": "ellipsoid", "at": "table", "semi_axes": (0.4, 0.3, 0.5)},
        lambda x: to_ellipsoid(x, (0.4, 0.3, 0.5)),
    ),
    "level": (
        {
            "kind": "implicit",
            "at": "table",
            "expression": "x**2 + 4*y**2 + z**2 - 0.25",
            "gap": "distance",
        },
        lambda x: to_ellipsoid(x, (0.5, 0.25, 0.5)),
    ),
    "implicit": (
        {"kind": "implicit", "at": "table", "expression": "x**2 + 4*y**2 + z**2 - 0.25"},
        lambda x: (x @ ([1, 4, 1] * x) - 0.25) / np.linalg.norm([2, 8, 2] * x),
    ),
}


@cache
def built() -> tuple[Any, list[str]]:
    """A ball and a table, both free, in contact by every surface."""
    model = eomc.Model("pairs", gravity=(0, 0, 0))
    for name in ("table", "ball"):
        model.body(name, mass=1, inertia=(1, 2, 2.5))
        model.joint(name, "floating", parent="world", child=name)
    for name, (surface, _) in SURFACES.items():
        model.contact(
            name,
            shape={"kind": "sphere", "at": {"body": "ball", "xyz": (0.1, 0, 0)}, "radius": R},
            surface=surface,
            normal={"kind": "spring", "stiffness": 1e3},
            friction={"kind": "coulomb", "coefficient": 0.2, "slip_speed": 0.1},
            width=0.5,
        )
    for name, (shape, _) in SHAPES.items():
        model.contact(
            name,
            shape=shape,
            surface={"kind": "sphere", "at": "table", "radius": 0.5},
            normal={"kind": "spring", "stiffness": 1e3},
            friction={"kind": "coulomb", "coefficient": 0.2, "slip_speed": 0.1},
            width=0.5,
        )
    asked = ["element_outputs", "forward_dynamics", "integrate", "power"]
    made = eomc.build(model, functions=asked, flags=("-O0",))
    return made, list(made.output_names("element_outputs"))


SHAPES: dict[str, tuple[dict[str, Any], Callable[[Any], float]]] = {
    "stone": (
        {"kind": "ellipsoid", "at": "ball", "semi_axes": (0.2, 0.15, 0.1)},
        lambda x: to_ellipsoid(x, (0.2, 0.15, 0.1)),
    ),
    "tyre": (
        {"kind": "torus", "at": "ball", "radius": 0.2, "tube": 0.05},
        lambda x: np.hypot(np.hypot(*x[:2]) - 0.2, x[2]) - 0.05,
    ),
    "coin": (
        {"kind": "disc", "at": "ball", "radius": 0.2},
        lambda x: np.hypot(np.hypot(*x[:2]) - 0.2, x[2]),
    ),
}


def rotation(q: Any) -> Any:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def states(count: int) -> Any:
    rng = np.random.default_rng(5)
    for _ in range(count):
        q = rng.normal(size=14)
        for k in (3, 10):
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        yield q, rng.normal(size=12)


@pytest.mark.parametrize("name", [*SURFACES, *SHAPES])
def test_gap_and_its_rate(name: str) -> None:
    """On the surfaces a ball; on a ball the shapes, seen from their own axes."""
    made, rows = built()
    place = rows.index(f"{name}.gap")
    for q, u in states(5):
        centre = q[7:10] + rotation(q[10:]) @ [0.1, 0, 0]
        if name in SURFACES:
            wanted = SURFACES[name][1](rotation(q[3:7]).T @ (centre - q[:3])) - R
        else:
            wanted = SHAPES[name][1](rotation(q[10:]).T @ (q[:3] - q[7:10])) - 0.5
        told = made.element_outputs(q, u)
        assert told[place] == pytest.approx(wanted, abs=1e-13)

        def gap(t: float, q: Any = q, u: Any = u) -> float:
            return float(made.element_outputs(made.integrate(q, u * t), u)[place])

        h = 1e-3
        slope = (8 * (gap(h) - gap(-h)) - (gap(2 * h) - gap(-2 * h))) / (12 * h)
        assert told[rows.index(f"{name}.gap_rate")] == pytest.approx(slope, abs=1e-7)


def test_no_force_is_left_over_and_energy_is_the_power() -> None:
    made, rows = built()
    slips = [[rows.index(f"{n}.slip_{axis}") for axis in "xyz"] for n in (*SURFACES, *SHAPES)]
    forces = [[rows.index(f"{n}.friction_{axis}") for axis in "xyz"] for n in (*SURFACES, *SHAPES)]
    for q, u in states(5):
        told = made.element_outputs(q, u)
        power = sum(told[f] @ told[v] for f, v in zip(forces, slips, strict=True))
        assert power < 0
        a = made.forward_dynamics(q, u, np.zeros(12))
        # Of two bodies of unit mass nothing moves the centre of mass: velocities are in body axes.
        total = sum(
            rotation(q[7 * k + 3 : 7 * k + 7])
            @ (a[6 * k : 6 * k + 3] + np.cross(u[6 * k + 3 : 6 * k + 6], u[6 * k : 6 * k + 3]))
            for k in (0, 1)
        )
        assert np.abs(total).max() < 1e-9 * max(1, np.abs(a).max())
        assert made.power(q, u, np.zeros(12)) == pytest.approx(power, rel=1e-10)
