"""General 3x3 matrices of expressions: sums of dyadic products."""

from __future__ import annotations

from operator import add, sub

from eomc.derive.geometry.rotation import MatrixRotation, PlaneRotation, Rotation, Rows, Symmetric
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
    def cross(v: Vector) -> Dyad:
        """[v]x, the matrix of v x."""
        zero = v.x * 0
        return Dyad((Vector(zero, v.z, -v.y), Vector(-v.z, zero, v.x), Vector(v.y, -v.x, zero)))

    @staticmethod
    def turned(rotation: Rotation, matrix: Dyad) -> Dyad:
        """R M R^T, factor by factor."""
        for factor in reversed(rotation.factors):
            if isinstance(factor, PlaneRotation):
                matrix = _turned_in_plane(factor, matrix)
            else:
                left = Dyad(_transposed(_each(factor, matrix.columns)))
                matrix = Dyad(_transposed(_each(factor, left.columns)))
        return matrix

    @property
    def transposed(self) -> Dyad:
        """M^T"""
        return Dyad(_transposed(self.columns))

    def __sub__(self, other: Dyad) -> Dyad:
        a, b, c = map(sub, self.columns, other.columns)
        return Dyad((a, b, c))

    def __add__(self, other: Dyad) -> Dyad:
        a, b, c = map(add, self.columns, other.columns)
        return Dyad((a, b, c))

    def __matmul__(self, v: Vector) -> Vector:
        a, b, c = self.columns
        return a * v.x + b * v.y + c * v.z

    def transposed_times(self, v: Vector) -> Vector:
        """M^T v"""
        a, b, c = self.columns
        return Vector(a.dot(v), b.dot(v), c.dot(v))

    @property
    def trace(self) -> Expression:
        """Sum of the diagonal."""
        a, b, c = self.columns
        return a.x + b.y + c.z


def _turned_in_plane(plane: PlaneRotation, matrix: Dyad) -> Dyad:
    """R M R^T about a coordinate axis in 23 operations.

    About z, with e = s (M_xx - M_yy) + c (M_xy + M_yx), the block turns to M_xx - s e, M_yy + s e,
    c e - M_yx, c e - M_xy; the pairs (xz, yz) and (zx, zy) turn as vectors.
    """
    c, s, k = plane.c, plane.s, plane.axis
    i, j = (k + 1) % 3, (k + 2) % 3
    m = [list(row) for row in matrix.transposed.columns]
    e = s * (m[i][i] - m[j][j]) + c * (m[i][j] + m[j][i])
    turned = [list(row) for row in m]
    turned[i][i], turned[j][j] = m[i][i] - s * e, m[j][j] + s * e
    turned[i][j], turned[j][i] = c * e - m[j][i], c * e - m[i][j]
    turned[i][k], turned[j][k] = c * m[i][k] - s * m[j][k], s * m[i][k] + c * m[j][k]
    turned[k][i], turned[k][j] = c * m[k][i] - s * m[k][j], s * m[k][i] + c * m[k][j]
    a, b, d = (Vector(*row) for row in turned)
    return Dyad((a, b, d)).transposed


def _each(factor: MatrixRotation, columns: Rows) -> Rows:
    a, b, c = map(factor.to_parent, columns)
    return a, b, c


def _transposed(columns: Rows) -> Rows:
    a, b, c = columns
    return Vector(a.x, b.x, c.x), Vector(a.y, b.y, c.y), Vector(a.z, b.z, c.z)
