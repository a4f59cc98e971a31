"""States between those of a record."""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array


def hermite(t: Array, knots: Array, values: Array, leave: Array, arrive: Array) -> Array:
    """Cubic Hermite interpolation at times t (k,) between rows `values` (n, m) at `knots` (n,).

    `leave` (n - 1, m) are the rates at the beginning of each interval, `arrive` those at its end;
    they may differ where rates jump. The error is (interval)^4 max|y''''|/384.

    >>> knots = np.array([0.0, 2.0])
    >>> square = hermite(np.array([0.5]), knots, knots[:, None] ** 2, *np.array([[[0.0]], [[4.0]]]))
    >>> square.tolist()
    [[0.25]]
    """
    row = np.clip(np.searchsorted(knots, t, side="right") - 1, 0, len(knots) - 2)
    h = (knots[row + 1] - knots[row])[:, None]
    x = (t - knots[row])[:, None] / h
    y0, y1 = values[row], values[row + 1]
    ends = (1 + 2 * x) * (1 - x) ** 2 * y0 + x**2 * (3 - 2 * x) * y1
    slopes = x * (1 - x) ** 2 * leave[row] + x**2 * (x - 1) * arrive[row]
    result: Array = ends + h * slopes
    return result


def linear(t: Array, knots: Array, rows: Array) -> Array:
    """Rows (k, m) at times t (k,), straight between `rows` (n, m) at `knots` (n,)."""
    columns = [np.interp(t, knots, column) for column in rows.T]
    return np.array(columns).reshape(rows.shape[1], t.size).T


def zero_order_hold(t: Array, knots: Array, rows: Array) -> Array:
    """Rows (k, m) at times t (k,): each of `rows` (n, m) from its knot until the next."""
    return rows[np.clip(np.searchsorted(knots, t, side="right") - 1, 0, len(knots) - 1)]
