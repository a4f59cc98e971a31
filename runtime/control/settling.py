"""Gains of a critically damped loop from the time in which it settles."""

from __future__ import annotations

import math
from numbers import Real
from typing import NamedTuple

THESIS_PRODUCT = 5.76
"""omega_n t_s that leaves 2.1 % of an error (Caron 1996, sec. 5.2)."""


class Gains(NamedTuple):
    """Gains of a loop e'' + kd e' + kp e = 0: kp [1/s^2], kd [1/s]."""

    kp: float
    kd: float


def settling_gains(settling_time: float, *, product: float = THESIS_PRODUCT) -> Gains:
    """Gains that bring an error down in `settling_time` [s], without overshoot.

    The error of a critically damped loop, from rest, is (1 + omega t) exp(-omega t); with
    omega = product/settling_time,

        kp = omega^2,   kd = 2 omega.

    `product` is omega t at the settling time; `settling_product` gives that of any remaining part.
    Raises ValueError unless both are positive and finite.

    Reference: Craig, *Introduction to Robotics* (2005), sec. 9.3.

    >>> kp, kd = settling_gains(40.0)
    >>> round(kp, 4), round(kd, 4)
    (0.0207, 0.288)
    """
    for name, value in (("settling_time", settling_time), ("product", product)):
        if not (_is_number(value) and math.isfinite(value) and value > 0):
            raise ValueError(f"{name} is {value!r}; give a positive number")
    omega = product / settling_time
    return Gains(omega**2, 2 * omega)


def settling_product(remaining: float = 0.02) -> float:
    """omega t at which the part `remaining` of an error is left: (1 + x) exp(-x) = remaining.

    Raises ValueError unless 0 < remaining < 1.

    >>> x = settling_product(0.02)
    >>> round((1 + x) * math.exp(-x), 12)
    0.02
    """
    if not (_is_number(remaining) and 0 < remaining < 1):
        raise ValueError(f"remaining is {remaining!r}; give a number between 0 and 1")
    x = 1.0 - math.log(remaining)
    for _ in range(100):
        # Newton on log((1 + x)/remaining) = x, convex: it converges from the right of the root.
        step = (x - math.log1p(x) + math.log(remaining)) / (x / (1 + x))
        x -= step
        if abs(step) <= 1e-15 * x:
            break
    return x


def _is_number(value: object) -> bool:
    return isinstance(value, Real)
