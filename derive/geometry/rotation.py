"""Rotations as sequences of plane and constant rotations.

``R_parent_child`` takes child coordinates to parent coordinates. A rotation is kept as the product
of its factors and applied one factor after the other: a plane rotation costs four multiplications
and two additions on a vector, a general matrix nine and six, and a constant signed permutation
nothing, because its products fold away.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub

from eomc.derive.geometry.vector import Vector
from eomc.derive.graph import Expression, product_difference, product_sum

Rows = tuple[Vector, Vector, Vector]


class Symmetric:
    """Symmetric 3x3 matrix by its six entries."""

    __slots__ = ("xx", "xy", "xz", "yy", "yz", "zz")

    def __init__(
        self,
        xx: Expression,
        yy: Expression,
        zz: Expression,
        xy: Expression,
        xz: Expression,
        yz: Expression,
    ) -> None:
        self.xx, self.yy, self.zz = xx, yy, zz
        self.xy, self.xz, self.yz = xy, xz, yz

    @property
    def entries(self) -> tuple[Expression, ...]:
        """(xx, yy, zz, xy, xz, yz)"""
        return (self.xx, self.yy, self.zz, self.xy, self.xz, self.yz)

    def __add__(self, other: Symmetric) -> Symmetric:
        return Symmetric(*map(add, self.entries, other.entries))

    def __sub__(self, other: Symmetric) -> Symmetric:
        return Symmetric(*map(sub, self.entries, other.entries))

    def __matmul__(self, v: Vector) -> Vector:
        return Vector(
            product_sum((self.xx, v.x), (self.xy, v.y), (self.xz, v.z)),
            product_sum((self.xy, v.x), (self.yy, v.y), (self.yz, v.z)),
            product_sum((self.xz, v.x), (self.yz, v.y), (self.zz, v.z)),
        )

    @property
    def is_zero(self) -> bool:
        """True if every entry is a structural zero."""
        return all(entry.is_zero for entry in self.entries)

    @property
    def is_constant(self) -> bool:
        """True if every entry is a number."""
        return all(entry.is_constant for entry in self.entries)

    @staticmethod
    def outer(a: Vector, b: Vector) -> Symmetric:
        """a b^T + b a^T"""
        return Symmetric(
            2 * (a.x * b.x),
            2 * (a.y * b.y),
            2 * (a.z * b.z),
            a.x * b.y + a.y * b.x,
            a.x * b.z + a.z * b.x,
            a.y * b.z + a.z * b.y,
        )

    @staticmethod
    def square(a: Vector, weight: Expression) -> Symmetric:
        """weight * a a^T"""
        return Symmetric.parallel(a, a * weight)

    @staticmethod
    def parallel(a: Vector, b: Vector) -> Symmetric:
        """a b^T of parallel vectors."""
        return Symmetric(a.x * b.x, a.y * b.y, a.z * b.z, a.x * b.y, a.x * b.z, a.y * b.z)


class MatrixRotation:
    """Rotation by its matrix, given by rows; structural zeros and ones cost nothing."""

    __slots__ = ("rows",)

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    @property
    def columns(self) -> Rows:
        """Child axes in parent coordinates."""
        a, b, c = self.rows
        return (Vector(a.x, b.x, c.x), Vector(a.y, b.y, c.y), Vector(a.z, b.z, c.z))

    def to_parent(self, v: Vector) -> Vector:
        """R v"""
        a, b, c = self.rows
        return Vector(a.dot(v), b.dot(v), c.dot(v))

    def to_child(self, v: Vector) -> Vector:
        """R^T v"""
        a, b, c = self.rows
        return Vector(
            product_sum((a.x, v.x), (b.x, v.y), (c.x, v.z)),
            product_sum((a.y, v.x), (b.y, v.y), (c.y, v.z)),
            product_sum((a.z, v.x), (b.z, v.y), (c.z, v.z)),
        )

    def congruence(self, s: Symmetric) -> Symmetric:
        """R S R^T"""
        x, y, z = (s @ row for row in self.rows)
        a, b, c = self.rows
        return Symmetric(a.dot(x), b.dot(y), c.dot(z), a.dot(y), a.dot(z), b.dot(z))


class PlaneRotation:
    """Rotation about a coordinate axis (x: 0, y: 1, z: 2) by an angle of given cosine and sine."""

    __slots__ = ("axis", "c", "s")

    def __init__(self, c: Expression, s: Expression, axis: int = 2) -> None:
        self.c, self.s = c, s
        self.axis = axis

    def to_parent(self, v: Vector) -> Vector:
        """R v"""
        x, y, z = self._plane_first(v)
        return self._in_place(
            product_difference(self.c, x, self.s, y), product_sum((self.s, x), (self.c, y)), z
        )

    def to_child(self, v: Vector) -> Vector:
        """R^T v"""
        x, y, z = self._plane_first(v)
        return self._in_place(
            product_sum((self.c, x), (self.s, y)), product_difference(self.c, y, self.s, x), z
        )

    def _plane_first(self, v: Vector) -> tuple[Expression, Expression, Expression]:
        """Components in cyclic order so that the axis comes last."""
        entries = (v.x, v.y, v.z)
        k = self.axis
        return entries[(k + 1) % 3], entries[(k + 2) % 3], entries[k]

    def _in_place(self, x: Expression, y: Expression, z: Expression) -> Vector:
        """The inverse of `_plane_first`."""
        cyclic = (x, y, z)
        k = self.axis
        return Vector(cyclic[(2 - k) % 3], cyclic[(3 - k) % 3], cyclic[(4 - k) % 3])

    def congruence(self, m: Symmetric) -> Symmetric:
        """R S R^T in ten operations for the 2x2 block and six for the (xz, yz) pair.

        About z: with e = s (S_xx - S_yy) + 2 c S_xy the block is S_xx - s e, S_yy + s e, c e -
        S_xy.
        """
        xx, yy, zz = self._plane_first(Vector(m.xx, m.yy, m.zz))
        yz, xz, xy = self._plane_first(Vector(m.yz, m.xz, m.xy))
        e = self.s * (xx - yy) + (2 * self.c) * xy
        shift = self.s * e
        diagonal = self._in_place(xx - shift, yy + shift, zz)
        mixed = self._in_place(
            self.s * xz + self.c * yz, self.c * xz - self.s * yz, self.c * e - xy
        )
        return Symmetric(diagonal.x, diagonal.y, diagonal.z, mixed.z, mixed.y, mixed.x)


class Rotation:
    """Product of rotation factors, outermost (parent side) first; empty is the identity."""

    __slots__ = ("factors",)

    def __init__(self, factors: Sequence[MatrixRotation | PlaneRotation] = ()) -> None:
        self.factors = tuple(factors)

    def __matmul__(self, other: Rotation) -> Rotation:
        return Rotation(self.factors + other.factors)

    def to_parent(self, v: Vector) -> Vector:
        """R v: child coordinates to parent coordinates."""
        for factor in reversed(self.factors):
            v = factor.to_parent(v)
        return v

    def to_child(self, v: Vector) -> Vector:
        """R^T v: parent coordinates to child coordinates."""
        for factor in self.factors:
            v = factor.to_child(v)
        return v

    def congruence(self, s: Symmetric) -> Symmetric:
        """R S R^T"""
        for factor in reversed(self.factors):
            s = factor.congruence(s)
        return s

    def columns(self, zero: Expression) -> Rows:
        """Child axes in parent coordinates."""
        one = zero + 1
        return (
            self.to_parent(Vector(one, zero, zero)),
            self.to_parent(Vector(zero, one, zero)),
            self.to_parent(Vector(zero, zero, one)),
        )

    def matrix(self, zero: Expression) -> MatrixRotation:
        """The product as one matrix."""
        a, b, c = self.columns(zero)
        return MatrixRotation((Vector(a.x, b.x, c.x), Vector(a.y, b.y, c.y), Vector(a.z, b.z, c.z)))
