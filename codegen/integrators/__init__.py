"""Methods that advance the state in C: one file each, a `Tableau` or a `Rosenbrock` record."""

from eomc.codegen.integrators.known import register, rosenbrock_methods, tableaus
from eomc.codegen.integrators.rosenbrock import Rosenbrock
from eomc.codegen.integrators.tableau import Tableau

__all__ = ["Rosenbrock", "Tableau", "register", "rosenbrock_methods", "tableaus"]
