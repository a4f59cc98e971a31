"""Normal laws of contacts: the kinds of every file in this folder."""

from importlib import import_module
from pkgutil import iter_modules

from eomc.derive.contacts.normal_laws.law import NORMAL_LAWS, NormalForce, NormalLaw, normal_law

__all__ = ["NORMAL_LAWS", "NormalForce", "NormalLaw", "normal_law"]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
