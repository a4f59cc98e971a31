"""Three-vectors of expressions, in one Cartesian frame."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from eomc.derive.graph import Expression

Scalar = Expression | int | float | Fraction


class Vector:
    """A 3-vector (x, y, z) with the algebra of mechanics: +, -, scaling, dot and cross product.

    Whoever holds a vector knows its frame; the vector does not carry it.
    """

    __slots__ = ("x", "y", "z")

    def __init__(self, x: Expression, y: Expression, z: Expression) -> None:
        self.x, self.y, self.z = x, y, z

    def __iter__(self) -> Iterator[Expression]:
        yield self.x
        yield self.y
        yield self.z

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
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y, -self.z)

    def __mul__(self, factor: Scalar) -> Vector:
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    __rmul__ = __mul__

    def dot(self, other: Vector) -> Expression:
        """Scalar product."""
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vector) -> Vector:
        """Vector product self x other."""
        return Vector(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def norm(self) -> Expression:
        """Euclidean length."""
        return self.dot(self).sqrt()

    def named(self, meaning: str) -> Vector:
        """Label the three entries ``meaning.x`` ...; returns itself."""
        for axis, entry in zip("xyz", self, strict=True):
            entry.named(f"{meaning}.{axis}")
        return self


def unit(zero: Expression, axis: int) -> Vector:
    """Unit vector along coordinate axis 0, 1 or 2, on the graph of `zero`."""
    entries = [zero, zero, zero]
    entries[axis] = zero + 1
    return Vector(*entries)
