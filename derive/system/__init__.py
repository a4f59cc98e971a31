"""A model on its expression graph: input arrays, tree, constraints and what all functions share."""

from eomc.derive.system.system import TIME, System

__all__ = ["TIME", "System"]
