"""A box."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.elements.fields import of_kind
from eomc.derive.visuals.visual_shape import Sizes, Triple, VisualShape, check_sizes, visual_shape


@visual_shape("box")
class Box(VisualShape):
    """A box about the origin, with sides along x, y and z."""

    box: Triple = of_kind(Sizes("size", "m"))

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        check_sizes(self.box, "box", values)
