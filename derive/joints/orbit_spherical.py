"""Spherical orbital coordinates: the orbital frame in space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.geometry import unit
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.steps import turn_about
from eomc.derive.joints.variables import angle, length
from eomc.derive.motions.slide import Slide

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class OrbitSpherical(JointKind):
    """The orbital frame in space, by longitude, latitude and radius.

    q: longitude (rad) from the joint frame's x axis about its z axis, latitude (rad) towards z,
    radius r (m); u = q'. The child's axes: x radial outward, y horizontal towards growing
    longitude, z completes them and is normal to the reference plane where the latitude is zero.
    Singular at the latitudes +-pi/2 and at r = 0.
    """

    name = "orbit_spherical"
    coordinates = (angle("longitude"), angle("latitude"), length("r"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """Longitude, latitude, then the radius."""
        zero = scalars(0)
        return [*turn_about(unit(zero, 2)), *turn_about(-unit(zero, 1)), Slide(unit(zero, 0))]
