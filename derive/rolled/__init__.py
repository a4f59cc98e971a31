"""Rolled recursions: for-loops over tables of bodies instead of one statement a body."""

from eomc.derive.rolled.functions import rolled_functions
from eomc.derive.rolled.matrices import BLOCKED, BlockedFunctions

__all__ = ["BLOCKED", "BlockedFunctions", "rolled_functions"]
