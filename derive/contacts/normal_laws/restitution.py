"""Restitution of a law N = k d^n (1 + chi d'), for any stiffness, exponent and mass.

m v dv/(1 + chi v) = -k d^n dd integrates, and with D = chi v_in, e = v_out/v_in

    D (1 + e) = ln((1 + D)/(1 - e D))

so that e depends on D alone, and falls with the speed of the impact. Reference for the law: Hunt
and Crossley, *Coefficient of restitution interpreted as damping in vibroimpact*, J. Appl. Mech. 42
(1975) 440.
"""

from __future__ import annotations

import math
from collections.abc import Callable


def restitution_of(loss: float) -> float:
    """e in (0, 1] of D >= 0.

    >>> round(restitution_of(1.0), 12)
    0.59362426004
    """
    if loss == 0:
        return 1.0
    return _zero(lambda e: _excess(loss, e), 0.0, min(1.0, 1 / loss))


def loss_of(restitution: float) -> float:
    """D of e in (0, 1].

    >>> round(loss_of(0.5), 12)
    1.432750533271
    """
    if restitution == 1:
        return 0.0
    return _zero(lambda loss: _excess(loss, restitution), 0.0, 1 / restitution)


def _excess(loss: float, e: float) -> float:
    """D (1 + e) - ln((1 + D)/(1 - e D)): above zero below the solution."""
    rest = 1 - e * loss
    if rest <= 0:
        return -math.inf
    return loss * (1 + e) - math.log1p(loss) + math.log1p(-e * loss)


def _zero(f: Callable[[float], float], low: float, high: float) -> float:
    """Argument at which f turns from positive to negative, by bisection to the last digit."""
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return (low + high) / 2
