"""Rods that bend far: cantilevers and flying rods."""

from eomc.systems.rods.cantilever import cantilever, column, princeton_beam, quarter_arc, tip_place
from eomc.systems.rods.flying import flying_rod

__all__ = ["cantilever", "column", "flying_rod", "princeton_beam", "quarter_arc", "tip_place"]
