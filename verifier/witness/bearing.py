"""Friction of bearings, in numbers: the reaction of a joint by d'Alembert's principle.

The joint is loosened: its child side may move by six more virtual velocities, in the axes of the
joint frame on the child. What the motion takes along these, and what closes loops does not give, is
what the joint transmits, however the mechanism is made. What closes loops does by multipliers of
what it forbids; they follow from its forces on the speeds.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.body_motion import BodyMotion
from eomc.verifier.witness.closing_joint import Forbidden, RelativeMotion, freedoms, relative
from eomc.verifier.witness.mechanism import BearingFriction, WitnessJoint, WitnessMechanism

__all__ = ["LoopClosure", "friction", "loosening"]


def loosening(directions: int) -> BodyMotion:
    """No motion, with unit velocities along and unit spins about three axes behind all others."""
    units = np.zeros((directions, 4, 4))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        units[directions - 6 + k, k, 3] = 1
        units[directions - 3 + k, j, i], units[directions - 3 + k, i, j] = 1, -1
    return BodyMotion(np.eye(4), units, np.zeros((4, 4)), np.zeros((4, 4)))


def friction(bearing: BearingFriction, reaction: Array, rate: float) -> float:
    """The generalized force by (force, moment) of the parent on the child."""
    force, moment, e = reaction[:3], reaction[3:], bearing.axis
    turns = bearing.radius is not None
    lever = bearing.radius if bearing.radius is not None else 1.0

    def size(vector: Array) -> float:
        square = float(vector @ vector)
        return float(square / np.sqrt(square + bearing.minimum_load**2))

    across = force - e * (e @ force)
    if bearing.span is None:
        loads = [size(across)]
    else:
        couple = np.cross(e, moment) / bearing.span
        loads = [size(across / 2 + couple), size(across / 2 - couple)]
    if bearing.width is not None:
        loads.append(size(2 * (e @ moment) / bearing.width * e))
    held = lever * (bearing.preload + sum(loads))
    if turns:
        held += bearing.collar * size(e * (e @ force))
    slip = lever * rate / bearing.slip_speed
    share = np.tanh(slip) if bearing.regularization == "tanh" else slip / np.sqrt(1 + slip * slip)
    return float(-bearing.friction * held * share)


class LoopClosure:
    """Joints and constraints that close loops, and carry the forces `held` (nu,) on the speeds."""

    def __init__(
        self, mechanism: WitnessMechanism, motions: Mapping[int, BodyMotion], held: Array | None
    ) -> None:
        self.mechanism, self.motions = mechanism, motions
        self.rows = [RelativeMotion(hold, motions).units for hold in mechanism.holds]
        self.carried: Array = np.zeros(sum(len(rows) for rows in self.rows))
        if held is not None and self.rows:
            on_speeds = np.vstack(self.rows)[:, : len(held)]
            found = np.linalg.lstsq(on_speeds.T, held, rcond=1e-9)[0]
            self.carried = np.asarray(found, dtype=np.float64)

    def forces(self, directions: int) -> Array:
        """Along all directions."""
        if not self.rows:
            return np.zeros(directions)
        found: Array = np.vstack(self.rows).T @ self.carried
        return found

    def friction(self, bearing: BearingFriction) -> Array:
        """(directions,) generalized forces of a bearing in a joint that closes a loop."""
        place = [hold.name for hold in self.mechanism.holds].index(bearing.cut)
        joint = self.mechanism.holds[place]
        assert isinstance(joint, WitnessJoint)
        parent, child = self.motions[joint.parent], self.motions[joint.child]
        start = sum(len(rows) for rows in self.rows[:place])
        multipliers = self.carried[start : start + len(self.rows[place])]
        motion = relative(joint, parent, child)
        units = motion.x @ loosening(6).units
        wrench = Forbidden(joint, BodyMotion(motion.x, units, motion.rate, motion.second)).units.T
        ((_, rate, along),) = freedoms(joint, parent, child)
        found: Array = along * friction(bearing, wrench @ multipliers, rate)
        return found
