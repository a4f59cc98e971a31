"""Constraints at run time: consistent states, projection, independent coordinates, loop forces."""

from eomc.runtime.constraints.assembly import ConsistentState, assemble
from eomc.runtime.constraints.errors import AssemblyError, ConstraintError
from eomc.runtime.constraints.independent import Partition, independent

__all__ = [
    "AssemblyError",
    "ConsistentState",
    "ConstraintError",
    "Partition",
    "assemble",
    "independent",
]
