"""Surfaces of revolution: nearest points by one unknown, the place x along the axis e.

The point at x and at the unit vector a across the axis is C = c + x e + r(x) a, and a normal there
is N = a - r' e. Of a place the nearest point is in the plane of the place and the axis
(`eomc.derive.contacts.profiles`), of a plane of normal n the lowest one is at a = -w/|w|,
w = n - e(e.n). Seen along a line of direction d the outline is where N.d = 0,

    a.d = r' e.d

which tells a, and N and C so depend on x alone: the locus of contact of wheels on rails. Reference:
Li and Shabana, *Wheel/rail contact by the trace of a conical surface*; Wang, *The track of
wheel contact points and the calculation of wheel/rail geometric contact parameters* (1984).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from eomc.derive.contacts.profiles.profile import Curve, nearest
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression

_FLAT = 1e-7
"""delta near which a normal counts as along the axis."""
_ALONG = 1e-6
"""Sine of the angle between axis and line below which there is no outline."""
_LEAST = 1e-12


@dataclass(frozen=True, eq=False)
class Turned:
    """Centre and unit axis in the world, and the radius over the way along it."""

    centre: Vector
    axis: Vector
    curve: Curve

    def support(self, n: Vector) -> tuple[Expression, Vector]:
        """h, and from the centre to the lowest point along the unit vector n."""
        e = self.axis
        s, w = e.dot(n), n - e * e.dot(n)
        c = (w.dot(w) + _FLAT * _FLAT).sqrt()

        def value(x: Expression) -> Expression:
            return x * s - self.curve.at(x)[0] * c

        def condition(x: Expression) -> tuple[Expression, Expression]:
            _, slope, bend = self.curve.at(x)
            return s - slope * c, -(bend * c)

        x = self.curve.least(value, condition)
        r = self.curve.at(x)[0]
        return r * c - x * s, e * x - w * (r / c)

    def from_place(self, place: Vector) -> tuple[Expression, Vector]:
        """Distance of a place from it, negative inside, and the unit normal towards the place."""
        e, away = self.axis, place - self.centre
        z = e.dot(away)
        across = away - e * z
        rho = (across.dot(across) + _LEAST * _LEAST).sqrt()
        distance, along, out, _, _ = nearest(self.curve, z, rho)
        return distance, e * along + across * (out / rho)

    def outline(
        self, away: Vector, d: Vector
    ) -> Callable[[Expression], tuple[Vector, Vector, Vector, Vector]]:
        """C - c, its derivative, N and its derivative at x, on the side that looks `away`, of what
        is seen along the unit vector d."""
        e = self.axis
        b = e.cross(d)
        sine = ((b.dot(b) - _ALONG * _ALONG).required(self.curve.code) + _ALONG * _ALONG).sqrt()
        share = e.dot(d)
        first, side = (d - e * share) * (1 / sine), b.dot(away)
        second, lean = b * (side.if_less(0, -1 / sine, 1 / sine)), share / sine

        def at(x: Expression) -> tuple[Vector, Vector, Vector, Vector]:
            r, slope, bend = self.curve.at(x)
            cosine, turned = lean * slope, lean * bend
            rest = (1 - cosine * cosine).binary("max", r * 0 + _LEAST).sqrt()
            a = first * cosine + second * rest
            a_rate = first * turned - second * (cosine * turned / rest)
            return (e * x + a * r, e + a * slope + a_rate * r, a - e * slope, a_rate - e * bend)

        return at

    def from_line(
        self, away: Vector, across: tuple[Vector, Vector]
    ) -> tuple[Expression, Vector, Vector]:
        """Distance from a line, `away` from the centre to one of its points, the unit normal
        towards it, and from the centre to the nearest point; `across` are two unit directions."""
        d = across[0].cross(across[1])
        at, sign = self.outline(away, d), self.side(away, d)

        def square(x: Expression) -> Expression:
            w = away - at(x)[0]
            u, v = (w.dot(t) for t in across)
            return u * u + v * v

        def condition(x: Expression) -> tuple[Expression, Expression]:
            point, moved, normal, turned = at(x)
            w, tangent = away - point, d.cross(normal) * sign
            return -w.dot(tangent), moved.dot(tangent) - w.dot(d.cross(turned)) * sign

        x = self.curve.least(square, condition, has_ends=False)
        point, _, normal, _ = at(x)
        n = normal * (1 / normal.norm())
        return n.dot(away - point), n, point

    def side(self, away: Vector, d: Vector) -> Expression:
        """1 or -1: d x N goes along the outline, or against it, as x grows."""
        side = self.axis.cross(d).dot(away)
        return side.if_less(0, side * 0 - 1, side * 0 + 1)
