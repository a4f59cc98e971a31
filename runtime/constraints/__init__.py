"""Constraints at run time: consistent states, projection, independent coordinates, loop forces."""

from eomc.runtime.constraints.assembly import ConsistentState, assemble
from eomc.runtime.constraints.consistency import AssemblyError, ConstraintError
from eomc.runtime.constraints.forces import Multipliers, Reactions, joint_reactions, multipliers
from eomc.runtime.constraints.independent import IndependentSpeeds, independent_coordinates
from eomc.runtime.constraints.inverse_dynamics import LoopForces, loop_inverse_dynamics

__all__ = [
    "AssemblyError",
    "ConsistentState",
    "ConstraintError",
    "IndependentSpeeds",
    "LoopForces",
    "Multipliers",
    "Reactions",
    "assemble",
    "independent_coordinates",
    "joint_reactions",
    "loop_inverse_dynamics",
    "multipliers",
]
