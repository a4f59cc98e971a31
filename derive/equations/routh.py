"""Routh's table: whether a polynomial has roots that do not decay, without finding them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray


def routh_table(coefficients: sp.Poly | Sequence[Any]) -> list[list[Any]]:
    """Rows of Routh's table of a_0 s^n + a_1 s^(n-1) + ... + a_n, symbolic or exact.

        r_0 = (a_0, a_2, ...),  r_1 = (a_1, a_3, ...),
        r_(i+1),j = r_(i-1),(j+1) - r_(i-1),0 r_i,(j+1) / r_i,0

    References: Routh, *Stability of a Given State of Motion* (1877); Gantmacher, *The Theory of
    Matrices* (1959), vol. 2, ch. XV.

    Parameters
    ----------
    coefficients : polynomial of SymPy in one variable, or its coefficients, highest power first
        Symbols, or numbers; floating-point numbers are taken as the rational numbers that they are.

    Raises
    ------
    ValueError
        Where a first entry is zero: the polynomial has roots that do not decay. Without
        coefficients.

    Examples
    --------

    >>> a, b, c = sp.symbols("a b c")
    >>> routh_table([1, a, b, c])
    [[1, b], [a, c], [(a*b - c)/a, 0], [c, 0]]
    """
    given = coefficients.all_coeffs() if isinstance(coefficients, sp.Poly) else coefficients
    row = [sp.nsimplify(entry, rational=True) for entry in given]
    if not row:
        raise ValueError("coefficients: give at least one")
    width = (len(row) + 1) // 2
    rows = [_filled(row[0::2], width)]
    if len(row) > 1:
        rows.append(_filled(row[1::2], width))
    for i in range(2, len(row)):
        above, below = rows[-2:]
        if below[0] == 0:
            raise ValueError(f"row {i - 1} of the table begins with zero")
        factor = above[0] / below[0]
        found = [x - factor * y for x, y in zip(above[1:], below[1:], strict=True)]
        rows.append(_filled([sp.cancel(x) for x in found], width))
    if rows[-1][0] == 0:
        raise ValueError(f"row {len(rows) - 1} of the table begins with zero")
    return rows


def is_stable(coefficients: sp.Poly | Sequence[Any]) -> bool:
    """True if all roots of a polynomial with numbers have negative real parts, in exact numbers.

    >>> is_stable([1, 2, 3, 5]), is_stable([1, 2, 3, 7]), is_stable([1, 0, 4])
    (True, False, False)
    """
    try:
        first = [row[0] for row in routh_table(coefficients)]
    except ValueError:
        return False  # a root on the imaginary axis, or right of it
    return all(entry > 0 for entry in first) or all(entry < 0 for entry in first)


def growing_roots(coefficients: Sequence[ArrayLike]) -> NDArray[np.float64]:
    """Number of roots with positive real parts, by changes of sign in the table's first column.

    Parameters
    ----------
    coefficients : arrays of one shape, or numbers
        Highest power first: one polynomial an entry, such as over a grid of parameters.

    Returns numbers in that shape; NaN where a first entry is zero, as on the edge of stability.

    >>> growing_roots([1.0, 2.0, 3.0, np.array([5.0, 7.0])]).tolist()
    [0.0, 2.0]
    """
    rows = list(np.broadcast_arrays(*(np.asarray(c, dtype=np.float64) for c in coefficients)))
    width, none = (len(rows) + 1) // 2, np.zeros_like(rows[0])
    above, below = ([*rows[first::2], *[none] * (width - len(rows[first::2]))] for first in (0, 1))
    column = [above[0]]
    with np.errstate(all="ignore"):
        for _ in rows[1:]:
            column.append(below[0])
            factor = above[0] / below[0]
            after = [x - factor * y for x, y in zip(above[1:], below[1:], strict=True)]
            above, below = below, [*after, none]
        signs = np.sign(column)
        found = (signs[1:] * signs[:-1] < 0).sum(axis=0).astype(np.float64)
        return np.where((signs != 0).all(axis=0) & np.isfinite(column).all(axis=0), found, np.nan)


def _filled(row: Sequence[Any], width: int) -> list[Any]:
    return [*row, *[sp.Integer(0)] * (width - len(row))]
