"""Violations of the constraints of a model by a state, and by accelerations in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.constraints.constraints import ConstraintValues

Array = NDArray[np.float64]

CONSISTENT = 1e-6
"""Residuals, relative to the size of what they are of, that count as printed numbers and not as
errors."""

ACCEPTED = 1e-9
"""The same for what a solver leaves where no step makes it smaller."""

Residual = tuple[str, Array, Sequence[str], Array]


def violation(at: ConstraintValues, a: Array | None = None) -> str | None:
    """The constraint that positions, speeds or accelerations `a` violate most, if one does."""
    return _named(at, _residuals(at, a))


def acceleration_violation(at: ConstraintValues, a: Array) -> str | None:
    """The constraint that accelerations `a` violate most, if they do."""
    return _named(at, [_acceleration(at, a)])


def position_violation(at: ConstraintValues) -> str | None:
    """The constraint that the configuration violates most, if it does."""
    return _named(at, [_positions(at)])


def worst(residuals: Array, names: Sequence[str], sizes: Array | float = 1.0) -> tuple[str, float]:
    """Name and value of the largest residual, in the sizes of rows.

    >>> worst(np.array([0.1, -0.3]), ("loop.x", "loop.y"))
    ('loop.y', -0.3)
    """
    shares = np.abs(residuals) / sizes
    place = int(np.argmax(np.where(np.isfinite(residuals), shares, np.inf)))
    return names[place], float(residuals[place])


def position_sizes(at: ConstraintValues) -> Array:
    """Sizes that residuals of positions are compared with, larger the further coordinates went."""
    constraints = at.constraints
    return constraints.row_sizes(constraints.closure_names) * _size(
        at.arguments["q"] / constraints.q_sizes
    )


def rate_sizes(at: ConstraintValues) -> Array:
    """The same of rates."""
    constraints = at.constraints
    return constraints.row_sizes(constraints.rate_names) * _speed(at)


def _positions(at: ConstraintValues) -> Residual:
    return "position", at.closure, at.constraints.closure_names, position_sizes(at)


def _residuals(at: ConstraintValues, a: Array | None) -> Iterator[Residual]:
    """Residuals of positions, speeds and, if given, accelerations, with the sizes of their rows."""
    yield _positions(at)
    yield "velocity", at.closure_rate, at.constraints.rate_names, rate_sizes(at)
    if a is not None:
        yield _acceleration(at, a)


def _acceleration(at: ConstraintValues, a: Array) -> Residual:
    constraints = at.constraints
    size = _speed(at) ** 2 + _size(a / constraints.u_sizes) - 1.0
    rows = constraints.row_sizes(constraints.names) * size
    return "acceleration", at.acceleration(a), constraints.names, rows


def _speed(at: ConstraintValues) -> float:
    return _size(at.arguments["u"] / at.constraints.u_sizes)


def _size(values: Array) -> float:
    return 1.0 + max(map(abs, values.tolist()), default=0.0)


def _named(at: ConstraintValues, residuals: Iterator[Residual] | list[Residual]) -> str | None:
    model = at.constraints.model.name
    for what, residual, names, sizes in residuals:
        if not (np.abs(residual) <= CONSISTENT * sizes).all():
            name, value = worst(residual, names, sizes)
            whose = "accelerations violate" if what == "acceleration" else "state violates"
            return (
                f"model {model!r}: the {whose} constraint {name!r}: its {what} residual is "
                f"{value:.3g}"
            )
    return None
