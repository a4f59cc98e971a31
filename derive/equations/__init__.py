"""The equations of motion of a model: named functions, quantities to read, programs to emit."""

from eomc.derive.equations.equations import Equations, derive
from eomc.derive.functions.core import CORE

__all__ = ["CORE", "Equations", "derive"]
