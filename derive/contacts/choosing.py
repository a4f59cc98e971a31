"""Choices on the graph: of numbers, vectors and touches, by what is above zero or largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression

if TYPE_CHECKING:
    from eomc.derive.contacts.surfaces.surface import Touch

Choices = Sequence[Expression]


def either(above: Expression, yes: Expression, no: Expression) -> Expression:
    """The first where something is above zero."""
    return (above * 0).if_less(above, yes, no)


def vector_of(above: Expression, yes: Vector, no: Vector) -> Vector:
    """The first where something is above zero."""
    return Vector(*(either(above, a, b) for a, b in zip(yes, no, strict=True)))


def touch_of(above: Expression, yes: Touch, no: Touch) -> Touch:
    """The first where something is above zero."""
    return replace(
        yes,
        gap=either(above, yes.gap, no.gap),
        normal=vector_of(above, yes.normal, no.normal),
        point=vector_of(above, yes.point, no.point),
    )


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
