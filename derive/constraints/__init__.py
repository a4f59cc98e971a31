"""Constraints: points, directions, coordinates, speeds, wheels, cut joints; one file an idea."""

from eomc.derive.constraints.constraint import Constraint, constraint, constraint_kinds
from eomc.derive.constraints.rows import Row

# isort: split
from eomc.derive.constraints import coordinates, directions, points, rolling, rope

__all__ = [
    "Constraint",
    "Row",
    "constraint",
    "constraint_kinds",
    "coordinates",
    "directions",
    "points",
    "rolling",
    "rope",
]
