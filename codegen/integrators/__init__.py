"""Methods that advance the state in C: one file each, a record of one of the kinds `Tableau`,
`Rosenbrock`, `GeneralizedAlpha` and `StepFunction`."""

from eomc.codegen.integrators.known import (
    Implicit,
    implicit_methods,
    register,
    rosenbrock_methods,
    tableaus,
)
from eomc.codegen.integrators.numerical_damping import GeneralizedAlpha
from eomc.codegen.integrators.rosenbrock import Rosenbrock
from eomc.codegen.integrators.step_function import StepFunction
from eomc.codegen.integrators.tableau import Tableau

__all__ = [
    "GeneralizedAlpha",
    "Implicit",
    "Rosenbrock",
    "StepFunction",
    "Tableau",
    "implicit_methods",
    "register",
    "rosenbrock_methods",
    "tableaus",
]
