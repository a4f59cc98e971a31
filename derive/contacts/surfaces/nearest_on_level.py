"""Points of a level f = 0 that are nearest to places, and ovals that are nearest to it.

About x, with the slope g and the second derivatives A of f there, the nearest zero of

    f + g.d + d^T A d/2

to y is x + d with (1 + l A) d = y - x - l g, of the least |l|. Newton's method finds this one
unknown from l = 0, for a function of it that is straight for a sphere: one round leads to the
nearest point of a quadric from near and far, further rounds to that of other levels.

Of an ellipsoid p = c + B v, |v| = 1, the distance s of p from the level has the slopes B^T n and
second derivatives B^T F B, F = S (1 + s S)^-1 of the shape operator S. With its convex bound

    (B^T F B + |B^T n|) dv = -(1 - v v^T) B^T n,    v <- (v + dv)/|v + dv|

goes down from all sides and ends in Newton's method, as v = -B^T n/|B^T n| at the end. References:
Eberly, *Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid*; Absil, Mahony and
Sepulchre, *Optimization Algorithms on Matrix Manifolds*, chapter 6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eomc.derive.contacts.shapes.oval import Oval
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression

#: For l; settles ellipsoids of aspect 100 from places ten times their size away.
_MULTIPLIER_STEPS = 8
_ROUNDS = 21
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Quadric:
    """f, its slope, and its second derivatives by columns, at a place."""

    f: Expression
    slope: Vector
    bend: Sequence[Vector]

    def bent(self, v: Vector) -> Vector:
        """A v"""
        return _times(self.bend, v)

    @property
    def normal(self) -> Vector:
        """Unit normal to the free side."""
        return self.slope * (1 / self.slope.norm())

    def turning(self) -> list[Vector]:
        """S by columns, in space: n turns by S t along t."""
        n, steep = self.normal, 1 / self.slope.norm()
        found = []
        for e in units(self.f * 0):
            t = self.bent(e - n * n.dot(e))
            found.append((t - n * n.dot(t)) * steep)
        return found


Level = Callable[[Vector], Quadric]


def onto(
    level: Level, x: Vector, y: Vector, scale: Expression | None = None
) -> tuple[Vector, Expression]:
    """The point nearest to y of the level's quadric about x, and its l; `scale` is where the search
    for l begins, from below it."""
    at = level(x)
    zero, away = at.f * 0, y - x
    if scale is None:
        scale = zero
    for _ in range(_MULTIPLIER_STEPS):
        matrix = [e + at.bent(e) * scale for e in units(zero)]
        d = solved(matrix, away - at.slope * scale)
        slope = at.slope + at.bent(d)
        value = at.f + (at.slope + slope).dot(d) / 2
        along = solved(matrix, slope)
        fall, bend = slope.dot(along), along.dot(at.bent(along))
        # On a parabola along the way f + C falls as 1/(l + const)^2, with -C its least value.
        drop = fall * fall / (2 * zero.if_less(bend, bend, zero + 1))
        rest = zero.if_less(bend, drop - value, zero)
        ratio = zero.if_less(rest, drop / zero.if_less(rest, rest, zero + 1), zero + 1)
        curved = 2 * drop * (ratio.sqrt() - 1)
        scale = scale + zero.if_less(rest, curved, value) / fall
    matrix = [e + at.bent(e) * scale for e in units(zero)]
    return x + solved(matrix, away - at.slope * scale), scale


def oval_towards(level: Level, centre: Vector, oval: Oval) -> tuple[Vector, Expression, Expression]:
    """The point of the level nearest to an oval, the gap there, and that
    at the start, which none may exceed."""
    columns = [e * size for e, size in zip(oval.axes, oval.sizes, strict=True)]
    x, scale = onto(level, centre, centre)
    v = _unit(_shares(columns, level(x).slope)) * -1
    first = v.x * 0
    for k in range(_ROUNDS):
        p = centre + _times(columns, v)
        x, scale = onto(level, x, p)
        at = level(x)
        n = at.normal
        s = n.dot(p - x)
        if k == 0:
            size = columns[0].norm() + columns[1].norm() + columns[2].norm() + s.unary("abs")
            far = (s * 0).if_less(level(p).f, (p - x).norm(), s)
            first = far + 2 * (at.f / at.slope.norm()).unary("abs") + size * _ROUNDING
        # Far away the distance is flatter than near the level: every third step allows for that.
        v = _unit(v + _descent(columns, v, at, s.binary("max", s * 0) if k % 3 == 2 else s * 0))
    p = centre + _times(columns, v)
    for _ in range(2):
        x, scale = onto(level, x, p, scale)
    s = level(x).normal.dot(p - x)
    return x, s - oval.tube, first - oval.tube


def _descent(columns: Sequence[Vector], v: Vector, at: Quadric, s: Expression) -> Vector:
    """dv"""
    q = _shares(columns, at.normal)
    load = q.norm()
    bent = _second(columns, at, s)
    matrix = []
    for e in units(s * 0):
        along = _times(bent, e - v * v.dot(e))
        matrix.append(along - v * v.dot(along) + e * load)
    return solved(matrix, v * v.dot(q) - q)


def _second(columns: Sequence[Vector], at: Quadric, s: Expression) -> list[Vector]:
    """B^T F B by columns."""
    turning = at.turning()
    matrix = [e + t * s for e, t in zip(units(s * 0), turning, strict=True)]
    return [_shares(columns, solved(matrix, _times(turning, c))) for c in columns]


def least_at(
    level: Level, x: Vector, s: Expression, columns: Sequence[Vector] = ()
) -> list[Expression]:
    """Expressions above zero where x is nearest to a place at the distance s along its normal, and
    that place the nearest one of the ellipsoid with these columns of B."""
    at = level(x)
    zero = s * 0
    found = _inner([e + t * s for e, t in zip(units(zero), at.turning(), strict=True)], zero + 1)
    if columns:
        q = _shares(columns, at.normal)
        load, v = q.norm(), _unit(q)
        bent, matrix = _second(columns, at, s), []
        for e in units(zero):
            along = _times(bent, e - v * v.dot(e))
            matrix.append(along - v * v.dot(along) + e * load)
        found += _inner(matrix, load)
    return found


def _inner(matrix: Sequence[Vector], known: Expression) -> list[Expression]:
    """Sum and product of the other two eigenvalues of a matrix by their known one, one at rest."""
    a, b, c = matrix
    rest = (a.x + b.y + c.z - known) / known
    return [rest, a.dot(b.cross(c)) / (known * known * known)]


def units(zero: Expression) -> list[Vector]:
    """x, y, z"""
    return [Vector(*(zero + int(i == k) for i in range(3))) for k in range(3)]


def solved(columns: Sequence[Vector], right: Vector) -> Vector:
    """x of A x = right of a matrix by its three columns, by Cramer's rule."""
    a, b, c = columns
    det = a.dot(b.cross(c))
    x, y, z = right.dot(b.cross(c)), a.dot(right.cross(c)), a.dot(b.cross(right))
    return Vector(x / det, y / det, z / det)


def _times(columns: Sequence[Vector], v: Vector) -> Vector:
    a, b, c = columns
    return a * v.x + b * v.y + c * v.z


def _shares(columns: Sequence[Vector], v: Vector) -> Vector:
    a, b, c = columns
    return Vector(a.dot(v), b.dot(v), c.dot(v))


def _unit(v: Vector) -> Vector:
    return v * (1 / v.norm())
