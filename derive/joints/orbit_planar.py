"""Polar orbital coordinates and pitch: a body in the plane of its orbit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.geometry import unit
from eomc.derive.joints.joint_kind import register_joint_kind
from eomc.derive.joints.orbit_polar import OrbitPolar
from eomc.derive.joints.steps import turn_about
from eomc.derive.joints.variables import angle

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class OrbitPlanar(OrbitPolar):
    """A body in the plane of its orbit, by polar coordinates and pitch.

    q: true anomaly theta (rad), radius r (m), pitch psi (rad); u = q'. The pitch (libration) psi
    is the angle of the child's x axis from the local vertical, its inertial angle less the true
    anomaly.
    """

    name = "orbit_planar"
    coordinates = (*OrbitPolar.coordinates, angle("psi"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """The orbital frame, then the pitch."""
        return [*super().steps(joint, scalars), *turn_about(unit(scalars(0), 2))]
