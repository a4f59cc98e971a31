"""Model and equations of one manipulator in one random state, every coordinate free.

The state of the model, (q, u), and the linear map of its speeds to rates of the equations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.runtime import CompiledModel
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc.systems.flexible_manipulator.scenario import tip_values
from eomc_published.caron.velocity_transformations.equations import TransformedEquations
from eomc_published.caron.velocity_transformations.layout import Matrix, Vector
from eomc_published.caron.velocity_transformations.model_states import coupled

_FUNCTIONS = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "kinetic_energy")


@dataclass(frozen=True)
class Both:
    """The compiled model, the equations, and the model's state."""

    model: CompiledModel
    equations: TransformedEquations
    tips: dict[int, tuple[float, ...]]
    q: Vector
    u: Vector

    def state(self, u: Vector, a: Vector) -> tuple[Vector, Vector, Vector]:
        """(q, q', q'') of the equations in the model's configuration."""
        rows = zip(self.q, u, a, strict=True)
        return coupled(
            self.equations, dict(zip(self.model.coordinates, rows, strict=True)), self.tips
        )

    @property
    def jacobian(self) -> Matrix:
        """dq'/du"""
        rest = np.zeros(self.model.nu)
        return np.stack([self.state(unit, rest)[1] for unit in np.eye(self.model.nu)], axis=1)

    @property
    def scale(self) -> Vector:
        """Units that make the diagonal of the model's mass matrix one."""
        return np.asarray(np.diagonal(self.model.mass_matrix(self.q)) ** -0.5)


@cache
def both(manipulator: FlexibleManipulator) -> Both:
    """Both, in a state drawn once."""
    manipulator = replace(manipulator, free=manipulator.specified)
    bodies = [f"unit{i}" for i in manipulator.numbers]
    bodies += [f"alpha{i}_rotor" for i in manipulator.numbers]
    frames = (f"frame_{name}_jacobian" for name in ("platform", *bodies))
    model = build(manipulator.model(), functions=(*_FUNCTIONS, *frames))
    equations = TransformedEquations(manipulator)
    tips = {
        i: tip_values(manipulator, "platform" if i == 1 else f"unit{i}")
        if equations.layout.modes(i)
        else ()
        for i in range(1, equations.layout.bodies + 1)
    }
    rng = np.random.default_rng(len(model.coordinates))
    q, u = rng.uniform(-0.3, 0.3, model.nq), rng.normal(size=model.nu) * 0.3
    place: dict[str, Any] = {name: k for k, name in enumerate(model.coordinates)}
    q[place["orbit_r"]], u[place["orbit_theta"]], q[place["d2"]] = 6.778e6, 1.1e-3, 23.0
    longest = manipulator.unit.slewing_length + manipulator.unit.deployable_length
    for i in manipulator.numbers:
        q[place[f"unit{i}_length"]] = longest * rng.uniform(0.55, 0.95)
    return Both(model, equations, tips, q, u)
