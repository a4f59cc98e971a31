"""Polar orbital coordinates: the orbital frame in the plane of its orbit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.geometry import unit
from eomc.derive.joints.slide import Slide
from eomc.derive.joints.steps import Step, register, turn_about

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("orbit_polar")
def orbit_polar(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: true anomaly theta (rad), from the joint frame's x axis about its z axis; radius r (m).

    The child's axes are the orbital ones: x radial outward, y horizontal along the motion, z normal
    to the orbit. u = q'. The neutral position r = 0 is the centre of attraction.
    """
    zero = scalars(0)
    return [*turn_about(unit(zero, 2)), Slide(unit(zero, 0))]
