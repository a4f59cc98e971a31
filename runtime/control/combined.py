"""Feedback linearization for large maneuvers, state feedback for what vibrates near their end."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from numbers import Real

from eomc.binding.arrays import Array
from eomc.runtime.control.feedback_linearization import FeedbackLinearization
from eomc.runtime.control.state_feedback import StateFeedback

Condition = Callable[[float, Array, Array], bool]


class Combined:
    """Before the switch, tau of the maneuvering law; after it, the regulator's tau_r and the
    holding law's, which knows tau_r.

    The maneuvering law moves all controlled coordinates; near the target the regulator takes over
    some of them along with the vibrations, while the holding law keeps the others and knows what
    the regulator does.

    Reference: Caron, *Planar Dynamics and Control of Space-Based Flexible Manipulators* (1996),
    sec. 5.4.

    Parameters
    ----------
    maneuver : FeedbackLinearization or None
        Only needed if there is something before the switch.
    hold : FeedbackLinearization or None
        Controls what the regulator does not act on, if anything.
    regulator : StateFeedback
        Such as an `LQR`.
    switch : float, or function (t, q, u) -> bool
        Time of the switch [s], or whether the regulator is on. The law has no memory: a condition
        on the state that ceases to hold switches back.

    Raises ValueError if regulator and holding law act on the same speed, or no law leads to the
    switch.
    """

    def __init__(
        self,
        maneuver: FeedbackLinearization | None,
        hold: FeedbackLinearization | None,
        regulator: StateFeedback,
        switch: float | Condition = 0.0,
    ) -> None:
        if not (callable(switch) or _is_time(switch)):
            raise ValueError(f"switch is {switch!r}; give a time, or a function of (t, q, u)")
        for name in hold.actuators if hold is not None else ():
            if name in regulator.actuators:
                raise ValueError(f"both the regulator and the holding law act on {name!r}")
        if maneuver is None and (callable(switch) or switch > 0):
            raise ValueError("switch: without a maneuvering law the regulator is on from the start")
        self.maneuver, self.hold, self.regulator = maneuver, hold, regulator
        self.switch = switch

    def is_regulating(self, t: float, q: Array, u: Array) -> bool:
        """True if the regulator is on at time t in the state (q, u)."""
        if callable(self.switch):
            return bool(self.switch(t, q, u))
        return self.maneuver is None or t >= self.switch

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) of the plant [N m or N]"""
        if self.maneuver is not None and not self.is_regulating(t, q, u):
            return self.maneuver.torque(t, q, u)
        regulating = self.regulator.torque(t, q, u)
        if self.hold is None:
            return regulating
        return regulating + self.hold.torque(t, q, u, known=regulating)


def _is_time(value: object) -> bool:
    return isinstance(value, Real) and not isnan(value)
