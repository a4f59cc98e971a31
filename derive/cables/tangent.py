"""The straight part of a cable between two circles of one plane; a point is a circle of radius 0.

With d = c2 - c1 = (dx, dy), D^2 = d.d, senses s = +1 or -1 and k = s1 r1 - s2 r2, |k| < D:

    l  = sqrt(D^2 - k^2)
    e1 = (dx l + k dy, dy l - k dx)/D^2            from the first circle to the second
    e2 = e1 turned by +90 degrees                  tangent points c1 + s1 r1 e2, c2 + s2 r2 e2
    d = l e1 + k e2,   dl/dd = d/l,   dgamma/dd = e2/l

gamma is the angle of e1. No angle is computed here, so that many turns make no jump. Where circles
overlap so far that no tangent exists l^2 is not above zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph import Expression


@dataclass(frozen=True, eq=False)
class Tangent:
    """Length l, direction e1 = (cos gamma, sin gamma), and l^2."""

    length: Expression
    cos: Expression
    sin: Expression
    square: Expression


def tangent(dx: Expression, dy: Expression, k: Expression) -> Tangent:
    """The tangent from the circle at the origin to that at (dx, dy), with k = s1 r1 - s2 r2."""
    square = dx * dx + dy * dy
    if k.is_zero:
        length = square.sqrt()
        return Tangent(length, dx / length, dy / length, square)
    rest = square - k * k
    length = rest.sqrt()
    return Tangent(length, (dx * length + k * dy) / square, (dy * length - k * dx) / square, rest)


def angle(sin: Expression, cos: Expression, near: Expression | None) -> Expression:
    """The angle of (cos, sin) that is within half a turn of `near`, or of 0.

    n + atan2(sin(gamma - n), cos(gamma - n)): the slope does not depend on n, so that n alone
    counts turns.
    """
    if near is None:
        return sin.binary("atan2", cos)
    s, c = near.unary("sin"), near.unary("cos")
    return (sin * c - cos * s).binary("atan2", cos * c + sin * s) + near


def wrap(arriving: Tangent, leaving: Tangent, sense: int, near: Expression) -> Expression:
    """Angle through which a cable turns on a pulley, within half a turn of `near`.

    Both tangents point away from the pulley; `sense` is +1 if the cable turns counter-clockwise.
    """
    # From -e1 of the side on which it arrives to e1 of that on which it leaves.
    cos = -(arriving.cos * leaving.cos + arriving.sin * leaving.sin)
    sin = sense * (arriving.sin * leaving.cos - arriving.cos * leaving.sin)
    return angle(sin, cos, near)
