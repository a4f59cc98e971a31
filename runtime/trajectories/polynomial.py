"""Polynomials of time."""

from __future__ import annotations

import numpy as np

from eomc.runtime.trajectories.profile import Array, Profile, Sample


class Polynomial(Profile):
    """sum_n c_n x^n of x = (t - start_time)/duration, with coefficients c (degree + 1, ...)."""

    def __init__(self, coefficients: Array, duration: float, start_time: float) -> None:
        super().__init__(start_time, start_time + duration)
        if not np.isfinite(coefficients).all():
            raise ValueError("duration, start or end are too large: the coefficients overflow")
        self.coefficients = coefficients

    def inside(self, t: Array) -> Sample:
        """Position, rate and acceleration at times (k,)."""
        x, rows = (t - self.start_time) / self.duration, self.coefficients
        values = []
        for _ in range(3):
            powers = x[:, None] ** np.arange(len(rows))
            values.append(np.tensordot(powers, rows, axes=1))
            factors = np.arange(1, len(rows)).reshape(-1, *[1] * (rows.ndim - 1))
            rows = rows[1:] * factors / self.duration
        return Sample(*values)
