"""A cylinder."""

from __future__ import annotations

from eomc.derive.elements.fields import Number, number
from eomc.derive.visuals.visual_shape import VisualShape, visual_shape


@visual_shape("cylinder")
class Cylinder(VisualShape):
    """A cylinder along z, with its middle in the origin."""

    cylinder: Number = number("m", "radius")
    length: Number = number("m")
