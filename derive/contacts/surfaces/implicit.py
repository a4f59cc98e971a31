"""A surface f(x, y, z) = 0 in the axes of its body, f positive on the free side.

The algebraic gap g = f/|grad f| is the distance to first order at f = 0 only. The force acts along
grad g, which is the unit normal where g = 0, so that its work is that of the gap everywhere.

The distance from y is that to the nearest point x, with

    y - x = l grad f(x),    f(x) = 0

solved by a fixed number of steps: to the nearest points of quadrics, then by Newton's method. What
does not converge so, or is no least distance, as beyond a centre of curvature, gives a return code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy

from eomc.derive.contacts.shapes.shape import Shape, Site
from eomc.derive.contacts.surfaces.common_normal import on_level
from eomc.derive.contacts.surfaces.nearest_on_level import Quadric, least_at, onto, solved
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance
from eomc.derive.fields.field import Number, choice, number, point
from eomc.derive.fields.scope import PARAMETERS
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene

#: Constants and the place in the axes of the body, from the point that is given.
LEVEL = PARAMETERS.with_own("surface", "x", "y", "z")

#: By quadrics, and of Newton's method after them, before the two that are differentiated.
ROUNDS = 4
STEPS = 4
_CONVERGED = 1e-9


@kind("implicit")
class Implicit(Surface):
    """The zeros of an expression that is positive on the free side."""

    at: Any = point("origin of x, y, z")
    expression: Number = number("", "f(x, y, z)", scope=LEVEL)
    gap: str = choice("algebraic", "distance", default="algebraic")

    def touch(self, scene: Scene, site: Site) -> Touch:
        """At the centre, less the radius."""
        carrier = self.carrier(scene)
        _, rotation, _ = scene.tree.pose_of[self.at.body]
        away = carrier.axes.to_child(site.centre.position - carrier.position)
        level = _LevelFunction(scene, sympy.sympify(self.expression))
        place = rotation.to_child(away)
        found = self._distance(level, place) if self.gap == "distance" else level.algebraic(place)
        distance, slopes = found
        normal = carrier.axes.to_parent(rotation.to_parent(slopes))
        return replace(from_distance(site, distance, normal), is_distance=self.gap == "distance")

    def check_convex(self, shape: Shape) -> None:
        """By the nearest point alone."""
        if self.gap != "distance":
            raise ModelError(
                f'a {shape.word} meets the nearest point of a surface; give gap = "distance", or '
                "a point, sphere, capsule or box"
            )

    def touch_convex(self, scene: Scene, site: Site) -> Touch:
        """On a common normal; of a ring its outline, filled."""
        carrier, level = self.carrier(scene), _LevelFunction(scene, sympy.sympify(self.expression))
        rotation = scene.tree.pose_of[self.at.body][1]

        def f(place: Vector) -> Expression:
            away = carrier.axes.to_child(place - carrier.position)
            return level.at(level.f, rotation.to_child(away))

        return Touch(*on_level(site, f, self.code))

    def _distance(self, level: _LevelFunction, place: Vector) -> tuple[Expression, Vector]:
        """With its sign, and the normal at the nearest point."""
        x, scale, error, first = level.nearest(place)
        away = place - x
        size = away.dot(away) + scale * scale
        holds = size * _CONVERGED**2 - error
        steep = level.slope(x).norm()
        # Rounding of the two distances is no way further.
        nearer = (first * (1 + _CONVERGED) + _CONVERGED) - away.norm()
        for condition in (nearer, *least_at(level.quadric, x, scale * steep)):
            holds = holds.binary("min", condition)
        held = holds.required(self.code)
        x, scale = Vector(*(entry.frozen_unless(held) for entry in x)), scale.frozen_unless(held)
        for _ in range(2):
            step, change = level.improvement(place, x, scale)
            x, scale = x + step, scale + change
        normal = level.slope(x)
        steep = normal.norm()
        return scale * steep, normal * (1 / steep)


@dataclass(frozen=True, eq=False)
class _LevelFunction:
    """f and its derivatives on the graph."""

    scene: Scene
    f: sympy.Expr

    def at(self, expression: sympy.Expr, place: Vector) -> Expression:
        """An expression in x, y, z at a place."""
        return self.scene.scalar(expression, dict(zip("xyz", place, strict=True)))

    def slope(self, place: Vector) -> Vector:
        """grad f"""
        return Vector(*(self.at(self.f.diff(s), place) for s in _XYZ))

    def algebraic(self, place: Vector) -> tuple[Expression, Vector]:
        """f/|grad f| and its gradient."""
        steep = sympy.sqrt(sum(self.f.diff(s) ** 2 for s in _XYZ))
        gap = self.f / steep
        return self.at(gap, place), Vector(*(self.at(gap.diff(s), place) for s in _XYZ))

    def quadric(self, place: Vector) -> Quadric:
        """f and its first two derivatives at a place."""
        bend = [Vector(*(self.at(self.f.diff(s, r), place) for r in _XYZ)) for s in _XYZ]
        return Quadric(self.at(self.f, place), self.slope(place), bend)

    def nearest(self, y: Vector) -> tuple[Vector, Expression, Expression, Expression]:
        """x and l by quadrics and then by Newton's method, the square of the last step of x, and
        the distance of the first point that was found on the level, with what it is off it."""
        x, first = y, y.x * 0
        scale = first
        for k in range(ROUNDS):
            x, scale = onto(self.quadric, x, y, scale)
            if k == 0:
                off = self.at(self.f, x) / self.slope(x).norm()
                first = (y - x).norm() + 2 * off.unary("abs")
        g = self.slope(x)
        scale, error = g.dot(y - x) / g.dot(g), y.x * 0
        for _ in range(STEPS):
            step, change = self.improvement(y, x, scale)
            x, scale, error = x + step, scale + change, step.dot(step)
        return x, scale, error, first

    def improvement(self, y: Vector, x: Vector, scale: Expression) -> tuple[Vector, Expression]:
        """dx and dl of (1 + l H) dx + g dl = y - x - l g, g.dx = -f."""
        g, f = self.slope(x), self.at(self.f, x)
        columns = [
            Vector(*(self.at(self.f.diff(s, r), x) * scale + (1 if r == s else 0) for r in _XYZ))
            for s in _XYZ
        ]
        left = solved(columns, y - x - g * scale)
        along = solved(columns, g)
        change = (f + g.dot(left)) / g.dot(along)
        return left - along * change, change


_XYZ = sympy.symbols("x y z")
