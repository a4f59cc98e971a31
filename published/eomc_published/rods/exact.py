"""Closed forms of rods that bend far: Euler's elastica by elliptic integrals."""

from __future__ import annotations

import math

from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

__all__ = ["buckled", "elastica"]


def elastica(load: float) -> tuple[float, float, float]:
    """(x, y, angle) of the tip under a dead transverse load P L^2/EI, by L.

    sqrt P = K(k) - F(f, k), k^2 = (1 + sin a)/2, sin f = 1/(k sqrt 2); x = sqrt(2 sin a / P),
    y = 1 - 2 (E(k) - E(f, k))/sqrt P. Reference: Bisshopp and Drucker, Quart. Appl. Math. 3 (1945).

    >>> x, y, angle = elastica(1.0)
    >>> round(y, 8), round(angle, 8)
    (0.30172077, 0.46135195)
    """

    def modulus(angle: float) -> tuple[float, float]:
        m = (1 + math.sin(angle)) / 2
        return m, math.asin(1 / math.sqrt(2 * m))

    def missed(angle: float) -> float:
        m, f = modulus(angle)
        return float(ellipk(m) - ellipkinc(f, m)) - math.sqrt(load)

    angle = float(brentq(missed, 1e-9, math.pi / 2 - 1e-12, xtol=1e-15))
    m, f = modulus(angle)
    y = 1 - 2 * float(ellipe(m) - ellipeinc(f, m)) / math.sqrt(load)
    return math.sqrt(2 * math.sin(angle) / load), y, angle


def buckled(angle: float) -> tuple[float, float, float]:
    """(P/P_cr, x, y) of a cantilever column bent to the end `angle` [rad]: P = K^2.

    >>> [round(value, 8) for value in buckled(math.radians(60))]
    [1.15171962, 0.74101961, 0.59320765]
    """
    k = math.sin(angle / 2)
    first, second = float(ellipk(k * k)), float(ellipe(k * k))
    return (2 * first / math.pi) ** 2, 2 * second / first - 1, 2 * k / first
