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

from eomc.derive.constraints.touching_contact import TouchingContact
from eomc.derive.contacts.pair import SURFACE, OfSurface
from eomc.derive.contacts.surfaces import SURFACES, Touch
from eomc.derive.elements.element import Mechanism
from eomc.derive.elements.rows import Row
from eomc.derive.fields.field import of_kind
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.scene.pair import PairScene


@kind("rolling_contact")
class RollingContact(TouchingContact):
    """A shape, as of a contact, rolls on a plane without slip and does not leave it.

    The multiplier of the row `gap` is the normal force, positive if it presses; those of the rows
    `slip_1` and `slip_2` are the forces along the plane. A shape of several sites touches with all
    of them, as a cylinder that lies on its mantle does with both its rims; one rim alone is a disc.
    """

    surface: OfSurface = of_kind(SURFACE)

    def _slips(self, scene: PairScene, touch: Touch, place: str) -> Iterator[Row]:
        """Along both directions of the surface."""
        ground, wheel = scene.frames
        slip = wheel.velocity_at(touch.point) - ground.velocity_at(touch.point)
        directions = self.surface.along(scene, touch.normal) or ()
        for label, along in zip("12", directions, strict=True):
            yield Row(self.name, f"slip_{label}{place}", along.dot(slip), holonomic=False)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Two bodies, a surface to roll on, sizes."""
        super().check_in(model, values)
        if not self.surface.is_rolled_on:
            others = sorted(word for word, kind in SURFACES.items() if kind.is_rolled_on)
            raise ModelError(
                f"surface: rolls on no {self.surface.word}; give a {' or '.join(others)}"
            )
