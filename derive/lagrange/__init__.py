"""Systems given in SymPy: by a Lagrangian, or by a method object of `sympy.physics.mechanics`."""

from eomc.derive.lagrange.system import LagrangianSystem

__all__ = ["LagrangianSystem"]
