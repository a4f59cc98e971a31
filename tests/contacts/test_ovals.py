"""Ellipsoids and rings on what is curved: gaps by SciPy's search, rates by differences, energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import least_squares, minimize, minimize_scalar

import eomc
from eomc.derive.equations import Equations
from eomc.derive.graph import evaluate

pytestmark = pytest.mark.variants

SHAPES: dict[str, Any] = {
    "ellipsoid": {"kind": "ellipsoid", "at": "stone", "semi_axes": (0.2, 0.15, 0.1)},
    "torus": {"kind": "torus", "at": "stone", "radius": 0.2, "tube": 0.05},
    "disc": {"kind": "disc", "at": "stone", "radius": 0.2},
}
TUBE = {"ellipsoid": 0.0, "torus": 0.05, "disc": 0.0}
SURFACES: dict[str, Any] = {
    "cylinder": {"kind": "cylinder", "at": "table", "radius": 0.3},
    "pipe": {"kind": "cylinder", "at": "table", "radius": 3, "side": "inside"},
    "bowl": {"kind": "sphere", "at": "table", "radius": 3, "side": "inside"},
    "face": {"kind": "face", "at": "table", "half_sizes": (0.5, 0.3, 0)},
    "capsule": {"kind": "capsule", "at": "table", "radius": 0.2, "half_length": 0.4},
    "ellipsoid": {"kind": "ellipsoid", "at": "table", "semi_axes": (0.4, 0.3, 0.5)},
    "implicit": {
        "kind": "implicit",
        "at": "table",
        "expression": "x**2/0.16 + y**2/0.09 + z**2/0.25 - 1",
        "gap": "distance",
    },
}
PAIRS = [(a, b) for a in SHAPES for b in SURFACES if a == "ellipsoid" or b != "capsule"]


def derived(shape: str, surface: str) -> Equations:
    """A stone and a table, both free."""
    model = eomc.Model("pair", gravity=(0, 0, 0))
    for name in ("table", "stone"):
        model.body(name, mass=1, inertia=(1, 2, 2.5))
        model.joint(name, "floating", parent="world", child=name)
    model.contact(
        "c",
        shape=SHAPES[shape],
        surface=SURFACES[surface],
        normal={"kind": "spring", "stiffness": 1e3},
    )
    return eomc.equations(model)


def rotation(q: Any) -> Any:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def on(sizes: Any, angles: Any) -> Any:
    """Points of an ellipsoid, (..., 3)."""
    a, b = np.moveaxis(np.asarray(angles), -1, 0)
    return np.stack([np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)], axis=-1) * sizes


def core(shape: str, angles: Any) -> Any:
    """Points of a shape without its tube, in its own axes."""
    if shape == "ellipsoid":
        return on((0.2, 0.15, 0.1), angles)
    a = np.asarray(angles)[..., 0]
    return 0.2 * np.stack([np.cos(a), np.sin(a), 0 * a], axis=-1)


def height(surface: str, x: Any) -> Any:
    """Distance of places from a surface, in its axes."""
    if surface in ("cylinder", "pipe"):
        rho = np.hypot(x[..., 0], x[..., 1])
        return rho - 0.3 if surface == "cylinder" else 3 - rho
    if surface == "bowl":
        return 3 - np.linalg.norm(x, axis=-1)
    ends = {"capsule": (0, 0, 0.4), "face": (0.5, 0.3, 0)}[surface]
    return np.linalg.norm(x - np.clip(x, np.negative(ends), ends), axis=-1) - 0.2 * (
        surface == "capsule"
    )


def searched(shape: str, surface: str, q: Any) -> float:
    """The least distance by SciPy, from the best of a grid."""
    table, stone = rotation(q[3:7]), rotation(q[10:])

    def placed(angles: Any) -> Any:
        return (q[7:10] - q[:3] + core(shape, angles) @ stone.T) @ table

    grid = np.stack(np.meshgrid(np.arange(-3, 3.2, 0.1), np.arange(-1.5, 1.6, 0.1)), axis=-1)
    if surface in ("ellipsoid", "implicit"):
        sizes = (0.4, 0.3, 0.5)

        def between(v: Any) -> Any:
            return placed(v[:2]) - on(sizes, v[2:])

        coarse = grid.reshape(-1, 2)[::7]
        apart = placed(coarse)[:, None] - on(sizes, coarse)[None]
        i, j = np.unravel_index(np.sum(apart**2, axis=-1).argmin(), apart.shape[:2])
        near = least_squares(between, [*coarse[i], *coarse[j]], xtol=1e-15, ftol=1e-15, gtol=1e-15)
        return float(np.linalg.norm(near.fun)) - TUBE[shape]
    first = grid.reshape(-1, 2)[height(surface, placed(grid)).ravel().argmin()]
    start = np.concatenate([[first], first + 0.1 * np.eye(2)])
    if shape != "ellipsoid":
        around = (first[0] - 0.1, first[0], first[0] + 0.1)
        one = minimize_scalar(
            lambda a: float(height(surface, placed([a, 0]))), bracket=around, tol=1e-12
        )
        return float(one.fun) - TUBE[shape]
    options = {"xatol": 1e-9, "fatol": 1e-16, "maxiter": 2000, "initial_simplex": start}
    found = minimize(
        lambda v: float(height(surface, placed(v))), first, method="Nelder-Mead", options=options
    )
    return float(found.fun)


def told(equations: Equations, q: Any, u: Any) -> tuple[float, float]:
    """The gap and its rate."""
    program = equations.program(functions=["element_outputs"])
    (function,) = program.functions
    given = {"q": q, "u": u}
    values = {
        node: float(entry)
        for argument in function.inputs
        for node, entry in zip(argument.entries, given[argument.name], strict=True)
    }
    gap, rate = evaluate(program.graph, function.outputs[0].entries[:2], values)
    return float(gap), float(rate)


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


@pytest.mark.parametrize(("shape", "surface"), PAIRS)
def test_gap_and_its_rate(shape: str, surface: str) -> None:
    """Near and far, seen from all sides."""
    equations, rng = derived(shape, surface), np.random.default_rng(11)
    for distance in (0.75, 1.0, 1.6):
        q = rng.normal(size=14)
        q[7:10] = q[:3] + distance * q[7:10] / np.linalg.norm(q[7:10])
        for k in (3, 10):
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        u = rng.normal(size=12)
        gap, rate = told(equations, q, u)
        assert gap == pytest.approx(searched(shape, surface, q), abs=1e-11)
        h = 1e-3
        ahead = [told(equations, moved(q, u, k * h), u)[0] for k in (-2, -1, 1, 2)]
        slope = (8 * (ahead[2] - ahead[1]) - (ahead[3] - ahead[0])) / (12 * h)
        assert rate == pytest.approx(slope, abs=1e-7)


def in_pipe(spring: float) -> eomc.Model:
    """A stone in a pipe, over an egg and the edge of a table."""
    model = eomc.Model("in_pipe")
    model.body("stone", mass=1, inertia=(0.01, 0.012, 0.014))
    model.joint(
        "way",
        "planar",
        parent="world",
        child="stone",
        axis=(0, 1, 0.1),
        placement={"xyz": (0, 0.05, 0), "rpy": (0.3, 0.1, 0.2)},
    )
    surfaces = {
        "pipe": {
            "kind": "cylinder",
            "at": "world",
            "radius": 0.6,
            "axis": (0.1, 1, 0),
            "side": "inside",
        },
        "egg": {
            "kind": "ellipsoid",
            "at": {"body": "world", "xyz": (0, 0, -0.6)},
            "semi_axes": (0.2, 0.3, 0.2),
        },
    }
    law = {"kind": "spring", "stiffness": spring, "exponent": 1.5, "dissipation": 0.3}
    rub = {"kind": "coulomb", "coefficient": 0.2, "slip_speed": 0.05}
    for name, surface in surfaces.items():
        model.contact(name, SHAPES["ellipsoid"], surface, law, rub, width=1e-3)
    edge = {
        "kind": "face",
        "at": {"body": "world", "xyz": (-0.4, 0, 0)},
        "half_sizes": (0.3, 0.3, 0),
    }
    model.contact("edge", SHAPES["torus"], edge, law, width=1e-3)
    return model


@pytest.mark.slow
def test_ovals_are_verified() -> None:
    """Also derivatives, which pass through what iterations found."""
    report = eomc.verify(in_pipe(1e5), quick=True)
    assert report.ok, report


def test_energy_never_grows() -> None:
    asked = ["forward_dynamics", "coordinate_rates", "kinetic_energy", "potential_energy"]
    model = eomc.build(in_pipe(1e5), functions=asked, flags=("-O0",))
    for x, z in ((0.1, 0.1), (0.3, 0.0)):
        run = eomc.simulate(model, [x, z, 0.4], [0.5, 0.2, 3], t_span=0.5, rtol=1e-10, atol=1e-12)
        energy = run["energy"]
        assert np.diff(energy).max() < 1e-8 * abs(energy[0])
        assert energy[-1] < energy[0] - 1e-3


@pytest.mark.slow
def test_a_hoop_rolls_in_a_pipe() -> None:
    """On edge it swings as a pendulum of the length R - rho whose wheel turns."""
    model = eomc.Model("hoop")
    model.body("hoop", mass=1, inertia=(0.01, 0.02, 0.01))
    model.joint("free", "floating", parent="world", child="hoop")
    model.constraint(
        "roll",
        "rolling_contact",
        shape={"kind": "torus", "at": "hoop", "radius": 0.15, "tube": 0.05, "axis": (0, 1, 0)},
        surface={
            "kind": "cylinder",
            "at": "world",
            "radius": 1,
            "axis": (0, 1, 0),
            "side": "inside",
        },
    )
    linear = eomc.linearize(eomc.build(model), q=[0, 0, -0.8, 1, 0, 0, 0], u=np.zeros(6))
    swing = np.sqrt(9.81 / (0.8 * (1 + 0.02 / 0.2**2)))
    assert np.isclose(np.linalg.eigvals(linear.A).imag.max(), swing, rtol=1e-9)
