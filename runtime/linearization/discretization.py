"""Linear systems from sample to sample, by the zero-order hold.

Reference: Franklin, Powell and Workman, *Digital Control of Dynamic Systems* (1998), sec. 4.3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array


class DiscreteModel(NamedTuple):
    """x_k+1 = A x_k + B v_k, y_k = C x_k + D v_k at samples a `period` [s] apart."""

    A: Array
    B: Array
    C: Array
    D: Array
    period: float
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def zero_order_hold(a: ArrayLike, b: ArrayLike, period: float) -> tuple[Array, Array]:
    """A_d = e^(A T) and B_d = int_0^T e^(A s) ds B of x' = A x + B v with v held over T.

    Parameters
    ----------
    a, b : (n, n), (n, m)
    period : T [s]

    Raises ValueError for other shapes and a period that is not positive.

    >>> zero_order_hold([[0, 1], [0, 0]], [[0], [1]], 0.5)[1].ravel().tolist()
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


def checked_system(a: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
    """A (n, n) and B (n, m) as finite numbers; ValueError otherwise."""
    try:
        system, inputs = np.array(a, dtype=np.float64), np.array(b, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("A and B: give matrices of numbers") from None
    if system.ndim != 2 or system.shape[0] != system.shape[1]:
        raise ValueError(f"A has shape {system.shape}; give a square matrix")
    if inputs.ndim != 2 or len(inputs) != len(system):
        raise ValueError(f"B has shape {inputs.shape}, expected ({len(system)}, inputs)")
    if not (np.isfinite(system).all() and np.isfinite(inputs).all()):
        raise ValueError("A and B must be finite")
    return system, inputs
