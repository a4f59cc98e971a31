"""Base of all profiles: a motion over a time span, and its continuation beyond."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite


class ProfileSample(NamedTuple):
    """Position, rate and acceleration: each of shape ``t.shape + position.shape``."""

    position: Array
    rate: Array
    acceleration: Array


class Profile(ABC):
    """A motion from `start_time` to `end_time` [s].

    Called with a time, or an array of times, it gives position, rate and acceleration there. Beyond
    its ends it goes on at the rate it has there: it rests, if that is zero.
    """

    def __init__(self, start_time: float, end_time: float) -> None:
        self.start_time = float(finite("start_time", start_time, ()))
        self.end_time = float(finite("end_time", end_time, ()))
        if not self.end_time > self.start_time:
            raise ValueError(
                f"the motion ends at {self.end_time:g} s, before it starts at {self.start_time:g} s"
                if self.end_time < self.start_time
                else "the motion has no duration; give a positive number of seconds"
            )

    @property
    def duration(self) -> float:
        """[s]"""
        return self.end_time - self.start_time

    @abstractmethod
    def inside(self, t: Array) -> ProfileSample:
        """The motion at times (k,) within the span: arrays of shape (k, ...)."""

    def __call__(self, t: ArrayLike) -> ProfileSample:
        """Position, rate and acceleration at the time or times `t` [s].

        Raises ValueError if a time is not finite.
        """
        times = np.asarray(t, dtype=np.float64)
        flat = times.reshape(-1)
        # As simulations ask, once a stage: nothing to clip.
        if not times.ndim and self.start_time <= flat[0] <= self.end_time:
            return ProfileSample(*(row.reshape(row.shape[1:]) for row in self.inside(flat)))
        if not np.isfinite(times).all():
            raise ValueError("t is not finite")
        within = np.clip(flat, self.start_time, self.end_time)
        sample = self.inside(within)
        column = (slice(None), *[None] * (sample.position.ndim - 1))
        beyond, outside = (flat - within)[column], (flat != within)[column]
        rows = (
            sample.position + beyond * sample.rate,
            sample.rate,
            np.where(outside, 0.0, sample.acceleration),
        )
        return ProfileSample(*(row.reshape(times.shape + row.shape[1:]) for row in rows))
