"""Recursions as loops over tables of bodies, for small code."""

from eomc.derive.loops.functions import loops_of

__all__ = ["loops_of"]
