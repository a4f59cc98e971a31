"""Spherical and floating joints by Euler angles, in any intrinsic sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.geometry import unit
from eomc.derive.joints.slide import Slide
from eomc.derive.joints.steps import Step, register, turn_about

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


def turns(sequence: str, scalars: Scalars) -> list[Step]:
    """Successive turns about the axes named by the letters, each in the frame already turned."""
    axes = [unit(scalars(0), "xyz".index(letter)) for letter in sequence]
    return [step for axis in axes for step in turn_about(axis)]


@register("spherical_euler")
def spherical_euler(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: three angles (rad); u = q'. Singular where the second angle aligns the first and third
    axes."""
    return turns(joint.sequence or "zyx", scalars)


@register("floating_euler")
def floating_euler(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: position x, y, z in the parent frame (m), three angles (rad); u = q'."""
    slides: list[Step] = [Slide(unit(scalars(0), axis)) for axis in range(3)]
    return slides + turns(joint.sequence or "zyx", scalars)
