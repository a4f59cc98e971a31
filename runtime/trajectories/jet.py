"""Values that carry their first two time derivatives: truncated Taylor series.

f(x)   has   f' = f_x x',   f'' = f_x x'' + f_xx x'^2

exactly, so that whatever is computed from a motion moves with exact rates and accelerations.
Reference: Griewank and Walther, *Evaluating Derivatives* (2008), ch. 13.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array


@dataclass(frozen=True)
class Jet:
    """A value at times (k,) with its rate and acceleration, all of one shape.

    Mixes with numbers, which rest. Operators + - * /, and the functions of this file.

    >>> t = Jet(np.array([3.0]), np.array([1.0]), np.array([0.0]))
    >>> t * t
    Jet(value=array([9.]), rate=array([6.]), acceleration=array([2.]))
    """

    value: Array
    rate: Array
    acceleration: Array

    @classmethod
    def of(cls, x: Jet | ArrayLike) -> Jet:
        """A jet as it is; a number as one that rests."""
        if isinstance(x, Jet):
            return x
        value = np.asarray(x, dtype=np.float64)
        return cls(value, np.zeros_like(value), np.zeros_like(value))

    def through(self, value: ArrayLike, first: ArrayLike, second: ArrayLike) -> Jet:
        """f of this, given f, df/dx and d2f/dx2 at its value."""
        f, f_x, f_xx = (np.asarray(x, dtype=np.float64) for x in (value, first, second))
        return Jet(f, f_x * self.rate, f_x * self.acceleration + f_xx * self.rate**2)

    def __neg__(self) -> Jet:
        return Jet(-self.value, -self.rate, -self.acceleration)

    def __add__(self, other: Jet | float) -> Jet:
        y = Jet.of(other)
        return Jet(self.value + y.value, self.rate + y.rate, self.acceleration + y.acceleration)

    def __sub__(self, other: Jet | float) -> Jet:
        return self + -Jet.of(other)

    def __mul__(self, other: Jet | float) -> Jet:
        y = Jet.of(other)
        return Jet(
            self.value * y.value,
            self.rate * y.value + self.value * y.rate,
            self.acceleration * y.value + 2 * self.rate * y.rate + self.value * y.acceleration,
        )

    def __truediv__(self, other: Jet | float) -> Jet:
        y = Jet.of(other)
        one = 1 / y.value
        return self * y.through(one, -(one**2), 2 * one**3)

    def __radd__(self, other: float) -> Jet:
        return self + other

    def __rsub__(self, other: float) -> Jet:
        return -self + other

    def __rmul__(self, other: float) -> Jet:
        return self * other

    def __rtruediv__(self, other: float) -> Jet:
        return Jet.of(other) / self


def sqrt(x: Jet) -> Jet:
    """x > 0"""
    root = np.sqrt(x.value)
    return x.through(root, 0.5 / root, -0.25 / (root * x.value))


def sin(x: Jet) -> Jet:
    """[rad]"""
    s, c = np.sin(x.value), np.cos(x.value)
    return x.through(s, c, -s)


def cos(x: Jet) -> Jet:
    """[rad]"""
    s, c = np.sin(x.value), np.cos(x.value)
    return x.through(c, -s, -c)


def acos(x: Jet) -> Jet:
    """abs(x) < 1; an angle in (0, pi) [rad]."""
    s2 = 1 - x.value**2
    return x.through(np.arccos(x.value), -(s2**-0.5), -x.value * s2**-1.5)


def atan2(y: Jet, x: Jet) -> Jet:
    """Angle of (x, y), which is not (0, 0); it goes on from one time to the next without jumps."""
    r2 = x.value**2 + y.value**2
    rate = (x.value * y.rate - y.value * x.rate) / r2
    growth = 2 * (x.value * x.rate + y.value * y.rate)
    turn = x.value * y.acceleration - y.value * x.acceleration
    angle = np.arctan2(y.value, x.value)
    return Jet(angle, rate, (turn - growth * rate) / r2)
