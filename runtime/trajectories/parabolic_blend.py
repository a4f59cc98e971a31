"""Constant acceleration, coast, constant deceleration."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.profile import Profile, ProfileSample

_ROUNDING = 1e-9
"""Part of the duration by which instants may be out of order as rounding."""


class ParabolicBlend(Profile):
    """Acceleration s a1 until t1, coasting until t2, then -s a2 until the end at T:

        q = q0 + v0 t + s a1 t^2/2,                                   0 < t < t1
        q = q0 + v0 t + s a1 t1 (t - t1/2),                          t1 < t < t2
        q = q0 + v0 t + s a1 t1 (t - t1/2) - s a2 (t - t2)^2/2,      t2 < t < T

    so that q(T) = end and q'(T) = end_rate. With D = end - q0 - v0 T and V = end_rate - v0,

        a t1^2 + b t1 + c = 0,    a = (a1 + a1^2/a2)/2,    b = -a1 (T + s V/a2),
        c = s D + V^2/(2 a2),     t2 = T + (s V - a1 t1)/a2,

    of whose roots the smaller that fits is taken: it needs less impulse. The sign s = +-1 is that
    of the way to go beyond coasting. Each entry of a vector has its own instants.

    Reference: Craig, *Introduction to Robotics* (2005), sec. 7.3; Moosavian 1996, equations 4.3 and
    4.4.

    Parameters
    ----------
    start, end : number or array, of the same shape
    duration : float [s]
    acceleration : positive number or array [1/s^2]
        a1
    deceleration : the same, optional
        a2; as acceleration by default.
    start_rate, end_rate : number or array [1/s]
    start_time : float [s]

    Attributes
    ----------
    on, off : arrays like start
        Times t1 at which the acceleration ends and t2 at which the deceleration begins [s].

    Raises ValueError for numbers that are not finite, other shapes, no positive duration or
    accelerations, and an end that they cannot reach in time.

    >>> ParabolicBlend(0.0, 2.0, duration=3.0, acceleration=1.0).on
    array(1.)
    """

    def __init__(
        self,
        start: ArrayLike,
        end: ArrayLike,
        duration: float,
        acceleration: ArrayLike,
        deceleration: ArrayLike | None = None,
        *,
        start_rate: ArrayLike = 0.0,
        end_rate: ArrayLike = 0.0,
        start_time: float = 0.0,
    ) -> None:
        super().__init__(start_time, start_time + float(finite("duration", duration, ())))
        self.start = finite("start", start)
        shape = self.start.shape
        self.start_rate = finite("start_rate", start_rate, shape)
        speed_up = finite("acceleration", acceleration, shape)
        slow_down = (
            speed_up if deceleration is None else finite("deceleration", deceleration, shape)
        )
        for name, values in (("acceleration", speed_up), ("deceleration", slow_down)):
            if not (values > 0).all():
                raise ValueError(f"{name} is {values.tolist()}; give positive numbers")
        beyond = finite("end", end, shape) - self.start - self.start_rate * self.duration
        gain = finite("end_rate", end_rate, shape) - self.start_rate
        columns = zip(*(x.ravel() for x in (beyond, gain, speed_up, slow_down)), strict=True)
        found = [self._instants(k, *column) for k, column in enumerate(columns)]
        sign, t1, t2 = (np.reshape(row, shape) for row in zip(*found, strict=True))
        self.acceleration, self.deceleration = sign * speed_up, sign * slow_down
        self._t1, self._t2 = t1, t2

    @property
    def on(self) -> Array:
        """t1 [s]"""
        return np.asarray(self.start_time + self._t1)

    @property
    def off(self) -> Array:
        """t2 [s]"""
        return np.asarray(self.start_time + self._t2)

    def _instants(
        self, k: int, D: float, V: float, a1: float, a2: float
    ) -> tuple[float, float, float]:
        """(s, t1, t2) of entry k, after the start."""
        T = self.duration
        slack = _ROUNDING * T
        fitting: list[tuple[float, float, float]] = []
        for s in (1.0, -1.0):
            a, b, c = (a1 + a1**2 / a2) / 2, -a1 * (T + s * V / a2), s * D + V**2 / (2 * a2)
            discriminant = b * b - 4 * a * c
            if discriminant < 0:
                continue
            # Both roots without cancellation: their product is c/a.
            larger = (-b + np.copysign(np.sqrt(discriminant), -b)) / (2 * a)
            for t1 in {larger, c / (a * larger) if larger else 0.0}:
                t2 = T + (s * V - a1 * t1) / a2
                if t1 >= -slack and t1 - slack <= t2 <= T + slack:
                    fitting.append((max(t1, 0.0), s, t2))
        if not fitting:
            raise ValueError(
                f"entry {k}: {D:.6g} beyond coasting, with {V:.6g} more rate at the end, is out of "
                f"reach in {T:.6g} s with acceleration {a1:.6g} and deceleration {a2:.6g}"
            )
        t1, s, t2 = min(fitting)
        return s, t1, t2

    def inside(self, t: Array) -> ProfileSample:
        """Position, rate and acceleration at times (k,)."""
        tau = (t - self.start_time).reshape(-1, *[1] * self.start.ndim)
        pushing, braking = np.minimum(tau, self._t1), np.maximum(tau - self._t2, 0.0)
        gained = self.acceleration * pushing
        return ProfileSample(
            self.start
            + self.start_rate * tau
            + gained * (tau - pushing / 2)
            - self.deceleration * braking**2 / 2,
            self.start_rate + gained - self.deceleration * braking,
            np.where(tau < self._t1, self.acceleration, 0.0)
            - np.where(tau >= self._t2, self.deceleration, 0.0),
        )
