"""Relative pose of the two sides of a joint that closes a loop, and what the joint holds of it.

With the child-side frame in the parent-side one, X = Y Z, Y the inverse pose of the parent side,

    Y' = -Y P' Y,      Y'' = 2 Y P' Y P' Y - Y P'' Y

for the pose P of the parent side, and the product rule.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from eomc.verify.witness.body_motion import Motion, constant
from eomc.verify.witness.joint_motion import in_plane
from eomc.verify.witness.mechanism import Array, Hold
from eomc.verify.witness.newton_euler import NewtonEuler


class RelativeMotion:
    """One hold in one state: gaps, their rates and second rates, and units (rows, directions)."""

    def __init__(self, hold: Hold, moving: NewtonEuler) -> None:
        self.hold = hold
        self.parent, self.child = moving.motions[hold.parent], moving.motions[hold.child]
        count = moving.directions
        side = self.parent.then(constant(hold.before, count))
        after = np.asarray(np.linalg.inv(hold.after), dtype=np.float64)
        outer = constant(after, count)
        self.x = _inverse(side).then(self.child.then(outer))
        # A screw holds n.r - pitch angle beside what is linear in X.
        self._axis_row = np.zeros((4, 4))
        self._axis_row[:3, 3] = hold.axis

    @property
    def gaps(self) -> Array:
        """Zero where the joint holds."""
        values = [value for _, value in self.hold.rows]
        linear: Array = self._rows(self.x.x) - np.array(values)
        if self.hold.pitch is None:
            return linear
        first, second = in_plane(self.hold.axis)
        turned = self.x.x[:3, :3] @ first
        angle = np.arctan2(second @ turned, first @ turned)
        gap = float((self._axis_row * self.x.x).sum()) - self.hold.pitch * angle
        lead = 2 * np.pi * abs(self.hold.pitch)  # whole turns move it on by the lead
        return np.append(linear, gap - lead * np.round(gap / lead) if lead else gap)

    @property
    def rates(self) -> Array:
        """First derivatives of the gaps."""
        return self._derivative(self.x.rate)

    @property
    def seconds(self) -> Array:
        """Second derivatives of the gaps, where R turns about the axis alone."""
        return self._derivative(self.x.second)

    @cached_property
    def units(self) -> Array:
        """(rows, directions): rates at unit speeds."""
        return np.array([self._derivative(unit) for unit in self.x.units]).T

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

    def _rows(self, matrix: Array) -> Array:
        return np.array([float((row * matrix).sum()) for row, _ in self.hold.rows])

    def _derivative(self, change: Array) -> Array:
        linear = self._rows(change)
        if self.hold.pitch is None:
            return linear
        skew = change[:3, :3] @ self.x.x[:3, :3].T
        turn = np.array([skew[2, 1] - skew[1, 2], skew[0, 2] - skew[2, 0], skew[1, 0] - skew[0, 1]])
        along = float((self._axis_row * change).sum())
        return np.append(linear, along - self.hold.pitch * float(self.hold.axis @ turn) / 2)


def _inverse(motion: Motion) -> Motion:
    y = np.asarray(np.linalg.inv(motion.x), dtype=np.float64)
    rate = -y @ motion.rate @ y
    second = 2 * y @ motion.rate @ y @ motion.rate @ y - y @ motion.second @ y
    return Motion(y, -y @ motion.units @ y, rate, second)
