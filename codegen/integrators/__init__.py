"""Methods that advance the state in C: one file each, a record of one of the kinds `Tableau`,
`Rosenbrock` and `OneStage`."""

from eomc.codegen.integrators.known import implicit_methods, register, rosenbrock_methods, tableaus
from eomc.codegen.integrators.one_stage import OneStage
from eomc.codegen.integrators.rosenbrock import Rosenbrock
from eomc.codegen.integrators.tableau import Tableau

__all__ = [
    "OneStage",
    "Rosenbrock",
    "Tableau",
    "implicit_methods",
    "register",
    "rosenbrock_methods",
    "tableaus",
]
