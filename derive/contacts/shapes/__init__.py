"""Shapes of bodies that touch: the kinds of every file in this folder."""

from importlib import import_module
from pkgutil import iter_modules

from eomc.derive.contacts.shapes.shape import SHAPES, Shape, Site, shape

__all__ = ["SHAPES", "Shape", "Site", "shape"]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
