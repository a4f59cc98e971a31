"""Spectra of simulated motions, to compare with eigenfrequencies.

A record of n samples over T = n dt seconds resolves frequencies to bins of 1/T; a line is known to
within half a bin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array

_EVEN = 1e-9


@dataclass(frozen=True)
class Spectrum:
    """Amplitudes (n, channels) at frequencies (n,) [Hz], bins of width `bin` [Hz]."""

    frequency: Array
    amplitude: Array
    bin: float

    def peaks(self, floor: float = 0.0) -> Array:
        """Frequencies of local maxima of any channel above `floor` times its largest, rising."""
        found: set[int] = set()
        for column in self.amplitude.T:
            inner = column[1:-1]
            highest = float(column.max(initial=0.0))
            above = (inner > column[:-2]) & (inner >= column[2:]) & (inner > floor * highest)
            found |= {int(k) + 1 for k in np.flatnonzero(above)}
        return self.frequency[sorted(found)]

    def nearest(self, frequency: float, floor: float = 0.0) -> float:
        """The peak next to `frequency` [Hz]; ValueError if there is no peak at all."""
        peaks = self.peaks(floor)
        if not peaks.size:
            raise ValueError("the spectrum has no peak")
        return float(peaks[np.argmin(np.abs(peaks - frequency))])


def spectrum(t: ArrayLike, values: ArrayLike, window: bool = False) -> Spectrum:
    """One-sided amplitudes of evenly sampled channels (n, channels), their means removed.

    `window` applies Hann's, which suppresses leakage and widens lines to two bins. Raises
    ValueError for uneven times.

    >>> t = np.arange(1000) * 0.01
    >>> float(spectrum(t, np.sin(2 * np.pi * 3.0 * t)).peaks(0.5)[0])
    3.0
    """
    times, channels = np.asarray(t, dtype=float), np.asarray(values, dtype=float)
    channels = channels.reshape(len(times), -1)
    if len(times) < 4:
        raise ValueError("a spectrum needs at least four samples")
    steps = np.diff(times)
    if not (steps[0] > 0 and np.abs(steps - steps[0]).max() <= _EVEN * abs(times[-1])):
        raise ValueError("a spectrum needs evenly spaced times")
    n = len(times)
    weights = np.hanning(n + 1)[:n] if window else np.ones(n)
    centered = (channels - channels.mean(axis=0)) * weights[:, None]
    amplitude = np.asarray(
        np.abs(np.fft.rfft(centered, axis=0)) * 2 / weights.sum(), dtype=np.float64
    )
    frequency = np.asarray(np.fft.rfftfreq(n, float(steps.mean())), dtype=np.float64)
    return Spectrum(frequency, amplitude, float(frequency[1]))
