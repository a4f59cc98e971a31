"""Methods that advance the state in C: one file each, a `Tableau`."""

from eomc.codegen.integrators.tableau import Tableau, register, tableaus

__all__ = ["Tableau", "register", "tableaus"]
