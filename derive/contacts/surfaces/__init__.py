"""Surfaces that shapes touch: one file a kind, found by itself."""

from importlib import import_module
from pkgutil import iter_modules

from eomc.derive.contacts.surfaces.surface import SURFACES, Surface, Touch, surface

__all__ = ["SURFACES", "Surface", "Touch", "surface"]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
