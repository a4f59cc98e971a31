"""Characteristic equations of uniform Euler-Bernoulli beams and their roots.

The deflection phi(x/l) exp(i omega t) of a beam with mass per length rho and bending stiffness EI
has omega = lambda^2 sqrt(EI / (rho l^4)). The ends fix the wave numbers lambda as the roots of

    free-free, clamped-clamped      cos L cosh L = 1
    clamped-free, mass m at the tip cos L cosh L + 1 = (m / (rho l)) L (sin L cosh L - cos L sinh L)
    clamped-pinned, pinned-free     tan L = tanh L
    hub of inertia J at the root    cos L sinh L - sin L cosh L = h L^3 (1 + cos L cosh L)
    pinned-pinned                   sin L = 0

with h = J / (rho l^3). Each is divided by cosh L, which leaves the roots and removes the overflow,
and each interval of length pi named below holds exactly one root. Reference: Meirovitch,
*Fundamentals of Vibrations*, ch. 8.
"""

from __future__ import annotations

import math
from collections.abc import Callable


def _root(function: Callable[[float], float], first: float, last: float) -> float:
    from scipy.optimize import brentq  # slow to load, and models without beams need it not

    return float(brentq(function, first, last, xtol=1e-15, rtol=1e-15, maxiter=200))


def _sech(x: float) -> float:
    return 2 * math.exp(-x) / (1 + math.exp(-2 * x))


def free_free_root(j: int) -> float:
    """j-th root, j = 1, 2, ..., of cos L cosh L = 1, also of the clamped-clamped beam.

    >>> [round(free_free_root(j), 6) for j in (1, 2, 3, 4)]
    [4.730041, 7.853205, 10.995608, 14.137165]
    """
    return _root(lambda x: math.cos(x) - _sech(x), j * math.pi, (j + 1) * math.pi)


def clamped_free_root(j: int, ratio: float = 0.0) -> float:
    """j-th root of the cantilever with a point mass at its tip, `ratio` = m / (rho l) >= 0.

    >>> [round(clamped_free_root(1, ratio), 4) for ratio in (0, 1, 5)]
    [1.8751, 1.2479, 0.87]
    """

    def characteristic(x: float) -> float:
        free = math.cos(x) + _sech(x)
        return free - ratio * x * (math.sin(x) - math.cos(x) * math.tanh(x))

    return _root(characteristic, (j - 1) * math.pi, j * math.pi)


def clamped_pinned_root(j: int) -> float:
    """j-th root of tan L = tanh L.

    >>> round(clamped_pinned_root(1), 6)
    3.926602
    """
    return _root(lambda x: math.sin(x) - math.cos(x) * math.tanh(x), j * math.pi, (j + 1) * math.pi)


def pinned_pinned_root(j: int) -> float:
    """j pi"""
    return j * math.pi


def hub_root(j: int, ratio: float) -> float:
    """j-th root of the free beam with a hub at its pinned root, `ratio` = J / (rho l^3) >= 0.

    A heavy hub holds the root as a clamp does.

    >>> [round(hub_root(1, ratio), 4) for ratio in (0, 0.1, 1e9)]
    [3.9266, 2.6389, 1.8751]
    """

    def characteristic(x: float) -> float:
        pinned = math.sin(x) - math.cos(x) * math.tanh(x)
        return pinned + ratio * x**3 * (math.cos(x) + _sech(x))

    first, last = clamped_free_root(j), clamped_pinned_root(j)
    if characteristic(first) * characteristic(last) >= 0:  # no hub to speak of, or a clamp
        return last if ratio < 1 else first
    return _root(characteristic, first, last)
