"""Polar orbital coordinates and pitch: a body in the plane of its orbit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.geometry import unit
from eomc.derive.joints.orbit_polar import orbit_polar
from eomc.derive.joints.steps import Step, register, turn_about

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("orbit_planar")
def orbit_planar(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: true anomaly theta (rad), radius r (m), pitch psi (rad).

    The pitch (libration) psi is the angle of the child's x axis from the local vertical, its
    inertial angle less the true anomaly. u = q'.
    """
    return [*orbit_polar(joint, scalars), *turn_about(unit(scalars(0), 2))]
