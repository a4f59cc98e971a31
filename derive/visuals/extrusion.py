"""A prism over a polygon."""

from __future__ import annotations

from eomc.derive.elements.fields import Number, number, of_kind
from eomc.derive.visuals.visual_shape import Corners, Rows, VisualShape, visual_shape


@visual_shape("extrusion")
class Extrusion(VisualShape):
    """A polygon of x and y, drawn out along z with its middle in the origin."""

    extrusion: Corners = of_kind(Rows("polygon", "m", width=2, fewest=3))
    length: Number = number("m")
