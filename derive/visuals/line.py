"""A line through points."""

from __future__ import annotations

from eomc.derive.elements.fields import Number, number, of_kind
from eomc.derive.visuals.visual_shape import Corners, Rows, VisualShape, visual_shape


@visual_shape("line")
class Line(VisualShape):
    """A round bar from point to point."""

    line: Corners = of_kind(Rows("points", "m"))
    radius: Number = number("m", default=0.005)
