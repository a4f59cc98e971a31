"""Errors that functions of the runtime raise."""

from eomc.runtime.constraints.consistency import AssemblyError, ConstraintError
from eomc.runtime.impacts.errors import PainleveError
from eomc.runtime.latches.errors import LatchError
from eomc.runtime.model.errors import (
    EquilibriumError,
    LawError,
    LinearizationError,
    LoadError,
    SimulationError,
    UnknownFrameError,
)

__all__ = [
    "AssemblyError",
    "ConstraintError",
    "EquilibriumError",
    "LatchError",
    "LawError",
    "LinearizationError",
    "LoadError",
    "PainleveError",
    "SimulationError",
    "UnknownFrameError",
]
