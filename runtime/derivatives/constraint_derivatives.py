"""Derivatives of constraints and of their forces about an operating point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import ConstraintValues
from eomc.runtime.constraints.rank import hidden
from eomc.runtime.derivatives.differencing import STEP, Steps, difference_columns
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.derivatives.tree import coordinate_sizes
from eomc.runtime.model.errors import LinearizationError


def constraint_derivatives(
    around: Surroundings, values: Mapping[str, Any], steps: Steps | None = None
) -> tuple[Array, Array, Array, Array]:
    """d(G^T lambda)/dq, and d(G u + b)/dq, d(G a + g)/dq, d(G a + g)/du of every row.

    `values` are arguments of functions by name. With `steps` they are differenced, as they are
    where exact derivatives are too long to compile.
    """
    if steps is not None or around.model.manifest.get("metadata", {}).get("finite_differences"):
        return _differenced(around, values, steps or Steps("central", fixed=STEP))
    parts = around.call("constraint_derivatives", values)
    curvature, by_q, accelerated_by_q, accelerated_by_u = (
        np.asarray(part, dtype=float).reshape(-1, around.model.nu) for part in parts
    )
    return curvature, by_q, accelerated_by_q, accelerated_by_u


def _differenced(
    around: Surroundings, values: Mapping[str, Any], steps: Steps
) -> tuple[Array, Array, Array, Array]:
    model = around.model
    integrate, sizes = model.function("integrate"), coordinate_sizes(model, values["q"])

    def told(changed: Mapping[str, Any]) -> Array:
        at = around.constraints_at({**values, **changed})
        force = at.G.T @ np.asarray(values["multipliers"], dtype=float)
        return np.concatenate([force, at.velocity, at.acceleration(np.asarray(values["a"]))])

    def by_q(step: Array) -> Array:
        return told({"q": np.asarray(integrate(values["q"], step))})

    def by_u(step: Array) -> Array:
        return told({"u": values["u"] + step})

    start = told({})
    columns, _ = difference_columns(by_q, sizes, model.displacements, steps, "displacement", start)
    of_speeds, _ = difference_columns(by_u, values["u"], model.speeds, steps, "speed", start)
    m = (len(columns) - model.nu) // 2
    curvature, velocity, acceleration = np.split(columns, [model.nu, model.nu + m])
    return curvature, velocity, acceleration, of_speeds[model.nu + m :]


def require_redundant(at: ConstraintValues) -> None:
    """Raise LinearizationError if rows left out as redundant hold something here."""
    if (text := hidden(at)) is not None:
        raise LinearizationError(text)
