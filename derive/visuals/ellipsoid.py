"""An ellipsoid."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.elements.fields import of_kind
from eomc.derive.visuals.visual_shape import Sizes, Triple, VisualShape, check_sizes, visual_shape


@visual_shape("ellipsoid")
class Ellipsoid(VisualShape):
    """An ellipsoid about the origin, with these half axes along x, y and z."""

    ellipsoid: Triple = of_kind(Sizes("radii", "m"))

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        check_sizes(self.ellipsoid, "ellipsoid", values)
