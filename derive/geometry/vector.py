"""Three-vectors of expressions, in one Cartesian frame."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from eomc.derive.graph import ZERO, Expression, product_difference, product_sum

Scalar = Expression | int | float | Fraction


class Vector:
    """A 3-vector (x, y, z) with the algebra of mechanics: +, -, scaling, dot and cross product.

    Most entries of a mechanism are structural zeros; sums and scalings pass them by. Whoever holds
    a vector knows its frame; the vector does not carry it.
    """

    __slots__ = ("x", "y", "z")

    def __init__(self, x: Expression, y: Expression, z: Expression) -> None:
        self.x, self.y, self.z = x, y, z

    def __iter__(self) -> Iterator[Expression]:
        return iter((self.x, self.y, self.z))

    def __repr__(self) -> str:
        return f"Vector({self.x!r}, {self.y!r}, {self.z!r})"

    @property
    def is_zero(self) -> bool:
        """True if all three entries are structural zeros."""
        return self.x.is_zero and self.y.is_zero and self.z.is_zero

    @property
    def is_constant(self) -> bool:
        """True if all three entries are numbers."""
        return self.x.is_constant and self.y.is_constant and self.z.is_constant

    def __add__(self, other: Vector) -> Vector:
        a, b, c = other.x, other.y, other.z
        return Vector(
            self.x if a.node == ZERO else self.x + a,
            self.y if b.node == ZERO else self.y + b,
            self.z if c.node == ZERO else self.z + c,
        )

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y, -self.z)

    def __mul__(self, factor: Scalar) -> Vector:
        x, y, z = self.x, self.y, self.z
        return Vector(
            x if x.node == ZERO else x * factor,
            y if y.node == ZERO else y * factor,
            z if z.node == ZERO else z * factor,
        )

    __rmul__ = __mul__

    def dot(self, other: Vector) -> Expression:
        """Scalar product."""
        return product_sum((self.x, other.x), (self.y, other.y), (self.z, other.z))

    def cross(self, other: Vector) -> Vector:
        """Vector product self x other."""
        return Vector(
            product_difference(self.y, other.z, self.z, other.y),
            product_difference(self.z, other.x, self.x, other.z),
            product_difference(self.x, other.y, self.y, other.x),
        )

    def norm(self) -> Expression:
        """Euclidean length."""
        return self.dot(self).sqrt()

    def named(self, meaning: str) -> Vector:
        """Label the three entries ``meaning.x`` ...; returns itself."""
        for axis, entry in zip("xyz", (self.x, self.y, self.z), strict=True):
            entry.graph.label(entry.node, f"{meaning}.{axis}")
        return self


def unit(zero: Expression, axis: int) -> Vector:
    """Unit vector along coordinate axis 0, 1 or 2, on the graph of `zero`."""
    entries = [zero, zero, zero]
    entries[axis] = zero + 1
    return Vector(*entries)
