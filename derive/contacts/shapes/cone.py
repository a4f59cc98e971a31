"""A cone, whole or cut: its two rims, on which it stands and lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.rings import FLAT, ring
from eomc.derive.contacts.shapes.shape import Shape, Site, beside
from eomc.derive.fields.field import Direction, Number, direction, number
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero
from eomc.derive.placement.directions import unit_vector
from eomc.derive.scene.loads import Scene


@kind("cone")
class ConeShape(Shape):
    """A cone about `axis` from the rim at `at` to the rim, or the apex, at `height` along it."""

    is_oval = True
    is_hollow = True

    radius: Number = number("m", "of the rim at `at`")
    height: Number = number("m", "between the rims")
    top_radius: Number = number("m", "of the other rim; 0 for an apex", default=0)
    axis: Direction = direction("of the cone, in its body", of="at", default=(0, 0, 1))
    flat: Number = number("", "delta near which a rim counts as lying flat", default=FLAT)

    def count(self) -> int:
        """Two rims."""
        return 2

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Rims, or a rim and a point."""
        top = beside(self.at, unit_vector(self.axis, "axis"), self.height)
        base = ring(scene, self.at, self.axis, self.radius, 0, self.flat)
        if is_zero(self.top_radius):
            return [base, Site.ball(scene.point(top.body, top.xyz), scene.tree.zero)]
        return [base, ring(scene, top, self.axis, self.top_radius, 0, self.flat)]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for word in ("radius", "height", "flat"):
            positive(getattr(self, word), word, values)
        not_negative(self.top_radius, "top_radius", values)
