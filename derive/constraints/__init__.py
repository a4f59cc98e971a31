"""Constraints: points, directions, coordinates, speeds, wheels, cut joints; one file an idea."""

from eomc.derive.constraints.constraint import Constraint, constraint, constraint_kinds
from eomc.derive.constraints.rows import Row

__all__ = ["Constraint", "Row", "constraint", "constraint_kinds"]
