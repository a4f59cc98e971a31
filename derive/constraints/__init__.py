"""Constraints: points, directions, coordinates, speeds, wheels, cut joints; one file an idea."""

from eomc.derive.elements.constraint import CONSTRAINTS, Constraint
from eomc.derive.elements.rows import Row
from eomc.derive.language.registry import kind

__all__ = ["CONSTRAINTS", "Constraint", "Row", "kind"]
