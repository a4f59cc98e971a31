"""Tensegrity: struts held by cables, which manipulators wind on pulleys in swivelling blocks."""

from eomc.systems.tensegrity.manipulator import manipulator
from eomc.systems.tensegrity.prism import prism
from eomc.systems.tensegrity.single_strut import single_strut

__all__ = ["manipulator", "prism", "single_strut"]
