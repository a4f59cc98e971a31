"""Latches at run time: joints that close and open, with an impulse where they close.

A run goes from event to event, and each set of closed latches is a compiled model of its own with
the same coordinates. Reference: Pfeiffer and Glocker, *Multibody Dynamics with Unilateral
Contacts*, for impulses of bilateral constraints that close.
"""

from eomc.runtime.latches.errors import LatchError
from eomc.runtime.latches.history import LatchEvent, LatchHistory

__all__ = ["LatchError", "LatchEvent", "LatchHistory"]
