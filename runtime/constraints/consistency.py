"""Violations of the constraints by states and accelerations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import ConstraintValues


class ConstraintError(ArithmeticError):
    """Something that the constraints of a model do not allow; the message names what hinders."""


class AssemblyError(ConstraintError):
    """There is no state near the guess that satisfies the constraints."""


CONSISTENT = 1e-6


"""Residuals, relative to the size of what they are of, that count as printed numbers and not as
errors."""


ACCEPTED = 1e-9


"""The same for what a solver leaves where no step makes it smaller."""


Residual = tuple[str, Array, Sequence[str], float]


"""Kind of residual, its rows and their names, and its measure, in sizes of rows."""


def violation(at: ConstraintValues, a: Array | None = None) -> str | None:
    """The constraint that positions, speeds or accelerations `a` violate most, if one does."""
    return _named(at, _residuals(at, a))


def acceleration_violation(at: ConstraintValues, a: Array) -> str | None:
    """The constraint that accelerations `a` violate most, if they do."""
    return _named(at, [_acceleration(at, a, _speed(at))])


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
    return constraints.row_sizes(constraints.closure_names) * _place(at)


def rate_sizes(at: ConstraintValues) -> Array:
    """The same of rates."""
    constraints = at.constraints
    return constraints.row_sizes(constraints.rate_names) * _speed(at)


def _positions(at: ConstraintValues) -> Residual:
    return "position", at.closure, at.constraints.closure_names, _place(at)


def _residuals(at: ConstraintValues, a: Array | None) -> Iterator[Residual]:
    """Residuals of positions, speeds and, if given, accelerations."""
    yield _positions(at)
    speed = _speed(at)
    yield "velocity", at.closure_rate, at.constraints.rate_names, speed
    if a is not None:
        yield _acceleration(at, a, speed)


def _acceleration(at: ConstraintValues, a: Array, speed: float) -> Residual:
    constraints = at.constraints
    size = speed**2 + _size(a / constraints.u_sizes) - 1.0
    return "acceleration", at.acceleration(a), constraints.names, size


def _place(at: ConstraintValues) -> float:
    return _size(at.arguments["q"] / at.constraints.q_sizes)


def _speed(at: ConstraintValues) -> float:
    return _size(at.arguments["u"] / at.constraints.u_sizes)


def _size(values: Array) -> float:
    return 1.0 + max(map(abs, values.tolist()), default=0.0)


def _named(at: ConstraintValues, residuals: Iterator[Residual] | list[Residual]) -> str | None:
    model = at.constraints.model.name
    for what, residual, names, size in residuals:
        rows, most = at.constraints.row_sizes(names), CONSISTENT * size
        # One number after the other: of a few rows NumPy's test takes longer.
        if not all(abs(share) <= most for share in (residual / rows).tolist()):
            name, value = worst(residual, names, rows)
            whose = "accelerations violate" if what == "acceleration" else "state violates"
            return (
                f"model {model!r}: the {whose} constraint {name!r}: its {what} residual is "
                f"{value:.3g}"
            )
    return None
