"""Filters, noise, quantization, rate limits and saturation between a law and its channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from eomc.runtime.control.signal.signal import Equated, PerChannel, channels, equation
from eomc.runtime.difference import DifferenceEquation, Operations


@dataclass(frozen=True)
class LowPass(Equated):
    """y_k = y_(k-1) + (1 - exp(-T/time)) (x_k - y_(k-1)), from zero: y' = (x - y)/time with x held.

    A time of 0 passes x as it is.

    >>> smooth = LowPass(0.1).begin(("elbow",), 0.1, np.random.default_rng(0))
    >>> [round(smooth(np.ones(1)).item(), 6) for _ in range(2)]
    [0.632121, 0.864665]
    """

    time: PerChannel

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        time = channels("low pass: time", self.time, names, 0.0)
        share = np.where(time > 0, -np.expm1(-period / np.where(time > 0, time, 1.0)), 1.0)

        def smoothed(by: Operations, last: Any, w: Any, x: Any) -> tuple[Any, Any]:
            y = np.where(time > 0, last + share * (x - last), x)
            return y, y

        return equation(names, smoothed, np.zeros(len(names)))


@dataclass(frozen=True)
class Noise(Equated):
    """y = x (1 + relative n) + deviation m, with normal n and m of variance 1 in each channel and
    sample, drawn from the seed of the run.

    Parameters
    ----------
    deviation : standard deviation, in the unit of the channel
    relative : standard deviation as a share of the value

    >>> import numpy as np
    >>> shake = Noise(0.1).begin(("elbow",), 0.01, np.random.default_rng(0))
    >>> round(float(np.std([shake(np.zeros(1)) for _ in range(4000)])), 2)
    0.1
    """

    disturbs: ClassVar[bool] = True

    deviation: PerChannel = 0.0
    relative: PerChannel = 0.0

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        n = len(names)
        share = channels("noise: relative", self.relative, names, 0.0)
        deviation = channels("noise: deviation", self.deviation, names, 0.0)

        def shaken(by: Operations, state: Any, w: Any, x: Any) -> tuple[Any, Any]:
            return state, x * (1 + share * w[:n]) + deviation * w[n:]

        return equation(names, shaken, draws=2 * n)


@dataclass(frozen=True)
class OnOff(Equated):
    """y = level sign(x) where on, else 0: on where abs(x) > dead_zone, off below `hysteresis` less.

    Channels that a mapping leaves out pass as they are.

    >>> thrust = OnOff(20.0, 5.0, 2.0).begin(("x",), 0.01, np.random.default_rng(0))
    >>> [thrust(np.array([x])).item() for x in (4.0, 6.0, 4.0, -4.0, 2.0)]
    [0.0, 20.0, 20.0, -20.0, 0.0]
    """

    level: PerChannel
    dead_zone: PerChannel
    hysteresis: PerChannel = 0.0

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`; its state is 1 where on."""
        level = channels("on-off: level", self.level, names, np.inf)
        dead = channels("on-off: dead_zone", self.dead_zone, names, 0.0)
        back = channels("on-off: hysteresis", self.hysteresis, names, 0.0)
        if (back > dead).any():
            name = names[int(np.argmax(back > dead))]
            raise ValueError(f"on-off: hysteresis of {name!r} is more than its dead_zone")
        switched = np.isfinite(level)
        push = np.where(switched, level, 0.0)

        def thrust(by: Operations, on: Any, w: Any, x: Any) -> tuple[Any, Any]:
            threshold = dead - back * on
            above, below = by.less(threshold, x, 1.0, 0.0), by.less(x, -threshold, 1.0, 0.0)
            return above + below, np.where(switched, push * (above - below), x)

        return equation(names, thrust, np.zeros(len(names)))


@dataclass(frozen=True)
class Quantizer(Equated):
    """y = h round(x/h), the nearest multiple of the resolution h; x itself where h is 0.

    >>> count = Quantizer(0.25).begin(("elbow",), 0.01, np.random.default_rng(0))
    >>> count(np.array([0.6])).item()
    0.5
    """

    resolution: PerChannel

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        h = channels("quantizer: resolution", self.resolution, names, 0.0)
        coarse = np.where(h > 0, h, 1.0)

        def counted(by: Operations, state: Any, w: Any, x: Any) -> tuple[Any, Any]:
            return state, np.where(h > 0, coarse * by.nearest(x / coarse), x)

        return equation(names, counted)


@dataclass(frozen=True)
class RateLimit(Equated):
    """abs(y_k - y_(k-1)) <= rate T, from zero before the first sample.

    >>> ramp = RateLimit(100.0).begin(("elbow",), 0.01, np.random.default_rng(0))
    >>> [ramp(np.array([2.5])).item() for _ in range(3)]
    [1.0, 2.0, 2.5]
    """

    rate: PerChannel

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        most = channels("rate limit: rate", self.rate, names, np.inf) * period

        def limited(by: Operations, last: Any, w: Any, x: Any) -> tuple[Any, Any]:
            y = last + by.bounded(x - last, -most, most)
            return y, y

        return equation(names, limited, np.zeros(len(names)))


@dataclass(frozen=True)
class Saturation(Equated):
    """y = min(max(x, -limit), limit)

    >>> rng, names = np.random.default_rng(), ("shoulder", "elbow")
    >>> clip = Saturation({"elbow": 2.0}).begin(names, 0.01, rng)
    >>> clip(np.array([5.0, -5.0])).tolist()
    [5.0, -2.0]
    """

    limit: PerChannel

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        limit = channels("saturation: limit", self.limit, names, np.inf)
        return equation(names, lambda by, state, w, x: (state, by.bounded(x, -limit, limit)))
