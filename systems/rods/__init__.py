"""Rods that bend far: cantilevers, spinning shafts, flying rods."""

from eomc.systems.rods.cantilever import cantilever, column, princeton_beam, quarter_arc, tip_place
from eomc.systems.rods.flying import flying_rod
from eomc.systems.rods.rotating import rotating_blade, shaft, spin_up_beam

__all__ = [
    "cantilever",
    "column",
    "flying_rod",
    "princeton_beam",
    "quarter_arc",
    "rotating_blade",
    "shaft",
    "spin_up_beam",
    "tip_place",
]
