"""Thin runtime of compiled models: load, simulate, look. Needs NumPy, and SciPy to simulate."""

from eomc.runtime.compiled import CompiledModel, load
from eomc.runtime.errors import LoadError, SimulationError, UnknownFrameError
from eomc.runtime.frame_kinematics import FrameKinematics

__all__ = [
    "CompiledModel",
    "FrameKinematics",
    "LoadError",
    "SimulationError",
    "UnknownFrameError",
    "load",
]
