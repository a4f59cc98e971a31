"""A box: its eight corners, each a point. An edge or a face that lies on a plane lies on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from eomc.derive.contacts.shapes.shape import Shape, Site, beside, triad
from eomc.derive.fields.field import Direction, Position, direction, position
from eomc.derive.fields.part import positive
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene


@kind("box")
class Box(Shape):
    """The corners of a box with sides along `first`, across both, and along `axis`."""

    is_round = True

    half_sizes: Position = position("m", "half the sides")
    axis: Direction = direction("of the third side, in its body", of="at", default=(0, 0, 1))
    first: Direction = direction("of the first side, in its body", of="at", default=(1, 0, 0))

    def count(self) -> int:
        """Eight corners."""
        return 8

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Corners, the first ones at + all sides."""
        axes, found = triad(self.axis, self.first), []
        for signs in product((1, -1), repeat=3):
            corner = self.at
            for sign, e, half in zip(signs, axes, self.half_sizes, strict=True):
                corner = beside(corner, e, sign * half)
            found.append(Site.ball(scene.point(corner.body, corner.xyz), scene.tree.zero))
        return found

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for half in self.half_sizes:
            positive(half, "half_sizes", values)
