"""Rolling without slip of a convex shape on a plane, or on or in a cylinder.

With the centre c, the plane's normal n towards the shape, and the support function h of the shape,
the contact point is r = c - grad h(n), and

    phi = n.(c - o) - h(n) = 0,      t_k.(v_shape(r) - v_plane(r)) = 0,   k = 1, 2

for the material points of both bodies that are at r now. That point wanders over the shape as it
turns: r follows n by the Hessian of h, the curvature, which so is in the rates of these rows and in
linearizations. On a cylinder the gap is the distance, and t_1 goes along the axis, t_2 round it.
Reference: Borisov and Mamaev, *The rolling motion of a rigid body on a plane and a
sphere*, Regul. Chaotic Dyn. 7 (2002).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from eomc.derive.contacts.pair import SHAPE, SURFACE, OfShape, OfSurface, check_pair
from eomc.derive.contacts.surfaces import SURFACES
from eomc.derive.elements.constraint import Constraint
from eomc.derive.elements.element import Mechanism
from eomc.derive.elements.rows import Row
from eomc.derive.fields.field import of_kind
from eomc.derive.fields.part import check_parts
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene
from eomc.derive.scene.pair import between


@kind("rolling_contact")
class RollingContact(Constraint):
    """A shape, as of a contact, rolls on a plane without slip and does not leave it.

    The multiplier of the row `gap` is the normal force, positive if it presses; those of the rows
    `slip_1` and `slip_2` are the forces along the plane. A shape of several sites touches with all
    of them, as a cylinder that lies on its mantle does with both its rims; one rim alone is a disc.
    """

    shape: OfShape = of_kind(SHAPE)
    surface: OfSurface = of_kind(SURFACE)

    @property
    def sides(self) -> tuple[str, str]:
        """The plane's body, then that of the shape."""
        return self.surface.at.body, self.shape.at.body

    def drawn_at(self) -> tuple[Point, ...]:
        """The middle of the shape: no bar joins it to the plane."""
        return (self.shape.at,)

    def rows(self, scene: Scene) -> Iterator[Row]:
        """The gap, and both slips, by sites."""
        scene = between(scene, self.sides)
        ground, wheel = scene.frames
        sites = self.shape.sites(scene)
        for k, site in enumerate(sites, 1):
            place = f"_{k}" if len(sites) > 1 else ""
            touch = self.surface.meet(scene, site)
            yield Row(self.name, f"gap{place}", touch.gap)
            slip = wheel.velocity_at(touch.point) - ground.velocity_at(touch.point)
            directions = self.surface.along(scene, touch.normal) or ()
            for label, along in zip("12", directions, strict=True):
                yield Row(self.name, f"slip_{label}{place}", along.dot(slip), holonomic=False)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Two bodies, a surface to roll on, sizes."""
        check_pair(self.shape, self.surface)
        self.shape.check_smooth()
        check_parts(self, values)
        if not self.surface.is_rolled_on:
            others = sorted(word for word, kind in SURFACES.items() if kind.is_rolled_on)
            raise ModelError(
                f"surface: rolls on no {self.surface.word}; give a {' or '.join(others)}"
            )
