"""Methods that advance the state in C: one file each, a record of one of the kinds `Tableau`,
`Rosenbrock`, `SecondOrder` and `StepFunction`."""

from eomc.codegen.integrators.known import (
    Implicit,
    implicit_methods,
    register,
    rosenbrock_methods,
    tableaus,
)
from eomc.codegen.integrators.rosenbrock import Rosenbrock
from eomc.codegen.integrators.second_order import SecondOrder
from eomc.codegen.integrators.step_function import StepFunction
from eomc.codegen.integrators.tableau import Tableau

__all__ = [
    "Implicit",
    "Rosenbrock",
    "SecondOrder",
    "StepFunction",
    "Tableau",
    "implicit_methods",
    "register",
    "rosenbrock_methods",
    "tableaus",
]
