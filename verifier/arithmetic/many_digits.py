"""Arithmetic in many digits, whose results count as exact beside double precision.

Where python-flint is installed numbers are balls that hold the value for certain, found in far less
time; elsewhere they are mpmath's. Reference: Johansson, *Arb: efficient arbitrary-precision
midpoint-radius interval arithmetic*, IEEE Transactions on Computers 66 (2017).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
from mpmath.libmp import dps_to_prec, from_man_exp

from eomc.derive.graph import Graph, evaluate_mp
from eomc.derive.graph.evaluate import run

__all__ = ["DIGITS", "elementary", "flint", "many", "many_digits", "power", "working"]

DIGITS = 50
_NAMES = (
    *("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2"),
)

flint: Any
try:
    import flint
except ImportError:
    flint = None


@contextmanager
def working(digits: int) -> Iterator[None]:
    """Compute with so many decimal digits meanwhile.

    >>> with working(50):
    ...     abs(float(3 * (1 / many(3)) - 1)) < 1e-45
    True
    """
    with mpmath.workdps(digits):
        if flint is None:
            yield
        else:
            with flint.ctx.workprec(dps_to_prec(digits)):
                yield


def many(value: Any) -> Any:
    """A number in many digits, of one that is exact: an int, a float, or one in many digits."""
    if flint is None:
        return mpmath.mpf(value)
    # SymPy's code gives its own floats as tuples.
    return flint.arb(mpmath.mpf(value) if isinstance(value, tuple) else value)


def power(x: Any, n: int) -> Any:
    """x^n, n > 0: `**` of a ball about zero is no number."""
    half = x if n < 2 else power(x, n // 2)
    return x if n == 1 else half * half * x if n % 2 else half * half


def elementary() -> Mapping[str, Any]:
    """Elementary functions of numbers in many digits, by SymPy's names, `pi`, `power`, and `mpf`,
    by which its code for mpmath makes numbers."""
    return _of_mpmath() if flint is None else _of_balls()


@cache
def _of_mpmath() -> dict[str, Any]:
    found = {name: getattr(mpmath, name) for name in _NAMES}
    return {"mpf": many, "pi": mpmath.pi, "power": power, **found}


@cache
def _of_balls() -> dict[str, Any]:
    with working(2 * DIGITS):
        pi = flint.arb.pi()

    def of_balls(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments: function(*map(flint.arb, arguments))

    found = {name: of_balls(getattr(flint.arb, name)) for name in _NAMES}
    return {"mpf": many, "pi": pi, "power": power, **found}


# -- of graphs ---------------------------------------------------------------------------------


class _Undecided(ArithmeticError):
    """Balls that overlap are compared, a jump lies within one, or one has no end."""


def many_digits(graph: Graph, nodes: Sequence[int], values: Mapping[Any, Any]) -> list[Any]:
    """Values of nodes, mpmath's numbers, computed with `DIGITS` decimal digits.

    Floats count as the exact binary numbers they are. What has no real value is mpmath's nan.

    >>> g = Graph()
    >>> x = g.symbol("x")
    >>> [float(v) for v in many_digits(g, [g.mul(x, x)], {"x": 3.0})]
    [9.0]
    """
    if flint is not None:
        try:
            with working(DIGITS):
                return [*map(_middle, run(graph, nodes, values, _operations(), _ball))]
        except _Undecided:
            pass  # what the limit is, if there is one, mpmath tells
    return evaluate_mp(graph, nodes, values, DIGITS)


def _middle(ball: Any) -> Any:
    if isinstance(ball, bool):
        return ball
    if not ball.is_finite():
        raise _Undecided
    mantissa, exponent = ball.mid().man_exp()
    return mpmath.mp.make_mpf(from_man_exp(int(mantissa), int(exponent)))


def _ball(value: Any) -> Any:
    if isinstance(value, Fraction):
        return flint.arb(value.numerator) / value.denominator
    if not isinstance(value, int | float):
        raise _Undecided
    return flint.arb(value)


def _decided(compared: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def decide(a: Any, b: Any) -> bool:
        if a.overlaps(b) and not (a.is_exact() and b.is_exact()):
            raise _Undecided
        return compared(a, b)

    return decide


def _raised(a: Any, b: Any) -> Any:
    n = b.unique_fmpz() if b.is_exact() and b.is_integer() else None
    return power(a, int(n)) if n is not None and 0 < n < 100 else a**b


def _jumping(step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def jump(a: Any) -> Any:
        value = step(a)
        if not value.is_exact():
            raise _Undecided
        return value

    return jump


@cache
def _operations() -> dict[str, Callable[..., Any]]:
    arb = flint.arb
    return {
        **{name: getattr(arb, name) for name in (*_NAMES, "min", "max")},
        "neg": operator.neg,
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": operator.truediv,
        "pow": _raised,
        "abs": abs,
        "sign": _jumping(arb.sgn),
        "floor": _jumping(arb.floor),
        "lt": _decided(operator.lt),
        "le": _decided(operator.le),
        "eq": _decided(operator.eq),
        "and": lambda a, b: a and b,
        "or": lambda a, b: a or b,
        "not": operator.not_,
        "select": lambda condition, a, b: a if condition else b,
    }
