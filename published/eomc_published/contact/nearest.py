"""Case 4: the distance from an ellipsoid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.contacts.shapes.ellipsoid_distance import STEPS
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.contact.ovals import on_what_is_curved

SIZES = np.array([0.2, 0.15, 0.1])
_LEVEL = "x**2/0.2**2 + y**2/0.15**2 + z**2/0.1**2 - 1"
_SURFACES: dict[str, dict[str, Any]] = {
    "nearest": {"kind": "ellipsoid", "at": "stone", "semi_axes": tuple(SIZES)},
    "level": {"kind": "implicit", "at": "stone", "expression": _LEVEL, "gap": "distance"},
    "algebraic": {"kind": "implicit", "at": "stone", "expression": _LEVEL},
}


def probe(*surfaces: str) -> CompiledModel:
    """A point that moves along x, y, z, and an ellipsoid that it meets by each surface."""
    model = Model("probe", gravity=(0, 0, 0))
    model.body("stone", mass=1, inertia=(1, 1, 1))
    model.joint("fixed", "fixed", parent="world", child="stone")
    parent = "world"
    for axis, name in zip(np.eye(3), "xyz", strict=True):
        model.body(f"b{name}", mass=1, inertia=(1, 1, 1))
        model.joint(name, "prismatic", parent=parent, child=f"b{name}", axis=tuple(axis))
        parent = f"b{name}"
    for name in surfaces:
        model.contact(
            name,
            shape={"kind": "point", "at": parent},
            surface=_SURFACES[name],
            normal={"kind": "spring", "stiffness": 1.0},
        )
    return build(model)


def gaps(model: CompiledModel, places: Array) -> dict[str, Array]:
    """By surfaces."""
    told = model.outputs(places, np.zeros_like(places))
    return {name.removesuffix(".gap"): v for name, v in told.items() if name.endswith(".gap")}


def bisected(y: Array) -> Array:
    """Distances of places outside: the root t of F between bounds of it, halved 200 times."""
    squares = SIZES**2
    low, high = np.zeros(len(y)), np.linalg.norm(SIZES * y, axis=1)
    for _ in range(200):
        t = (low + high) / 2
        above = np.sum((SIZES * y / (t[:, None] + squares)) ** 2, axis=1) > 1
        low, high = np.where(above, t, low), np.where(above, high, t)
    return np.asarray(np.linalg.norm(y - squares * y / (low[:, None] + squares), axis=1))


def _distances() -> Iterator[CaseCheck]:
    model = probe("nearest", "level", "algebraic")
    place = np.array([[0.25, 0.2, -0.15]])
    found = {name: float(gap[0]) for name, gap in gaps(model, place).items()}
    yield agrees("distance", 0.1911159192161445, found["nearest"], 1e-12)
    yield agrees("distance from the surface f = 0", 0.1911159192161445, found["level"], 1e-10)
    yield agrees("algebraic gap", 0.123912332863165, found["algebraic"], 1e-12)
    yield at_most("steps of Newton's method", STEPS, 10)
    rng = np.random.default_rng(0)
    y = rng.normal(size=(10_000, 3)) * rng.choice([0.15, 0.3, 3.0], size=(10_000, 1))
    y[::10, 2] = 0.0  # in a plane of symmetry
    y = y[np.sum((y / SIZES) ** 2, axis=1) > 1]
    far = probe("nearest")
    error = np.abs(gaps(far, y)["nearest"] - bisected(y)) / (1 + np.linalg.norm(y, axis=1))
    yield at_most("error at random places outside, by bisection", float(error.max()), 1e-12)
    try:
        said = str(gaps(far, np.array([[0.01, 0.0, 0.02]])))
    except FloatingPointError as refused:
        said = str(refused)
    code = "no_nearest_point_on_stone"
    yield holds("deep inside", code, said, code in said)
    yield from on_what_is_curved()


CASES = (
    Case(
        4,
        "The distance from an ellipsoid, and of ovals on what is curved",
        "1.3, 1.4",
        "told by the compiled model; bisection for places of all kinds, a search over the points "
        "of ellipsoids and rings",
        _distances,
        provenance="reconstructed",
    ),
)
