"""A surface f(x, y, z) = 0 in the axes of its body, by the algebraic gap g = f/|grad f|.

It is the distance to first order at f = 0 only. The force acts along grad g, which is the unit
normal where g = 0, so that its work is that of the gap everywhere.
"""

from __future__ import annotations

from dataclasses import replace

import sympy

from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, surface
from eomc.derive.elements.fields import AtPoint, Number, number, point
from eomc.derive.elements.scope import PARAMETERS
from eomc.derive.geometry import Vector
from eomc.derive.scene.loads import Scene

#: Constants and the place in the axes of the body, from the point that is given.
LEVEL = PARAMETERS.with_own("surface", "x", "y", "z")


@surface("implicit")
class Implicit(Surface):
    """The zeros of an expression that is positive on the free side."""

    implicit: AtPoint = point("origin of x, y, z")
    expression: Number = number("", "f(x, y, z)", scope=LEVEL)

    def touch(self, scene: Scene, site: Site) -> Touch:
        """f/|grad f| at the centre, less the radius."""
        x = sympy.symbols("x y z")
        f = sympy.sympify(self.expression)
        steep = sympy.sqrt(sum(f.diff(s) ** 2 for s in x))
        carrier = self.carrier(scene)
        _, rotation, _ = scene.tree.pose_of[self.place.body]
        away = carrier.axes.to_child(site.centre.position - carrier.position)
        at = dict(zip("xyz", rotation.to_child(away), strict=True))
        distance = scene.scalar(f / steep, at)
        slopes = Vector(*(scene.scalar((f / steep).diff(s), at) for s in x))
        normal = carrier.axes.to_parent(rotation.to_parent(slopes))
        return replace(from_distance(site, distance, normal), is_distance=False)
