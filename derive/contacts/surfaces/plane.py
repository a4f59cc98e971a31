"""A plane n.x = d: every convex shape meets it by its support function."""

from __future__ import annotations

from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch
from eomc.derive.fields.field import Direction, direction
from eomc.derive.geometry import Vector
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.scene.loads import Scene


@kind("plane")
class Plane(Surface):
    """The plane through a point, with its normal to the free side."""

    takes_round = False
    is_rolled_on = True

    normal: Direction = direction("to the free side, in its body", of="at", default=(0, 0, 1))

    def touch(self, scene: Scene, site: Site) -> Touch:
        """gap = n.(c - o) - h(n)."""
        n = scene.direction(self.at.body, unit_vector(self.normal, "normal"))
        h, arm = site.support(n)
        gap = n.dot(site.centre.position - self.carrier(scene).position) - h
        return Touch(gap, n, site.centre.position + arm)

    def tangents(self, scene: Scene) -> tuple[Vector, Vector]:
        """As of a planar joint."""
        first, second = normal_directions(unit_vector(self.normal, "normal"))
        body = self.at.body
        return scene.direction(body, first), scene.direction(body, second)
