"""Cables: the stations of their routes, tangents from circle to circle, tension along them."""

from eomc.derive.cables.eyelet import Eyelet
from eomc.derive.cables.pulley import Pulley
from eomc.derive.cables.station import CableStation
from eomc.derive.cables.winch import Winch
from eomc.derive.language.registry import kind

__all__ = ["CableStation", "Eyelet", "Pulley", "Winch", "kind"]
