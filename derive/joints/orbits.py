"""Joints by the coordinates of an orbit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.geometry import unit
from eomc.derive.joints.joint_kind import JointKind
from eomc.derive.joints.steps import turn_about
from eomc.derive.joints.variables import JointVariable, angle, length
from eomc.derive.language.registry import kind
from eomc.derive.motions.about_axis import Slide

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@kind("orbit_polar")
class OrbitPolar(JointKind):
    """The orbital frame in the plane of its orbit, by polar coordinates.

    q: true anomaly theta (rad), from the joint frame's x axis about its z axis; radius r (m); u =
    q'. The child's axes are the orbital ones: x radial outward, y horizontal along the motion, z
    normal to the orbit. The neutral position r = 0 is the centre of attraction.
    """

    coordinates: tuple[JointVariable, ...] = (angle("theta"), length("r"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """The anomaly, then the radius."""
        zero = scalars(0)
        return [*turn_about(unit(zero, 2)), Slide(unit(zero, 0))]


@kind("orbit_planar")
class OrbitPlanar(OrbitPolar):
    """A body in the plane of its orbit, by polar coordinates and pitch.

    q: true anomaly theta (rad), radius r (m), pitch psi (rad); u = q'. The pitch (libration) psi
    is the angle of the child's x axis from the local vertical, its inertial angle less the true
    anomaly.
    """

    coordinates = (*OrbitPolar.coordinates, angle("psi"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """The orbital frame, then the pitch."""
        return [*super().steps(joint, scalars), *turn_about(unit(scalars(0), 2))]


@kind("orbit_spherical")
class OrbitSpherical(JointKind):
    """The orbital frame in space, by longitude, latitude and radius.

    q: longitude (rad) from the joint frame's x axis about its z axis, latitude (rad) towards z,
    radius r (m); u = q'. The child's axes: x radial outward, y horizontal towards growing
    longitude, z completes them and is normal to the reference plane where the latitude is zero.
    Singular at the latitudes +-pi/2 and at r = 0.
    """

    coordinates = (angle("longitude"), angle("latitude"), length("r"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """Longitude, latitude, then the radius."""
        zero = scalars(0)
        return [*turn_about(unit(zero, 2)), *turn_about(-unit(zero, 1)), Slide(unit(zero, 0))]
