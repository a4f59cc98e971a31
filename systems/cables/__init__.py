"""Machines that work by cables: a robot in a frame, a tower crane, a tackle, a mast of struts."""

from eomc.systems.cables.mast import mast
from eomc.systems.cables.planar_robot import planar_robot
from eomc.systems.cables.tackle import tackle
from eomc.systems.cables.tower_crane import tower_crane

__all__ = ["mast", "planar_robot", "tackle", "tower_crane"]
