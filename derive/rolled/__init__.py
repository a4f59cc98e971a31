"""Rolled recursions: for-loops over tables of bodies instead of one statement a body."""

from eomc.derive.rolled.functions import rolled_function

__all__ = ["rolled_function"]
