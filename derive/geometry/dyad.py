"""General 3x3 matrices of expressions: sums of dyadic products."""

from __future__ import annotations

from eomc.derive.geometry.rotation import Rotation, Rows, Symmetric
from eomc.derive.geometry.vector import Vector
from eomc.derive.graph import Expression


class Dyad:
    """A 3x3 matrix given by its columns."""

    __slots__ = ("columns",)

    def __init__(self, columns: Rows) -> None:
        self.columns = columns

    @staticmethod
    def product(a: Vector, b: Vector) -> Dyad:
        """a b^T"""
        return Dyad((a * b.x, a * b.y, a * b.z))

    @staticmethod
    def cross_symmetric(w: Vector, s: Symmetric) -> Dyad:
        """[w]x S"""
        return Dyad(
            (
                w.cross(Vector(s.xx, s.xy, s.xz)),
                w.cross(Vector(s.xy, s.yy, s.yz)),
                w.cross(Vector(s.xz, s.yz, s.zz)),
            )
        )

    @staticmethod
    def turned(rotation: Rotation, matrix: Dyad) -> Dyad:
        """R M R^T, factor by factor."""
        left = Dyad(_transposed(_each(rotation, matrix.columns)))
        return Dyad(_transposed(_each(rotation, left.columns)))

    def __add__(self, other: Dyad) -> Dyad:
        a, b, c = (x + y for x, y in zip(self.columns, other.columns, strict=True))
        return Dyad((a, b, c))

    def __matmul__(self, v: Vector) -> Vector:
        a, b, c = self.columns
        return a * v.x + b * v.y + c * v.z

    def transposed_times(self, v: Vector) -> Vector:
        """M^T v"""
        return Vector(*(column.dot(v) for column in self.columns))

    @property
    def trace(self) -> Expression:
        """Sum of the diagonal."""
        a, b, c = self.columns
        return a.x + b.y + c.z


def _each(rotation: Rotation, columns: Rows) -> Rows:
    a, b, c = (rotation.to_parent(column) for column in columns)
    return a, b, c


def _transposed(columns: Rows) -> Rows:
    a, b, c = columns
    return Vector(a.x, b.x, c.x), Vector(a.y, b.y, c.y), Vector(a.z, b.z, c.z)
