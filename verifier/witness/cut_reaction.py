"""The wrench that a joint which closes a loop transmits, by its multipliers and what it loses.

The wrench (f, m) on the child about the origin of the child-side frame has at every twist (v, w)
the power f.v + m.w: of the rows that is sum_k lambda_k times their rates, so that their rates at
unit twists are the wrench itself. Along the freedom of the joint act its losses, and the friction
of its bearings under what its rows carry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.bearing import friction
from eomc.verifier.witness.body_motion import BodyMotion
from eomc.verifier.witness.closing_joint import freedom_wrench, loss_wrench, relative
from eomc.verifier.witness.closing_rows import closing_rows
from eomc.verifier.witness.mechanism import BearingFriction, WitnessJoint


def cut_reaction(
    joint: WitnessJoint,
    multipliers: Mapping[str, float],
    parent: BodyMotion,
    child: BodyMotion,
    bearings: Iterable[BearingFriction] = (),
) -> Array | None:
    """(force, moment) (6,) on the child in its joint frame; None if rows are not known here.

    `multipliers` go by the labels of the rows, `bearings` are those of the joint.
    """
    motion = relative(joint, parent, child)
    rates = closing_rows(multipliers, joint, _at_unit_twists(motion.x))
    if rates.keys() != multipliers.keys():
        return None
    held: Array = np.zeros(6)
    for label, multiplier in multipliers.items():
        held = held + multiplier * rates[label]
    wrench: Array = held + loss_wrench(joint, motion)
    pressed = _in_axes_of_child(motion, held)
    for bearing in bearings:
        wrench = wrench + freedom_wrench(joint, motion, _rubbing(bearing, pressed))
    return _in_axes_of_child(motion, wrench)


def _rubbing(bearing: BearingFriction, pressed: Array) -> Callable[[int, float], float]:
    return lambda _, u: friction(bearing, pressed, u)


def _in_axes_of_child(motion: BodyMotion, wrench: Array) -> Array:
    axes = motion.rotation.T
    return np.concatenate([axes @ wrench[:3], axes @ wrench[3:]])


def closing_forces(
    joint: WitnessJoint, multipliers: Mapping[str, float], parent: BodyMotion, child: BodyMotion
) -> Array | None:
    """Generalized forces of the multipliers, losses aside, along all directions of the motions;
    None if rows are not known here."""
    motion = relative(joint, parent, child)
    rates = closing_rows(multipliers, joint, motion)
    if rates.keys() != multipliers.keys():
        return None
    total: Array = np.zeros(len(motion.units))
    for label, multiplier in multipliers.items():
        total = total + multiplier * rates[label]
    return total


def _at_unit_twists(x: Array) -> BodyMotion:
    """A motion at `x` with six directions: along the axes, then about them."""
    units = np.zeros((6, 4, 4))
    for k, e in enumerate(np.eye(3)):
        units[k, :3, 3] = e
        units[3 + k, :3, :3] = np.cross(e, x[:3, :3], axisb=0, axisc=0)
    return BodyMotion(x, units, np.zeros((4, 4)), np.zeros((4, 4)))
