"""Target languages: one file each. C is always there, the others once one of them is asked for."""

from importlib import import_module
from pkgutil import iter_modules

import eomc.codegen.targets.c99  # noqa: F401  (registers C)
from eomc.codegen.language.target import Target, find_target, is_known

__all__ = ["target_of"]


def target_of(name: str) -> Target:
    """The target of this name; EmissionError, which lists all, if there is none."""
    if not is_known(name):
        for file in iter_modules(__path__):
            import_module(f"{__name__}.{file.name}")
    return find_target(name)
