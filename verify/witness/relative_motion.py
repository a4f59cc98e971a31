"""Relative motion of the two sides of what closes a loop, and what is forbidden of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from eomc.binding.arrays import Array
from eomc.verify.witness.body_motion import BodyMotion
from eomc.verify.witness.closing_joint import Forbidden, relative
from eomc.verify.witness.mechanism import RigidHold, WitnessJoint


class RelativeMotion:
    """One joint or constraint in one state: gaps, their rates and second rates, which are zero
    where it holds, and units (rows, directions), rates at unit speeds; of the motion `relative` of
    the child side in the parent side."""

    gaps: Array
    rates: Array
    seconds: Array
    units: Array

    def __init__(self, hold: RigidHold | WitnessJoint, motions: Mapping[int, BodyMotion]) -> None:
        self.parent, self.child = motions[hold.parent], motions[hold.child]
        self.relative = motion = relative(hold, self.parent, self.child)
        if isinstance(hold, WitnessJoint):
            found = Forbidden(hold, motion)
            self.gaps, self.rates = found.gaps, found.rates
            self.units, self.seconds = found.units, found.seconds
        else:
            rows = np.array(hold.rows)
            self.gaps, self.rates, self.seconds = (
                np.einsum("kij,ij->k", rows, x) for x in (motion.x, motion.rate, motion.second)
            )
            self.units = np.einsum("kij,dij->kd", rows, motion.units)

    @property
    def size(self) -> float:
        """1 m and the farthest origin."""
        return 1.0 + float(np.abs(self.child.x[:3, 3]).max())

    @property
    def speed(self) -> float:
        """Largest entry of the rates of both sides' poses."""
        return float(max(np.abs(self.parent.rate).max(), np.abs(self.child.rate).max()))

    @property
    def acceleration(self) -> float:
        """Largest entry of the second rates of both sides' poses."""
        return float(max(np.abs(self.parent.second).max(), np.abs(self.child.second).max()))
