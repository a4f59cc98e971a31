"""Ellipsoids thick by a tube: what ellipsoids, circles and tori are, by their support function.

With A = sum a_i^2 e_i e_i^T, the semi-axes a_i along the axes e_i, and a tube of radius b,

    h(n) = b + sqrt(n^T A n),    furthest point along n:  A n/sqrt(n^T A n) + b n

A circle of radius r is thin by r delta (`eomc.derive.contacts.shapes.rings`). Seen along a line an
oval is an ellipse thick by b (`eomc.derive.contacts.shapes.shadow`): the nearest points of a line
are those of a point, and a ring may hang on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.contacts.shapes.shadow import Shadow
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression


@dataclass(frozen=True, eq=False)
class Oval:
    """Axes in the world, semi-axes, the tube about it, and whether it is a ring: what is within
    its outline is free."""

    axes: Sequence[Vector]
    sizes: Sequence[Expression]
    tube: Expression
    hollow: bool = False

    def times(self, v: Vector) -> Vector:
        """A v"""
        x, y, z = (e * (a * a * e.dot(v)) for e, a in zip(self.axes, self.sizes, strict=True))
        return x + y + z

    def support(self, n: Vector) -> tuple[Expression, Vector]:
        """h, and the furthest point along the unit vector n from the centre."""
        along = self.times(n)
        size = n.dot(along).sqrt()
        return self.tube + size, along * (1 / size) + n * self.tube

    def turned(self, n: Vector, e: Vector) -> Vector:
        """Rate of that point as the unit vector n moves along e: H e."""
        along = self.times(n)
        size = n.dot(along).sqrt()
        p = along * (1 / size)
        across = e - n * n.dot(e)
        return (self.times(e) - p * p.dot(e)) * (1 / size) + across * self.tube

    def from_line(
        self, away: Vector, across: tuple[Vector, Vector], code: str
    ) -> tuple[Expression, Vector, Vector]:
        """Distance from a line, `away` from the centre to one of its points, the unit normal
        towards it, and from the centre to the nearest point; `across` are two unit directions."""
        seen = self._shadow(away, across)
        t = seen.root(False, code)
        w = self._raised(seen.normal(t), across)
        size, sign = w.norm(), t * 0 + 1
        if self.hollow:
            sign = t.if_less(0, -sign, sign)
        n = w * (sign / size)
        return t * size * sign - self.tube, n, self.times(w) + n * self.tube

    def furthest_from_line(
        self, away: Vector, across: tuple[Vector, Vector], code: str
    ) -> tuple[Expression, Vector, Vector]:
        """The same of the furthest point."""
        seen = self._shadow(away, across)
        t = seen.root(True, code)
        w = self._raised(seen.normal(t), across)
        size = w.norm()
        n = w * (-1 / size)
        return self.tube - t * size, n, self.times(w) - n * self.tube

    def _shadow(self, away: Vector, across: tuple[Vector, Vector]) -> Shadow:
        first, second = across
        line = first.cross(second)
        x, y, z = self.sizes
        shares = (y * z, z * x, x * y)
        parts = [share * line.dot(e) for share, e in zip(shares, self.axes, strict=True)]
        area = parts[0] * parts[0] + parts[1] * parts[1] + parts[2] * parts[2]
        pairs = [
            (size * e.dot(first), size * e.dot(second))
            for e, size in zip(self.axes, self.sizes, strict=True)
        ]
        return Shadow((first.dot(away), second.dot(away)), pairs, area)

    def _raised(self, w: tuple[Expression, Expression], across: tuple[Vector, Vector]) -> Vector:
        return across[0] * w[0] + across[1] * w[1]
