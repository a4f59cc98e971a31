"""Bounds that keep the arithmetic on expressions of model files small and real.

SymPy evaluates numbers as it builds: 9**9**9**9 would never end, exp(exp(1e300)) would fill the
memory. Each power and function therefore looks at its arguments first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import sympy

from eomc.derive.language.errors import ModelError

__all__ = ["LARGEST_DEPTH", "LARGEST_LENGTH", "bounded", "bounded_function", "bounded_power"]

LARGEST_DEPTH = 64
LARGEST_LENGTH = 100_000
_LARGEST_BITS = 1024
_LARGEST_EXPONENT = 1024
_GROWING = frozenset({"exp", "sinh", "cosh", "tanh"})


def _bits(value: sympy.Number) -> float:
    """log2 of the size of a number: the larger of numerator and denominator."""
    if isinstance(value, sympy.Rational):
        return float(max(abs(int(value.p)).bit_length(), int(value.q).bit_length()))
    return abs(math.log2(abs(float(value)))) if value else 0.0


def _check_number(value: sympy.Basic) -> None:
    if isinstance(value, sympy.Rational):
        if _bits(value) > _LARGEST_BITS:
            raise ModelError("a number grows beyond the range of double precision")
    elif isinstance(value, sympy.Float):
        number = float(value)
        if not math.isfinite(number) or (number == 0.0 and not value.is_zero):
            raise ModelError("a number grows beyond the range of double precision")


def bounded(value: sympy.Expr) -> sympy.Expr:
    """`value` itself, if every number in it is finite, real and within the range of doubles.

    Raises `ModelError` otherwise (division by zero, square root of a negative number, overflow).
    """
    if value.is_Number or value.is_NumberSymbol:
        atoms: Sequence[sympy.Basic] = (value,)
    else:
        atoms = tuple(value.atoms(sympy.Number, sympy.NumberSymbol, sympy.I.func, sympy.zoo.func))
    for atom in atoms:
        if atom is sympy.I:
            raise ModelError("the value is not real")
        if atom in (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):
            raise ModelError("the value is not finite (a division by zero?)")
        _check_number(atom)
    return value


def bounded_power(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    """base**exponent, unless numbers in the result would be too large."""
    if exponent.is_Number:
        size = abs(float(exponent))
        if size > _LARGEST_EXPONENT and not base.is_Number:
            raise ModelError(f"an exponent is beyond {_LARGEST_EXPONENT}")
        for factor in sympy.Mul.make_args(base):
            if factor.is_Number and _bits(factor) * size > _LARGEST_BITS:
                raise ModelError("a power grows beyond the range of double precision")
            power = factor.exp if isinstance(factor, sympy.Pow) else sympy.S.Zero
            if power.is_Number and abs(float(power)) * size > _LARGEST_EXPONENT:
                raise ModelError(f"an exponent is beyond {_LARGEST_EXPONENT}")
        if base.is_Rational and isinstance(exponent, sympy.Rational):
            return _root(base, exponent)
    power = bounded(sympy.Pow(base, exponent))
    return _real(power) if power.is_number else power


def _root(base: sympy.Rational, exponent: sympy.Rational) -> sympy.Expr:
    """Rational power of a rational number; a double if the order of the root is absurd."""
    if base < 0 and exponent.q != 1:
        raise ModelError("the value is not real")
    if exponent.q > _LARGEST_EXPONENT and base != 0:
        return bounded(sympy.Float(float(base) ** float(exponent)))
    return bounded(sympy.Pow(base, exponent))


def bounded_function(
    name: str, function: Callable[..., Any], values: Sequence[sympy.Expr]
) -> sympy.Expr:
    """function(*values), unless a number among the values would make it overflow."""
    if name in _GROWING and values[0].is_number:
        number = values[0].evalf(15, maxn=60)
        if not number.is_comparable or abs(float(number)) > 700.0:
            raise ModelError(f"{name}() of so large a number is beyond double precision")
    result: sympy.Expr = function(*values)
    return _real(bounded(result)) if result.is_number else result


def _real(value: sympy.Expr) -> sympy.Expr:
    """A number that is not known to be complex, as asin(2) and sqrt(1 - pi) are."""
    if value.is_real is False:
        raise ModelError("the value is not real")
    return value
