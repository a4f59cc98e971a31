"""Propagation of a covariance from sample to sample, in operations that are emitted."""

from __future__ import annotations

from math import ceil, log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.difference import Operations

_LEAST, _MOST = 8, 12
"""Degrees of the series."""
_LEFT = 1e-13
"""Size of the last term of the series at the first estimate."""
_MUCH = 1e-9
"""Size of the last term at which the period counts as too long."""


class SeriesDegree(NamedTuple):
    """The series of e^(A h), h = T/2^halvings, ends with (A h)^degree."""

    degree: int
    halvings: int


class LongPeriodError(ValueError):
    """A filter was sampled too slowly for what moves."""


def series_degree(a: ArrayLike, period: float) -> SeriesDegree:
    """The shortest series that does for A, and for one that moves four times as fast.

    >>> series_degree([[0, 1], [-100, 0]], 0.01)
    SeriesDegree(degree=12, halvings=0)
    """
    if not (np.isfinite(period) and period > 0):
        raise ValueError(f"period is {period!r}; give a positive time [s]")
    matrix = 4.0 * period * np.asarray(a, dtype=np.float64)
    radius = float(np.abs(np.linalg.eigvals(matrix)).max(initial=0.0))
    halvings = ceil(log2(radius)) if radius > 1.0 else 0
    term, degree = matrix / 2**halvings, 1
    power = term
    while degree < _MOST and (degree < _LEAST or np.abs(power).max() > _LEFT):
        degree += 1
        power = power @ term / degree
    return SeriesDegree(degree, halvings)


def carried(
    by: Operations, a: Any, density: Array, p: Any, period: float, series: SeriesDegree
) -> Any:
    """F P F^T + int_0^T e^(A s) W e^(A^T s) ds,  F = e^(A T), (n, n).

    Both by their series over h = T/2^k,

        F = 1 + A h + (A h)^2/2 + ...,    Q = W h + (A W + W A^T) h^2/2 + ...,

    and, k times, F <- F F, Q <- Q + F Q F^T: products and sums alone, without a choice.

    Reference: Van Loan, Computing integrals involving the matrix exponential, IEEE Trans. Automatic
    Control 23 (1978) 395; Higham, *Functions of Matrices* (2008), ch. 10.
    """
    n, h = len(density), period / 2**series.halvings
    flow, power = np.eye(n) + h * a, h * a
    part = h * density
    gathered = part
    for k in range(2, series.degree + 1):
        power = power @ a * (h / k)
        flow = flow + power
        half = a @ part * (h / k)
        part = half + half.T
        gathered = gathered + part
    largest = np.ravel(power) @ np.ravel(power)
    by.require(
        1.0 - largest / _MUCH**2,
        "period_too_long",
        lambda: LongPeriodError(
            "the period of the filter is too long for how fast the model moves"
        ),
    )
    for _ in range(series.halvings):
        gathered = gathered + flow @ gathered @ flow.T
        flow = flow @ flow
    return mirrored(flow @ p @ flow.T + gathered)


def mirrored(matrix: Any) -> Any:
    """The lower triangle on both sides: symmetric without rounding."""
    rows, columns = np.tril_indices(len(matrix), -1)
    found = matrix.copy()
    found[columns, rows] = matrix[rows, columns]
    return found
