"""The articulated truss crane of Boutin (1995), in all its variants."""

from __future__ import annotations

from eomc.systems.truss_crane.boom import boom_structure, flexible_boom
from eomc.systems.truss_crane.crane import (
    articulated_crane,
    maneuver,
    pivoting_boom,
    single_actuator_crane,
    two_actuator_crane,
)
from eomc.systems.truss_crane.space_crane import space_crane

__all__ = [
    "articulated_crane",
    "boom_structure",
    "flexible_boom",
    "maneuver",
    "pivoting_boom",
    "single_actuator_crane",
    "space_crane",
    "two_actuator_crane",
]
