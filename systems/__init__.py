"""Ready models: free-flyers, pendulums, chains, and the published results reproduced with them.

A model is a module of this package, imported when first used: ``eomc.systems.free_flyer``.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType

_MODULES = tuple(sorted(info.name for info in pkgutil.iter_modules(__path__)))

__all__ = list(_MODULES)


def __getattr__(name: str) -> ModuleType:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])
