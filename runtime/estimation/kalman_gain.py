"""The stationary Kalman filter of a linear system."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.controllability import ControllabilityError, controllability
from eomc.runtime.control.regulator import regulator


def kalman_gain(
    a: ArrayLike, c: ArrayLike, w: ArrayLike, v: ArrayLike, *, states: Sequence[str] = ()
) -> Array:
    """L (n, k) of x^' = A x^ + B v + L (y - C x^), by duality to `regulator`.

    Parameters
    ----------
    a, c : (n, n), (k, n), of x' = A x + B v + noise and y = C x + noise
    w, v : number, row or matrix
        Densities of white noise on the rates and on the measurements; v is positive definite.
    states : names of x, optional
        For messages.

    Raises ControllabilityError if the measurements do not see every mode, ValueError as
    `regulator`.

    Reference: Kalman and Bucy, New results in linear filtering and prediction theory, J. Basic
    Eng. 83 (1961) 95.

    >>> kalman_gain([[0, 1], [0, 0]], [[1, 0]], [0, 1], 1).ravel().round(6).tolist()
    [1.414214, 1.0]
    """
    system, seen = np.asarray(a, dtype=np.float64), np.asarray(c, dtype=np.float64)
    unseen = controllability(system.T, seen.T, states).uncontrollable
    if unseen:
        raise ControllabilityError(f"the measurements do not see {'; '.join(map(str, unseen))}")
    return regulator(system.T, seen.T, w, v, states=states).gain.T
