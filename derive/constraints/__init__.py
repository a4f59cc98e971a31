"""Constraints: points, directions, coordinates, speeds, wheels, cut joints; one file an idea."""

from importlib import import_module
from pkgutil import iter_modules

from eomc.derive.constraints.constraint import Constraint, constraint, constraint_kinds
from eomc.derive.constraints.rows import Row

__all__ = ["Constraint", "Row", "constraint", "constraint_kinds"]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
