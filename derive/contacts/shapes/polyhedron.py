"""A convex polyhedron by its vertices v_i: h = max v_i.u, the point of contact is that vertex.

Where a face or an edge lies on a plane many vertices are nearest. Four of them are sites: those
that are lowest along the normal and along it tilted by `tilt` towards four directions of its body.
A vertex that is chosen twice is one site; the others of it are apart. As sites change from vertex
to vertex, forces by depth take all vertices as sites, by a tilt of 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numpy as np

from eomc.derive.contacts.shapes.shape import Shape, Site
from eomc.derive.fields.field import SCALAR, FieldKind, Given, Number, number, of_kind, rows_of
from eomc.derive.fields.part import not_negative
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Vector3, is_zero, scalar, vector3
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import Scene

MOST = 64
_FLAT = 1e-9
_TILTS = ((1, 1), (1, -1), (-1, -1), (-1, 1))


@dataclass(frozen=True)
class Offsets(FieldKind):
    """Places beside the point of the field `at`, in the axes of its body."""

    def schema(self) -> dict[str, Any]:
        """Rows of three scalars."""
        return {"type": "array", "items": rows_of(SCALAR, 3), "minItems": 4, "maxItems": MOST}

    def read(self, value: Any, word: str) -> tuple[Vector3, ...]:
        """As tuples."""
        try:
            rows = tuple(vector3(row, word) for row in value)
        except TypeError:
            raise ModelError(f"{word}: give rows of 3 numbers") from None
        if not 4 <= len(rows) <= MOST:
            raise ModelError(f"{word} has {len(rows)} points; give 4 to {MOST}")
        return rows

    def transformed(self, value: Any, element: Any, carrier: Any) -> Any:
        """In the axes of the body that carries them."""
        return tuple(carrier.within(carrier.turned(row, element.at.body)) for row in value)


@kind("polyhedron")
class Polyhedron(Shape):
    """The convex hull of up to 64 vertices, which are given from `at`."""

    vertices: Given[Sequence[Sequence[Any]], tuple[Vector3, ...]] = of_kind(
        Offsets("from `at`, in the axes of its body", "m")
    )
    tilt: Number = number(
        "rad", "of the normal below which a face lies, or 0: sites are all vertices", default=1e-2
    )

    @property
    def switches(self) -> bool:
        """True of four sites."""
        return not is_zero(self.tilt)

    def count(self) -> int:
        """Four vertices, or all of them."""
        return len(_TILTS) if self.switches else len(self.vertices)

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Supports along the tilted normals, or points."""
        if not self.switches:
            at = self.at
            places = [
                [scalar(a + b) for a, b in zip(at.xyz, row, strict=True)] for row in self.vertices
            ]
            return [Site.ball(scene.point(at.body, p), scene.tree.zero) for p in places]
        centre, body = scene.point(self.at.body, self.at.xyz), self.at.body
        axes = [scene.direction(body, e) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
        vertices = [Vector(*map(scene.scalar, row)) for row in self.vertices]
        far = 2 * reduce(_larger, (reduce(_larger, (x.unary("abs") for x in v)) for v in vertices))

        def support(n: Vector, which: int) -> tuple[Expression, Vector]:
            u = Vector(*(e.dot(n) for e in axes))
            lows = _lowest(u, vertices, scene.scalar(self.tilt))
            low = lows[which]
            h = -u.dot(low)
            for other in lows[:which]:
                away = low - other
                h = h - (-away.dot(away)).if_less(0, 0, far)
            x, y, z = (e * p for e, p in zip(axes, low, strict=True))
            return h, x + y + z

        return [Site(centre, partial(support, which=k)) for k in range(self.count())]

    def check_smooth(self) -> None:
        """Raise `ModelError`: it has corners."""
        raise ModelError("a polyhedron stands on planes; give another shape here")

    def check(self, values: Mapping[str, float]) -> None:
        """Vertices that are not in a plane, and a tilt."""
        not_negative(self.tilt, "tilt", values)
        rows = np.array([[value_of(x, values) for x in row] for row in self.vertices])
        sizes = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)
        if sizes[2] <= _FLAT * sizes[0]:
            raise ModelError("vertices are all in a plane; give a polyhedron with a volume")


def _larger(a: Expression, b: Expression) -> Expression:
    return a.binary("max", b)


def _lowest(u: Vector, vertices: Sequence[Vector], tilt: Expression) -> list[Vector]:
    """The lowest vertices along the unit vector u tilted towards +-e x u +- u x (e x u), e an axis
    of the body far from u."""
    zero = u.x * 0
    steep = zero + 0.5 - u.z * u.z
    e = Vector(steep.if_less(zero, zero + 1, zero), zero, steep.if_less(zero, zero, zero + 1))
    first = e.cross(u)
    across = first * tilt, u.cross(first) * tilt
    heights = [(u.dot(v), across[0].dot(v), across[1].dot(v)) for v in vertices]
    found = []
    for a, b in _TILTS:
        best, low = zero, vertices[0]
        for k, (height, x, y) in enumerate(heights):
            tilted = height + x * a + y * b
            if k == 0:
                best = tilted
                continue
            pairs = zip(vertices[k], low, strict=True)
            low = Vector(*(tilted.if_less(best, p, q) for p, q in pairs))
            best = tilted.binary("min", best)
        found.append(low)
    return found
