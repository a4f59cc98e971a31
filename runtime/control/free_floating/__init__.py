"""Free-floating control: the base of a robot moves freely, and its joints alone are driven.

Without external force the momentum is conserved, which makes the motion of the base a function of
that of the joints. A `FreeFloatingTask` turns the laws of `eomc.runtime.control.task_space` into
laws of a free-floating robot; a `FreeBase` gives the matrices themselves.
"""

from eomc.runtime.control.free_floating.free_base import FreeBase
from eomc.runtime.control.free_floating.free_floating_task import FreeFloatingTask
from eomc.runtime.control.free_floating.least_reaction_path import LeastReactionPath
from eomc.runtime.control.free_floating.momentum_unloading import MomentumUnloading

__all__ = ["FreeBase", "FreeFloatingTask", "LeastReactionPath", "MomentumUnloading"]
