"""Commands that leave no vibration: a motion passed on in a few impulses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.profile import Profile, ProfileSample

_SAME = 1e-9
"""The share of a period within which instants are one."""


@dataclass(frozen=True, eq=False)
class Shaper:
    """Impulses A_i at times t_i, with A_i > 0 and sum A_i = 1.

    References: Singer and Seering, Preshaping command inputs to reduce system vibration, ASME J.
    Dyn. Syst. Meas. Control 112 (1990) 76; Smith, Posicast control of damped oscillatory systems,
    Proc. IRE 45 (1957) 1249.

    Attributes
    ----------
    times : (k,) [s], rising from 0
    amplitudes : (k,)
    """

    times: Array
    amplitudes: Array

    @property
    def duration(self) -> float:
        """By how much later a shaped motion ends [s]."""
        return float(self.times[-1])

    def residual(self, frequency: float, damping: float = 0.0) -> float:
        """Vibration that is left, by that of one impulse of the same size:

        V = exp(-zeta w t_k) abs(sum A_i exp((zeta w + j w_d) t_i))
        """
        w, zeta = _mode(frequency, damping)
        s = zeta * w + 1j * w * np.sqrt(1 - zeta**2)
        whole = np.sum(self.amplitudes * np.exp(s * self.times))
        return float(np.exp(-zeta * w * self.times[-1]) * np.abs(whole))

    def equation(
        self, names: Sequence[str], period: float, start: ArrayLike = 0.0
    ) -> DifferenceEquation:
        """Of commands "r" of these channels at samples: y_k = sum A_i r(t_k - t_i), for C.

        Between samples r is a straight line, so that impulses need not fall on samples; before the
        first one it is `start`.

        Reference: Murphy and Watanabe, Digital shaping filters for reducing machine vibration, IEEE
        Trans. Robotics and Automation 8 (1992) 285.

        >>> half = zero_vibration(np.pi).equation(["x"], 0.5).begin()  # impulses at 0 and 1 s
        >>> [half(np.ones(1)).item() for _ in range(4)]
        [0.5, 0.5, 1.0, 1.0]
        """
        before = np.broadcast_to(np.asarray(start, dtype=np.float64), (len(names),))
        if not (np.isfinite(period) and period > 0):
            raise ValueError(f"period is {period!r}; give a positive time [s]")
        taps, n = _taps(self, period), len(names)

        def shaped(by: Operations, past: Any, w: Any, r: Any) -> tuple[Any, Any]:
            line = np.concatenate([r, past])
            y = taps[0] * r
            for k, weight in enumerate(taps[1:], start=1):
                y = y + weight * line[k * n : (k + 1) * n]
            return line[: len(line) - n], y

        rows = tuple(names)
        held = np.tile(before, len(taps) - 1)
        return DifferenceEquation(held, {"r": rows}, "y", rows, shaped)

    def __mul__(self, other: Shaper) -> Shaper:
        """Both behind one another, for two modes: their impulses convolved."""
        times = np.add.outer(self.times, other.times).ravel()
        amplitudes = np.multiply.outer(self.amplitudes, other.amplitudes).ravel()
        order = np.argsort(times, kind="stable")
        return Shaper(times[order], amplitudes[order])


def zero_vibration(frequency: float, damping: float = 0.0) -> Shaper:
    """ZV: two impulses, half a period of the damped vibration apart.

        A = (1, K)/(1 + K),   K = exp(-zeta pi/sqrt(1 - zeta^2))

    Parameters
    ----------
    frequency : w [rad/s], of the vibration without damping
    damping : zeta, below 1

    Raises ValueError for a frequency that is not positive, and other damping ratios.

    >>> shaper = zero_vibration(2.0)
    >>> shaper.amplitudes.tolist(), round(shaper.duration, 6), round(shaper.residual(2.0), 12)
    ([0.5, 0.5], 1.570796, 0.0)
    """
    return _binomial(frequency, damping, (1, 1))


def zero_vibration_derivative(frequency: float, damping: float = 0.0) -> Shaper:
    """ZVD: three impulses; the vibration left grows with the square of an error in frequency.

        A = (1, 2 K, K^2)/(1 + K)^2

    Arguments and errors as of `zero_vibration`.

    >>> zero_vibration_derivative(2.0).amplitudes.tolist()
    [0.25, 0.5, 0.25]
    >>> wrong = 2.2  # by a tenth
    >>> zero_vibration(2.0).residual(wrong) > 6 * zero_vibration_derivative(2.0).residual(wrong)
    True
    """
    return _binomial(frequency, damping, (1, 2, 1))


def shaper_of(
    modes: Sequence[tuple[float, float]], kind: Callable[[float, float], Shaper] = zero_vibration
) -> Shaper:
    """One shaper for several modes, pairs of frequency [rad/s] and damping ratio.

    >>> both = shaper_of([(2.0, 0.01), (7.0, 0.0)])
    >>> len(both.times), both.residual(2.0, 0.01) < 1e-15, both.residual(7.0) < 1e-15
    (4, True, True)
    """
    if not modes:
        raise ValueError("modes: give at least one pair of frequency and damping ratio")
    found: Shaper = reduce(Shaper.__mul__, (kind(w, zeta) for w, zeta in modes))
    return found


class Shaped(Profile):
    """A profile as a shaper passes it on: s(t) = sum A_i s_0(t - t_i).

    It begins where and when `profile` does and ends where that does, the shaper's duration later.

    >>> from eomc.runtime.trajectories import SineRamp
    >>> slew = Shaped(SineRamp(0.0, 1.0, duration=2.0), zero_vibration(3.0))
    >>> round(slew.duration, 4), float(slew(10.0).position)
    (3.0472, 1.0)
    """

    def __init__(self, profile: Profile, shaper: Shaper) -> None:
        if not isinstance(profile, Profile):
            raise ValueError(f"profile: give one, not {type(profile).__name__}")
        super().__init__(profile.start_time, profile.end_time + shaper.duration)
        self.profile, self.shaper = profile, shaper

    def inside(self, t: Array) -> ProfileSample:
        """Position, rate and acceleration at times (k,)."""
        parts = [
            (a, self.profile(t - delay))
            for delay, a in zip(self.shaper.times, self.shaper.amplitudes, strict=True)
        ]
        return ProfileSample(*(sum(a * part[k] for a, part in parts) for k in range(3)))


def _taps(shaper: Shaper, period: float) -> list[float]:
    """Weights of the command now and at the samples before."""
    whole = np.rint(shaper.times / period)
    places = np.where(np.abs(shaper.times / period - whole) < _SAME, whole, shaper.times / period)
    found = np.zeros(int(np.ceil(places.max())) + 1)
    for place, amplitude in zip(places.tolist(), shaper.amplitudes.tolist(), strict=True):
        before, share = int(place), place - int(place)
        found[before] += (1 - share) * amplitude
        if share:
            found[before + 1] += share * amplitude
    taps: list[float] = found.tolist()
    return taps


def _mode(frequency: ArrayLike, damping: ArrayLike) -> tuple[float, float]:
    w, zeta = float(finite("frequency", frequency, ())), float(finite("damping", damping, ()))
    if not w > 0:
        raise ValueError(f"frequency is {w:g}; give a positive one [rad/s]")
    if not 0 <= zeta < 1:
        raise ValueError(f"damping is {zeta:g}; give a ratio from 0 to below 1")
    return w, zeta


def _binomial(frequency: float, damping: float, row: tuple[int, ...]) -> Shaper:
    w, zeta = _mode(frequency, damping)
    root = np.sqrt(1 - zeta**2)
    order = np.arange(len(row))
    amplitudes = np.array(row) * np.exp(-zeta * np.pi / root * order)
    return Shaper(order * np.pi / (w * root), amplitudes / amplitudes.sum())
