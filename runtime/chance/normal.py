"""Normal numbers that have the same bits wherever they are drawn, in Python and in emitted C.

They are the inverse of the normal distribution at uniform numbers, of additions, multiplications,
divisions and square roots alone: those are rounded alike everywhere, logarithms of math libraries
are not. The template ``chance.c`` does the same operations in the same order.

Reference: Wichura, Algorithm AS 241: the percentage points of the normal distribution, Applied
Statistics 37 (1988) 477.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.chance.counter_random import Words, philox

_CENTRE = (
    (
        2509.0809287301226727,
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.387132872796366608,
    ),
    (
        5226.495278852854561,
        28729.085735721942674,
        39307.89580009271061,
        21213.794301586595867,
        5394.1960214247511077,
        687.1870074920579083,
        42.313330701600911252,
        1.0,
    ),
)
_TAIL = (
    (
        7.7454501427834140764e-4,
        0.0227238449892691845833,
        0.24178072517745061177,
        1.27045825245236838258,
        3.64784832476320460504,
        5.7694972214606914055,
        4.6303378461565452959,
        1.42343711074968357734,
    ),
    (
        1.05075007164441684324e-9,
        5.475938084995344946e-4,
        0.0151986665636164571966,
        0.14810397642748007459,
        0.68976733498510000455,
        1.6763848301838038494,
        2.05319162663775882187,
        1.0,
    ),
)
_FAR = (
    (
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        0.0012426609473880784386,
        0.026532189526576123093,
        0.29656057182850489123,
        1.7848265399172913358,
        5.4637849111641143699,
        6.6579046435011037772,
    ),
    (
        2.04426310338993978564e-15,
        1.4215117583164458887e-7,
        1.8463183175100546818e-5,
        7.868691311456132591e-4,
        0.0148753612908506148525,
        0.13692988092273580531,
        0.59983220655588793769,
        1.0,
    ),
)
_LN_2 = 0.6931471805599453
_ROOT_HALF = 0.7071067811865476
_TERMS = 11
_AHEAD = 256
"""Numbers that are drawn at once, as one costs about as much as many."""

_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


class NormalStream:
    """The normal numbers of a seed, one after the other.

    >>> a, b = NormalStream(7), NormalStream(7)
    >>> first = a.standard_normal(2)
    >>> bool((np.append(first, a.standard_normal(1)) == b.standard_normal(3)).all())
    True
    """

    def __init__(self, seed: int) -> None:
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed is {seed!r}; give a whole number from 0 to below 2**64")
        self._key = np.array([seed & 0xFFFFFFFF, seed >> 32], np.uint64)
        self._drawn, self._coming = 0, np.zeros(0)

    def standard_normal(self, size: int) -> Array:
        """The next (size,) numbers, of mean 0 and variance 1."""
        if size > len(self._coming):
            self._coming = np.concatenate([self._coming, self._further(size + _AHEAD)])
        found, self._coming = self._coming[:size], self._coming[size:]
        return found

    def _further(self, size: int) -> Array:
        places: Words = np.arange(self._drawn, self._drawn + size, dtype=np.uint64)
        self._drawn += size
        zero = np.zeros_like(places)
        a, b, *_ = philox(np.array([places & _LOW, places >> _HALF, zero, zero]), self._key)
        words = (a << _HALF | b) >> np.uint64(12)
        return normal_quantile((words.astype(np.float64) + 0.5) * 2.0**-52)


def normal_quantile(p: Array) -> Array:
    """x of P(X < x) = p, 0 < p < 1, for X of mean 0 and variance 1."""
    q = p - 0.5
    r = 0.180625 - q * q
    centre = q * _ratio(_CENTRE, r)
    root = np.sqrt(-logarithm(np.minimum(p, 1.0 - p)))
    outside = np.where(root <= 5.0, _ratio(_TAIL, root - 1.6), _ratio(_FAR, root - 5.0))
    tail = np.where(q < 0.0, -outside, outside)
    found: Array = np.where(np.abs(q) <= 0.425, centre, tail)
    return found


def logarithm(x: Array) -> Array:
    """ln x of x > 0: 2 artanh((m - 1)/(m + 1)) + e ln 2 with x = m 2^e, m near 1."""
    m, e = np.frexp(x)
    small = m < _ROOT_HALF
    m, exponent = np.where(small, 2.0 * m, m), (e - small).astype(np.float64)
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    series = np.full_like(z, 1.0 / (2 * _TERMS - 1))
    for k in range(_TERMS - 2, -1, -1):
        series = series * z + 1.0 / (2 * k + 1)
    return exponent * _LN_2 + 2.0 * s * series


def _ratio(coefficients: tuple[tuple[float, ...], tuple[float, ...]], x: Array) -> Array:
    upper, lower = (np.full_like(x, row[0]) for row in coefficients)
    for a, b in zip(coefficients[0][1:], coefficients[1][1:], strict=True):
        upper, lower = upper * x + a, lower * x + b
    return upper / lower
