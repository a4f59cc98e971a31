"""Rolled recursions: for-loops over tables of bodies instead of one statement a body."""

from eomc.derive.rolled.functions import rolled_functions
from eomc.derive.rolled.matrices import BLOCKED, blocked_functions

__all__ = ["BLOCKED", "blocked_functions", "rolled_functions"]
