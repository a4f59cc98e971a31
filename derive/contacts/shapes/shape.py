"""Shapes of bodies that meet surfaces: one record a kind.

A convex shape meets a plane of unit normal n at the point nearest to it, which its support function
h gives. With the centre c of the shape and the normal u seen from the shape,

    gap = n.c - d - h(u),    contact point  c - grad h(u)

Reference: Schneider, *Convex Bodies: The Brunn-Minkowski Theory*, chapter 1.7.
What is round in a way that one formula would have to switch is several sites: a capsule is two
spheres, a cylinder two rims, a box eight corners.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from eomc.derive.contacts.shapes.oval import Oval
from eomc.derive.contacts.shapes.turned import Turned
from eomc.derive.fields.field import point, record
from eomc.derive.fields.part import Part
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.registry import Registry
from eomc.derive.language.scalar import Scalar, Vector3, scalar
from eomc.derive.placement.directions import unit_vector
from eomc.derive.placement.placement import Point
from eomc.derive.placement.rotation import cross
from eomc.derive.scene.loads import BodyPoint, Scene

__all__ = ["SHAPES", "Shape", "Site", "beside", "triad"]

#: Every kind by its word.
SHAPES: Registry[type[Shape]] = Registry("shape", "eomc.derive.contacts.shapes")


@dataclass(frozen=True, eq=False)
class Site:
    """One place of a shape that may touch: its centre on the graph, and by the world normal n
    the support h and the arm -grad h from the centre to the point of contact.

    `radius` is that of a ball; None of other shapes. Of these `distance` gives, if there is a form,
    the distance of a place in the world and the unit normal from the shape to it, `furthest` that
    of its furthest point and the unit vector from there; `oval` is what it is as a thick ellipsoid,
    `turned` as a surface of revolution.
    """

    centre: BodyPoint
    support: Callable[[Vector], tuple[Expression, Vector]]
    radius: Expression | None = None
    distance: Callable[[Vector], tuple[Expression, Vector]] | None = None
    furthest: Callable[[Vector], tuple[Expression, Vector]] | None = None
    oval: Oval | None = None
    turned: Turned | None = None

    @classmethod
    def ball(cls, centre: BodyPoint, radius: Expression) -> Site:
        """A ball about a point: h = r, arm -r n."""
        return cls(centre, lambda n: (radius, n * -radius), radius)


@record
class Shape(Part):
    """The outline of a body where it may touch."""

    kinds = SHAPES

    at: Any = point("its centre", turned=True)

    #: True if all its sites are balls, which may meet curved surfaces too.
    is_round: ClassVar[bool] = False
    #: True if all its sites are ovals, without corners and with one normal at each point.
    is_oval: ClassVar[bool] = False
    #: True of rings, within which there is room.
    is_hollow: ClassVar[bool] = False
    #: Words of the curved surfaces that it meets though it is neither.
    meets: ClassVar[tuple[str, ...]] = ()

    def count(self) -> int:
        """Number of its sites."""
        return 1

    @property
    def switches(self) -> bool:
        """True if its sites change from one point of it to another."""
        return False

    def check_smooth(self) -> None:
        """Raise `ModelError` for sites that stand on planes alone and do not roll."""

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Its sites, at each of which it may touch."""
        raise NotImplementedError


def beside(at: Point, direction: Vector3, distance: Scalar) -> Point:
    """A point of the same body, a distance along a direction in its axes."""
    x, y, z = (scalar(a + distance * e) for a, e in zip(at.xyz, direction, strict=True))
    return Point(at.body, (x, y, z))


def triad(axis: Vector3, first: Vector3) -> tuple[Vector3, Vector3, Vector3]:
    """Right-handed unit directions, the last along `axis`, the first as near to `first` as is
    possible. Raises `ModelError` if these are parallel."""
    e3 = unit_vector(axis, "axis")
    share = sum(a * b for a, b in zip(first, e3, strict=True))
    x, y, z = (a - share * b for a, b in zip(first, e3, strict=True))
    e1 = unit_vector((x, y, z), "first, across axis,")
    return e1, cross(e3, e1), e3
