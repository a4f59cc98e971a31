"""A model on its expression graph: input arrays, tree, constraints and what all functions share."""

from eomc.derive.system.expression_names import TIME
from eomc.derive.system.system import System

__all__ = ["TIME", "System"]
