"""Case 13: a passive contact never makes energy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, at_most

SHAPES: dict[str, dict[str, Any]] = {
    "ellipsoid": {"kind": "ellipsoid", "at": "b", "semi_axes": (0.2, 0.15, 0.1)},
    "torus": {"kind": "torus", "at": "b", "radius": 0.2, "tube": 0.05},
    "capsule": {"kind": "capsule", "at": "b", "radius": 0.05, "half_length": 0.2},
}


def thrown(shape: str, width: float = 0.0) -> CompiledModel:
    """A body that falls on a plane; stiffness `k`, damping `chi` and friction `mu` are tunable."""
    model = Model("thrown")
    for name, value in (("k", 1e4), ("chi", 0.1), ("mu", 0.3)):
        model.parameter(name, value)
    model.body("b", mass=1, inertia=(0.01, 0.012, 0.014))
    model.joint("free", "floating", parent="world", child="b")
    model.contact(
        "touch",
        shape=SHAPES[shape],
        surface={"kind": "plane", "at": "world"},
        width=width,
        normal={"kind": "spring", "stiffness": "k", "exponent": 1.5, "dissipation": "chi"},
        friction={"kind": "coulomb", "coefficient": "mu", "slip_speed": 0.02},
    )
    return build(model, tunable="all")


def growth(model: CompiledModel, rng: np.random.Generator, t: float = 2.0) -> float:
    """Largest growth of the energy from one record to a later one, of that at the start."""
    attitude: NDArray[Any] = rng.normal(size=4)
    q = [*rng.normal(size=2), 0.4, *(attitude / np.linalg.norm(attitude))]
    u = [*rng.normal(size=3), *(3 * rng.normal(size=3))]
    given = {
        "k": 10 ** rng.uniform(3, 4.5),
        "chi": rng.choice([0, rng.uniform(0, 1)]),
        "mu": rng.choice([0, rng.uniform(0, 1)]),
    }
    run = simulate(model, q, u, t_span=[0, t], parameters=given, rtol=1e-12, atol=1e-14)
    energy = run["energy"]
    return float((energy - np.minimum.accumulate(energy)).max() / energy[0])


def _passive() -> Iterator[CaseCheck]:
    rng = np.random.default_rng(13)
    for shape, width in (("ellipsoid", 0.0), ("ellipsoid", 1e-4), ("torus", 0.0), ("capsule", 0.0)):
        model = thrown(shape, width)
        worst = max(growth(model, rng) for _ in range(2))
        yield at_most(f"{shape}, width {width:g} m: growth of energy", worst, 1e-8)


CASES = (
    Case(
        13,
        "Energy of a passive contact",
        "2, 7",
        "random bodies thrown on a plane",
        _passive,
        provenance="reconstructed",
        slow=True,
    ),
)
