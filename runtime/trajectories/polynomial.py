"""Polynomials of time."""

from __future__ import annotations

import numpy as np
from numpy.polynomial.polynomial import polyder, polyval

from eomc.binding.arrays import Array
from eomc.runtime.trajectories.profile import Profile, Sample


class Polynomial(Profile):
    """sum_n c_n x^n of x = (t - start_time)/duration, with coefficients c (degree + 1, ...)."""

    def __init__(self, coefficients: Array, duration: float, start_time: float) -> None:
        super().__init__(start_time, start_time + duration)
        if not np.isfinite(coefficients).all():
            raise ValueError("duration, start or end are too large: the coefficients overflow")
        self.coefficients = coefficients

    def inside(self, t: Array) -> Sample:
        """Position, rate and acceleration at times (k,)."""
        x = (t - self.start_time) / self.duration
        rows = [polyder(self.coefficients, m, scl=1 / self.duration) for m in range(3)]
        values = (np.moveaxis(polyval(x, part), -1, 0) for part in rows)
        return Sample(*(np.asarray(value, dtype=np.float64) for value in values))
