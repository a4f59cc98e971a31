"""From topology to symbolic equations.

The package is also the verb: ``eomc.derive(model)`` is `eomc.derive.equations.derive`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Verb(ModuleType):
    """A package that can be called."""

    def __call__(self, model: Any) -> Any:
        """Derive the equations of motion of `model`."""
        from eomc.derive.equations import derive

        return derive(model)


sys.modules[__name__].__class__ = _Verb
