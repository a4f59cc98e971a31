"""From topology to symbolic equations.

The package is also the verb: ``eomc.derive(model)`` is `eomc.derive.equations.derive`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

if getattr(sys.modules["eomc"], "__file__", None) is None:  # a folder of that name
    raise ImportError(
        f"{sys.modules['eomc'].__path__[0]} is a source tree of eomc, not the package: Python "
        "found it by its name beside your program or on PYTHONPATH; start elsewhere, or put the "
        "tree itself on PYTHONPATH"
    )


class _Derive(ModuleType):
    """A package that can be called."""

    def __call__(self, model: Any) -> Any:
        """Derive the equations of motion of `model`."""
        from eomc.derive.equations import derive

        return derive(model)


sys.modules[__name__].__class__ = _Derive
