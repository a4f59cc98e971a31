"""Systems given in SymPy: by a Lagrangian, or by a method object of `sympy.physics.mechanics`.

What is named here is imported when it is first used: `sympy.physics` is slow to load.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.derive.lagrange.kane_system import KaneSystem
    from eomc.derive.lagrange.mechanics import from_sympy
    from eomc.derive.lagrange.system import LagrangianSystem

__all__ = ["KaneSystem", "LagrangianSystem", "from_sympy"]

_HOME = {"KaneSystem": "kane_system", "LagrangianSystem": "system", "from_sympy": "mechanics"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
