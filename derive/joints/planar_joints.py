"""Joints in a plane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.joints.arguments import axis, fields
from eomc.derive.joints.closure import same_axis
from eomc.derive.joints.joint_kind import JointKind
from eomc.derive.joints.steps import along_z, turn_about
from eomc.derive.joints.variables import angle, length, spin, velocity
from eomc.derive.language.registry import kind
from eomc.derive.motions.about_axis import Slide
from eomc.derive.motions.plane_free import PlaneFree
from eomc.derive.placement.directions import normal_directions

if TYPE_CHECKING:
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@kind("planar", "floating_planar")
class Planar(JointKind):
    """Two slides in a plane and a turn about its normal.

    q: x, y along the two in-plane directions of the joint frame (m), angle about the normal
    (rad); u = q': the linear rates are along the fixed directions, not those of the moving body.
    """

    arguments = fields(axis=axis(default=(0, 0, 1)))
    coordinates = (length("x"), length("y"), angle("theta"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """The slides, then the turn."""
        first, second = normal_directions(joint.direction)
        slides: list[Step] = [Slide(scalars.vector(first)), Slide(scalars.vector(second))]
        return slides + turn_about(scalars.vector(joint.direction))

    def holds(self, at: Closure) -> Iterator[Hold]:
        """n.r = 0, tilt(R n) = 0"""
        yield "force_n", at.axis.dot(at.r)
        yield from same_axis(at)

    def losses(self, at: Sides) -> SpatialForce:
        """f = Q_1 t1 + Q_2 t2, m = Q_3 n"""
        t1, t2 = at.normals
        return at.sliding(0, t1) + at.sliding(1, t2) + at.turning(2, at.axis)


@kind("planar_body")
class PlanarBody(JointKind):
    """Free motion in a plane, with speeds along the body's own axes.

    q: x, y along the two in-plane directions of the joint frame (m), angle about the normal
    (rad); u: velocity along the turned directions (m/s), angular velocity (rad/s).
    """

    arguments = fields(axis=axis())
    coordinates = (length("x"), length("y"), angle("theta"))
    quasi_velocities = (velocity("vx"), velocity("vy"), spin("wz"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One free motion in the plane."""
        return along_z(joint.direction, PlaneFree(), scalars)
