"""A profile z = g(y) along a straight line, free above it: rails, channels, corrugated floors.

With p = y + g' z along the profile and the normal n = (z - g' y)/|p|, what is convex touches where
the point that is lowest along n is beside the place of n,

    (c + arm(n) - P(y)).p = 0,

and what is turned where its normal N(x), of its outline along the rail, is across the profile, too:

    N(x).p(y) = 0,    (C(x) - P(y)).p(y) = 0

from the place of least height above the rail.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eomc.derive.contacts.profiles.profile import (
    Curve,
    OfProfile,
    ProfileField,
    check_profile,
    nearest,
)
from eomc.derive.contacts.shapes.oval import Oval
from eomc.derive.contacts.shapes.shape import Site, triad
from eomc.derive.contacts.shapes.turned import Turned
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance
from eomc.derive.fields.field import Direction, OptionalNumber, direction, number, of_kind
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import either
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene

_STEPS = 5
_BESIDE = 1e9
"""Height of a place that is beside the rail."""
_SETTLED = 1e-6


@kind("extruded")
class Extruded(Surface):
    """The cylinder over a profile: height `profile` along `normal` at x across `axis`."""

    is_rolled_on = True

    profile: OfProfile = of_kind(ProfileField("height at x, an expression or rows [x, z]", "m"))
    axis: Direction = direction("along it, in its body", of="at", default=(1, 0, 0))
    normal: Direction = direction("to the free side", of="at", default=(0, 0, 1))
    lower: OptionalNumber = number("m", "least x, that of the table if left out", default=None)
    upper: OptionalNumber = number("m", "largest x", default=None)

    def touch(self, scene: Scene, site: Site) -> Touch:
        """From the nearest point of the profile."""
        rail = self._section(scene)
        y, z = rail.place(site.centre.position)
        distance, n, m, _, _ = nearest(rail.curve, y, z)
        return from_distance(site, distance, rail.across * n + rail.up * m)

    def touch_convex(self, scene: Scene, site: Site) -> Touch:
        """On a common normal."""
        rail, centre = self._section(scene), site.centre.position
        if site.turned is not None:
            return rail.under_turned(site.turned)
        assert site.oval is not None
        return rail.under_oval(site.oval, centre)

    def along(self, scene: Scene, normal: Vector) -> tuple[Vector, Vector]:
        """Along it, and across."""
        d = scene.direction(self.at.body, triad(self.normal, self.axis)[0])
        return d, normal.cross(d)

    def _section(self, scene: Scene) -> _RailSection:
        d, across, up = (scene.direction(self.at.body, e) for e in triad(self.normal, self.axis))
        return _RailSection(self.carrier(scene).position, d, across, up, Curve.of(scene, self))

    def check(self, values: Mapping[str, float]) -> None:
        """A range."""
        check_profile(self, values)


@dataclass(frozen=True, eq=False)
class _RailSection:
    """A rail in the world: a point, unit vectors along it, across and up, and its profile."""

    origin: Vector
    axis: Vector
    across: Vector
    up: Vector
    curve: Curve

    def place(self, point: Vector) -> tuple[Expression, Expression]:
        """Coordinates across and up."""
        away = point - self.origin
        return self.across.dot(away), self.up.dot(away)

    def touch(self, y: Expression, point: Vector) -> Touch:
        """Of the shape's point on the normal at y."""
        height, slope, _ = self.curve.at(y)
        normal = (self.up - self.across * slope) * (1 / (1 + slope * slope).sqrt())
        return Touch(
            normal.dot(point - self.origin - self.across * y - self.up * height), normal, point
        )

    def under_oval(self, oval: Oval, centre: Vector) -> Touch:
        """By the place y of the rail."""

        def at(y: Expression) -> tuple[Vector, Vector, Vector]:
            """n, p and the lowest point along n."""
            slope = self.curve.at(y)[1]
            n = (self.up - self.across * slope) * (1 / (1 + slope * slope).sqrt())
            return n, self.across + self.up * slope, centre - oval.support(n)[1]

        def off(y: Expression) -> tuple[Expression, Expression]:
            a, b = self.place(at(y)[2])
            return y - a, self.curve.at(y)[0] - b

        def square(y: Expression) -> Expression:
            a, b = off(y)
            return a * a + b * b

        def condition(y: Expression) -> tuple[Expression, Expression]:
            (n, p, _), (_, slope, bend), (a, b) = at(y), self.curve.at(y), off(y)
            steep = 1 + slope * slope
            turn = p * (-bend / (steep * steep.sqrt()))
            return a + slope * b, steep + bend * b + oval.turned(n, turn).dot(p)

        y = self.curve.least(square, condition, has_ends=False)
        return self.touch(y, at(y)[2])

    def under_turned(self, wheel: Turned) -> Touch:
        """By the places x of the wheel and y of the rail."""
        outline, sign = wheel.outline(-self.up, self.axis), wheel.side(-self.up, self.axis)

        def height(x: Expression) -> Expression:
            y, z = self.place(wheel.centre + outline(x)[0])
            over = z - self.curve.at(y)[0]
            return either(self.curve.room(y), over, over * 0 + _BESIDE)

        def condition(x: Expression) -> tuple[Expression, Expression]:
            point, moved, normal, turned = outline(x)
            _, slope, bend = self.curve.at(self.place(wheel.centre + point)[0])
            n, by_slope = self.up - self.across * slope, self.across.dot(moved) * bend
            along, turning = (self.axis.cross(v) * sign for v in (normal, turned))
            return n.dot(along), n.dot(turning) - by_slope * self.across.dot(along)

        def step(x: Expression, y: Expression) -> tuple[Expression, Expression]:
            point, moved, normal, turned = outline(x)
            level, slope, bend = self.curve.at(y)
            p, (a, b) = self.across + self.up * slope, self.place(wheel.centre + point)
            a, b = a - y, b - level
            f, g = normal.dot(p), a + b * slope
            fx, fy = turned.dot(p), normal.dot(self.up) * bend
            gx, gy = moved.dot(p), b * bend - 1 - slope * slope
            det = fx * gy - fy * gx
            return x + (fy * g - gy * f) / det, y + (gx * f - fx * g) / det

        x = wheel.curve.least(height, condition, has_ends=False)
        y, change = self.place(wheel.centre + outline(x)[0])[0], x * 0
        for _ in range(_STEPS):
            (x, y), last = step(x, y), x
            change = x - last
        holds = self.curve.room(y).binary("min", wheel.curve.room(x))
        size = (wheel.curve.upper - wheel.curve.lower) * _SETTLED
        held = holds.binary("min", size * size - change * change).required(self.curve.code)
        x, y = x.frozen_unless(held), y.frozen_unless(held)
        for _ in range(2):
            x, y = step(x, y)
        return self.touch(y, wheel.centre + outline(x)[0])
