"""A cylinder with round ends."""

from __future__ import annotations

from eomc.derive.elements.fields import Number, number
from eomc.derive.visuals.visual_shape import VisualShape, visual_shape


@visual_shape("capsule")
class Capsule(VisualShape):
    """A cylinder along z of that length between its round ends, with its middle in the origin."""

    capsule: Number = number("m", "radius")
    length: Number = number("m")
