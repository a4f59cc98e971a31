"""Polar orbital coordinates: the orbital frame in the plane of its orbit.

The joint's parent-side frame stands in the centre of attraction, its z axis normal to the orbit
(or to the reference plane), x towards the perigee (or another reference direction): give the
placement of that frame for an inclined orbit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.geometry import unit
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.steps import turn_about
from eomc.derive.joints.variables import Variable, angle, length
from eomc.derive.motions.slide import Slide

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class OrbitPolar(JointKind):
    """The orbital frame in the plane of its orbit, by polar coordinates.

    q: true anomaly theta (rad), from the joint frame's x axis about its z axis; radius r (m); u =
    q'. The child's axes are the orbital ones: x radial outward, y horizontal along the motion, z
    normal to the orbit. The neutral position r = 0 is the centre of attraction.
    """

    name = "orbit_polar"
    coordinates: tuple[Variable, ...] = (angle("theta"), length("r"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """The anomaly, then the radius."""
        zero = scalars(0)
        return [*turn_about(unit(zero, 2)), Slide(unit(zero, 0))]
