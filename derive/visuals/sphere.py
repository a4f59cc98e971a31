"""A ball."""

from __future__ import annotations

from eomc.derive.elements.fields import Number, number
from eomc.derive.visuals.visual_shape import VisualShape, visual_shape


@visual_shape("sphere")
class Sphere(VisualShape):
    """A ball about the origin."""

    sphere: Number = number("m", "radius")
