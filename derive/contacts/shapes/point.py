"""A point: h = 0."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.contacts.shapes.shape import Shape, Site, shape
from eomc.derive.elements.fields import AtPoint, point
from eomc.derive.scene.loads import Scene


@shape("point")
class PointShape(Shape):
    """A point of a body."""

    is_round = True

    point: AtPoint = point("where")

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        at = self.place
        return [Site.ball(scene.point(at.body, at.xyz), scene.tree.zero)]
