"""The elementary functions of one argument: their names, symmetries and values on constants."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

Number = int | Fraction | float


def _square_root(x: Number) -> Number:
    if not isinstance(x, float) and x >= 0:
        fraction = Fraction(x)
        numerator, denominator = math.isqrt(fraction.numerator), math.isqrt(fraction.denominator)
        root = Fraction(numerator, denominator)
        if root * root == fraction:
            return root
    return math.sqrt(x)


def _absolute(x: Number) -> Number:
    return x if x >= 0 else -x


def _sign(x: Number) -> Number:
    return (x > 0) - (x < 0)


FOLD: dict[str, Callable[[Number], Number]] = {
    "sqrt": _square_root,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asinh": math.asinh,
    "acosh": math.acosh,
    "atanh": math.atanh,
    "abs": _absolute,
    "sign": _sign,
    "floor": math.floor,
}
"""Value on a constant. Exact where the result is (sqrt(4), abs), else the nearest float."""

UNARY = frozenset(FOLD)
ODD = frozenset({"sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "sign"})
EVEN = frozenset({"cos", "cosh", "abs"})
