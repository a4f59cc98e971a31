"""Named functions of a model."""

from eomc.derive.functions import (
    constraint_derivatives,
    constraints,
    derivatives,
    driven,
    dynamics,
    energy,
    feedback,
    linearization,
    linearization_derivative,
    manifold,
    reactions,
)
from eomc.derive.functions.frame_derivatives import frame_derivative_kind
from eomc.derive.functions.frames import QUESTIONS, frame_kinds, function_name
from eomc.derive.functions.registry import KINDS, Kind

__all__ = [
    "KINDS",
    "QUESTIONS",
    "Kind",
    "constraint_derivatives",
    "constraints",
    "derivatives",
    "driven",
    "dynamics",
    "energy",
    "feedback",
    "frame_derivative_kind",
    "frame_kinds",
    "function_name",
    "linearization",
    "linearization_derivative",
    "manifold",
    "reactions",
]
