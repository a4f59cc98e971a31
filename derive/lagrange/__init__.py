"""Systems given in SymPy: by a Lagrangian, or by a method object of `sympy.physics.mechanics`."""

from eomc.derive.lagrange.kane_system import KaneSystem
from eomc.derive.lagrange.mechanics import from_sympy
from eomc.derive.lagrange.system import LagrangianSystem

__all__ = ["KaneSystem", "LagrangianSystem", "from_sympy"]
