"""Surfaces that shapes meet: one record a kind, one file a kind.

A surface tells of a site of a shape the gap, positive apart, the unit normal from the surface to
the shape, and the point of the shape that touches. Where the gap is a true distance its rate is the
normal velocity of the material points there,

    d gap/dt = n . (v_shape - v_surface)

as turning the normal about the point of contact changes no distance: of a plane by the envelope
property of the support function, of a ball as it turns about its own centre.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from eomc.derive.contacts.shapes.shape import Shape, Site
from eomc.derive.fields.field import point, record
from eomc.derive.fields.part import Part
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import either, vector_of
from eomc.derive.graph import Expression
from eomc.derive.language.registry import Registry
from eomc.derive.scene.loads import BodyPoint, Scene

__all__ = ["SURFACES", "Surface", "Touch", "from_distance", "radial", "touch_of"]

#: Every kind by its word.
SURFACES: Registry[type[Surface]] = Registry("surface", "eomc.derive.contacts.surfaces")


@dataclass(frozen=True, eq=False)
class Touch:
    """Gap [m], its gradient by the place of the shape, and the shape's point of contact, in world
    axes. The gradient is the unit normal if the gap is a distance."""

    gap: Expression
    normal: Vector
    point: Vector
    is_distance: bool = True


@record
class Surface(Part):
    """A surface that a shape meets, fixed on a body or on the world."""

    kinds = SURFACES

    at: Any = point("one of its points, or its centre", turned=True)

    #: True if only balls and ovals may meet it.
    takes_round: ClassVar[bool] = True
    #: True if shapes may roll on it: `along` tells directions that are defined everywhere.
    is_rolled_on: ClassVar[bool] = False

    def touch(self, scene: Scene, site: Site) -> Touch:
        """Gap, normal and point of contact of a site that it meets."""
        raise NotImplementedError

    def check_convex(self, shape: Shape) -> None:
        """Raise `ModelError` if what was given is of other shapes alone."""

    def touch_convex(self, scene: Scene, site: Site) -> Touch:
        """Gap, normal and point of contact of an oval, if there is a form for that."""
        raise NotImplementedError

    @property
    def code(self) -> str:
        """Return code of functions where no nearest point is found."""
        return "no_nearest_point_on_" + re.sub(r"\W", "_", self.at.body)

    def tangents(self, scene: Scene) -> tuple[Vector, Vector] | None:
        """Directions of the surface in world axes that stay with it; None if it is curved."""
        return None

    def meet(self, scene: Scene, site: Site) -> Touch:
        """Gap, normal and point of contact of a site, ball or oval."""
        convex = self.takes_round and site.radius is None
        return (self.touch_convex if convex else self.touch)(scene, site)

    def along(self, scene: Scene, normal: Vector) -> tuple[Vector, Vector] | None:
        """Two directions along it where its normal is given; None if there are none."""
        return self.tangents(scene)

    def carrier(self, scene: Scene) -> BodyPoint:
        """Its point on the graph."""
        return scene.point(self.at.body, self.at.xyz)


def from_distance(site: Site, distance: Expression, normal: Vector) -> Touch:
    """Of a ball whose centre is at a distance from the surface along its normal."""
    assert site.radius is not None
    return Touch(distance - site.radius, normal, site.centre.position - normal * site.radius)


def radial(away: Vector, radius: Expression, inside: bool) -> tuple[Expression, Vector]:
    """Distance and normal of a place `away` from the middle of something round."""
    size = away.norm()
    if inside:
        return radius - size, away * (-1 / size)
    return size - radius, away * (1 / size)


def touch_of(above: Expression, yes: Touch, no: Touch) -> Touch:
    """The first where something is above zero."""
    return replace(
        yes,
        gap=either(above, yes.gap, no.gap),
        normal=vector_of(above, yes.normal, no.normal),
        point=vector_of(above, yes.point, no.point),
    )
