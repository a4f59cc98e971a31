"""Whether a state, and accelerations in it, satisfy the constraints of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.constraints.constraints import ConstraintValues

Array = NDArray[np.float64]

CONSISTENT = 1e-6
"""Residuals, relative to the size of what they are of, that count as printed numbers and not as
errors."""

Residual = tuple[str, Array, Sequence[str], float]


def violation(at: ConstraintValues, a: Array | None = None) -> str | None:
    """The constraint that positions, speeds or accelerations `a` violate most, if one does."""
    return _named(at, _residuals(at, a))


def position_violation(at: ConstraintValues) -> str | None:
    """The constraint that the configuration violates most, if it does."""
    return _named(at, [_positions(at)])


def worst(residuals: Array, names: Sequence[str]) -> tuple[str, float]:
    """Name and value of the largest residual.

    >>> worst(np.array([0.1, -0.3]), ("loop.x", "loop.y"))
    ('loop.y', -0.3)
    """
    place = int(np.argmax(np.where(np.isfinite(residuals), np.abs(residuals), np.inf)))
    return names[place], float(residuals[place])


def _positions(at: ConstraintValues) -> Residual:
    return "position", at.closure, at.constraints.closure_names, _size(at.arguments["q"])


def _residuals(at: ConstraintValues, a: Array | None) -> Iterator[Residual]:
    """What is to vanish, and the size of what it is of."""
    names, speed = at.constraints.names, _size(at.arguments["u"])
    yield _positions(at)
    yield "velocity", at.velocity, names, speed
    if a is not None:
        yield "acceleration", at.acceleration(a), names, speed**2 + _size(a) - 1.0


def _size(values: Array) -> float:
    return 1.0 + float(np.abs(values).max(initial=0.0))


def _named(at: ConstraintValues, residuals: Iterator[Residual] | list[Residual]) -> str | None:
    model = at.constraints.model.name
    for what, residual, names, size in residuals:
        if residual.size and not float(np.abs(residual).max()) <= CONSISTENT * size:
            name, value = worst(residual, names)
            whose = "accelerations violate" if what == "acceleration" else "state violates"
            return (
                f"model {model!r}: the {whose} constraint {name!r}: its {what} residual is "
                f"{value:.3g}"
            )
    return None
