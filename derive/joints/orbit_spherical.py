"""Spherical orbital coordinates: the orbital frame in space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.geometry import unit
from eomc.derive.joints.slide import Slide
from eomc.derive.joints.steps import Step, register, turn_about

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("orbit_spherical")
def orbit_spherical(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: longitude (rad) from the joint frame's x axis about its z axis, latitude (rad) towards z,
    radius r (m).

    The child's axes: x radial outward, y horizontal towards growing longitude, z completes them and
    is normal to the reference plane where the latitude is zero. u = q'. Singular at the latitudes
    +-pi/2 and at r = 0.
    """
    zero = scalars(0)
    return [
        *turn_about(unit(zero, 2)),
        *turn_about(-unit(zero, 1)),
        Slide(unit(zero, 0)),
    ]
