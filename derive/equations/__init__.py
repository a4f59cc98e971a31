"""The equations of motion of a model: named functions, quantities to read, programs to emit."""

from eomc.derive.equations.equations_of_motion import Equations, equations
from eomc.derive.functions.core import CORE

__all__ = ["CORE", "Equations", "equations"]
