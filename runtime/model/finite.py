"""Test that all numbers of an array are finite, at the price of one product."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def is_finite(array: NDArray[np.float64]) -> bool:
    """True if no entry is infinite or no number.

    The sum of squares tells it of all but huge entries, in a tenth of the time.

    >>> is_finite(np.array([1.0, -2.0])), is_finite(np.array([1e300, 0.0]))
    (True, True)
    >>> is_finite(np.array([1.0, np.inf])), is_finite(np.array([np.nan]))
    (False, False)
    """
    return math.isfinite(np.vdot(array, array)) or bool(np.isfinite(array).all())
