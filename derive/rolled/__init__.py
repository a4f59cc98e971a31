"""Rolled recursions: for-loops over tables of bodies instead of one statement a body."""

from eomc.derive.rolled.blocked_functions import FEWEST, blocked_function
from eomc.derive.rolled.functions import rolled_function

__all__ = ["FEWEST", "blocked_function", "rolled_function"]
