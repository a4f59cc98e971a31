"""A cone."""

from __future__ import annotations

from eomc.derive.elements.fields import Number, number
from eomc.derive.visuals.visual_shape import VisualShape, visual_shape


@visual_shape("cone")
class Cone(VisualShape):
    """A cone along z, with the middle of its height in the origin and its tip at +z."""

    cone: Number = number("m", "radius")
    length: Number = number("m")
