"""Linear systems from sample to sample."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.control.controllability import checked_system

Array = NDArray[np.float64]


def held(a: ArrayLike, b: ArrayLike, period: float) -> tuple[Array, Array]:
    """A_d = e^(A T) and B_d = int_0^T e^(A s) ds B of x' = A x + B v with v held over T.

    Parameters
    ----------
    a, b : (n, n), (n, m)
    period : T [s]

    Raises ValueError for other shapes and a period that is not positive.

    >>> held([[0, 1], [0, 0]], [[0], [1]], 0.5)[1].ravel().tolist()
    [0.125, 0.5]
    """
    from scipy.linalg import expm

    system, inputs = checked_system(a, b)
    n, m = inputs.shape
    whole = expm(_times(np.block([[system, inputs], [np.zeros((m, n + m))]]), period))
    return whole[:n, :n], whole[:n, n:]


def gathered(a: ArrayLike, weight: ArrayLike, period: float) -> Array:
    """int_0^T e^(A s) W e^(A^T s) ds: the covariance that white noise of density W makes over T.

    Parameters
    ----------
    a, weight : (n, n)
    period : T [s]

    Reference: Van Loan, Computing integrals involving the matrix exponential, IEEE Trans.
    Automatic Control 23 (1978) 395.

    >>> gathered([[0, 1], [0, 0]], [[0, 0], [0, 3]], 1.0).round(12).tolist()
    [[1.0, 1.5], [1.5, 3.0]]
    """
    from scipy.linalg import expm

    system, density = checked_system(a, weight)
    n = len(system)
    whole = expm(_times(np.block([[-system, density], [np.zeros((n, n)), system.T]]), period))
    result: Array = whole[n:, n:].T @ whole[:n, n:]
    return (result + result.T) / 2


def _times(matrix: Array, period: float) -> Array:
    if not (np.isfinite(period) and period > 0):
        raise ValueError(f"period is {period!r}; give a positive time [s]")
    product: Array = matrix * period
    return product
