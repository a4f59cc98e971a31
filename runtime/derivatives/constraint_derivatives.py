"""Derivatives of constraints and of their forces about an operating point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.constraints.constraints import ConstraintValues
from eomc.runtime.constraints.rank import hidden
from eomc.runtime.derivatives.operating_point import OperatingPoint, Surroundings
from eomc.runtime.model.errors import LinearizationError

Array = NDArray[np.float64]


def constraint_derivatives(
    around: Surroundings, point: OperatingPoint
) -> tuple[Array, Array, Array, Array]:
    """d(G^T lambda)/dq, and d(G u + b)/dq, d(G a + g)/dq, d(G a + g)/du of every row."""
    parts = around.call("constraint_derivatives", point.values)
    curvature, by_q, accelerated_by_q, accelerated_by_u = (
        np.asarray(part, dtype=float).reshape(-1, around.model.nu) for part in parts
    )
    return curvature, by_q, accelerated_by_q, accelerated_by_u


def require_redundant(at: ConstraintValues) -> None:
    """Raise LinearizationError if rows left out as redundant hold something here."""
    if (text := hidden(at)) is not None:
        raise LinearizationError(text)
