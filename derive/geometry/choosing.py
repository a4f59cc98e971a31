"""Choices on the graph: of numbers and vectors, by what is above zero or largest."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry.vector import Vector
from eomc.derive.graph import Expression

Choices = Sequence[Expression]


def either(above: Expression, yes: Expression, no: Expression) -> Expression:
    """The first where something is above zero."""
    return (above * 0).if_less(above, yes, no)


def vector_of(above: Expression, yes: Vector, no: Vector) -> Vector:
    """The first where something is above zero."""
    return Vector(*(either(above, a, b) for a, b in zip(yes, no, strict=True)))


def largest(keys: Sequence[Expression], rows: Sequence[Choices]) -> tuple[Expression, Choices]:
    """The largest key, and the row beside it: the first of those that are equal."""
    best, found = keys[0], rows[0]
    for key, row in zip(keys[1:], rows[1:], strict=True):
        # A maximum of equal keys would change as the last of them.
        found = [either(key - best, a, b) for a, b in zip(row, found, strict=True)]
        best = either(key - best, key, best)
    return best, found


def sign(x: Expression) -> Expression:
    """1 or -1."""
    return x.if_less(0, x * 0 - 1, x * 0 + 1)


def absolute(x: Expression) -> Expression:
    """|x|, which changes at zero as `sign` says: a gap changes as along the normal of that sign."""
    return x.if_less(0, -x, x)
