"""Friction laws of contacts: one file a kind, found by itself."""

from importlib import import_module
from pkgutil import iter_modules

from eomc.derive.contacts.friction.friction import FRICTION_LAWS, Friction, Sliding, friction_law

__all__ = ["FRICTION_LAWS", "Friction", "Sliding", "friction_law"]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
