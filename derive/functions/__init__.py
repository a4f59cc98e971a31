"""Named functions of a model."""

from eomc.derive.functions import derivatives, driven, dynamics, energy, manifold
from eomc.derive.functions.frames import QUESTIONS, frame_kinds, function_name
from eomc.derive.functions.registry import KINDS, Kind

__all__ = [
    "KINDS",
    "QUESTIONS",
    "Kind",
    "derivatives",
    "driven",
    "dynamics",
    "energy",
    "frame_kinds",
    "function_name",
    "manifold",
]
