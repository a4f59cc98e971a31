"""Numbers and expressions of a model: Python numbers stay what they are, text is parsed.

A scalar is an `int`, a `float` or a SymPy expression. Whole and rational numbers are exact, floats
are doubles; expressions are kept in the form that their own text parses to, so that writing a model
to a file and reading it back gives the identical model.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any, TypeAlias

import sympy

from eomc.derive.language.errors import ModelError
from eomc.derive.language.grammar import parse_expression
from eomc.derive.language.printer import canonical_expression

__all__ = ["Scalar", "Vector3", "is_number", "is_zero", "scalar", "symbols_of", "vector", "vector3"]

Scalar: TypeAlias = int | float | sympy.Expr
Vector3: TypeAlias = tuple[Scalar, Scalar, Scalar]

_LARGEST = 2**1024


def scalar(value: Any, what: str = "value") -> Scalar:
    """`value` as a scalar; text is parsed by the expression grammar.

    >>> scalar(2), scalar(0.1), scalar("1/3"), scalar("m*g/2")
    (2, 0.1, 1/3, g*m/2)

    Raises `ModelError` for anything that is no finite real number or expression.
    """
    if isinstance(value, bool):
        raise ModelError(f"{what}: {value} is no number")
    try:
        if isinstance(value, str):
            return _plain(parse_expression(value))
        if isinstance(value, sympy.Basic):
            if not isinstance(value, sympy.Expr):
                raise ModelError(f"{what}: {type(value).__name__} is no scalar expression")
            return _plain(canonical_expression(value))
        if isinstance(value, numbers.Integral):
            return _whole(int(value))
        if isinstance(value, numbers.Rational):
            return _plain(sympy.Rational(int(value.numerator), int(value.denominator)))
        if isinstance(value, numbers.Real):
            number = float(value)
            if not math.isfinite(number):
                raise ModelError(f"{number} is not finite")
            return number
    except ModelError as error:
        raise error.within(what, None) from None
    raise ModelError(f"{what}: {type(value).__name__} is neither a number nor an expression")


def _whole(value: int) -> int:
    if abs(value) >= _LARGEST:
        raise ModelError("the number is beyond the range of double precision")
    return value


def _plain(expression: sympy.Expr) -> Scalar:
    if isinstance(expression, sympy.Integer):
        return _whole(int(expression))
    if isinstance(expression, sympy.Float):
        return float(expression)
    return expression


def vector(value: Any, length: int, what: str) -> tuple[Scalar, ...]:
    """`length` scalars from a sequence, an array or a SymPy matrix."""
    try:
        entries = () if isinstance(value, str | bytes | Mapping) else tuple(value)
    except TypeError:
        entries = ()
    if not entries:
        raise ModelError(f"{what}: give {length} numbers or expressions")
    if len(entries) != length:
        raise ModelError(f"{what}: has {len(entries)} entries, needs {length}")
    return tuple([scalar(entry, f"{what}[{i}]") for i, entry in enumerate(entries)])


def vector3(value: Any, what: str) -> Vector3:
    """Three scalars."""
    x, y, z = vector(value, 3, what)
    return (x, y, z)


def is_number(value: Scalar) -> bool:
    """True if `value` holds no symbol (it may still be an exact constant such as sqrt(2))."""
    return not isinstance(value, sympy.Basic) or not value.free_symbols


def is_zero(value: Scalar) -> bool:
    """True if `value` is structurally zero: the number 0, not a symbol with value 0."""
    return bool(value == 0)


def symbols_of(*values: Scalar | None) -> list[str]:
    """Sorted names of the symbols in `values`."""
    names: set[str] = set()
    for value in values:
        if isinstance(value, sympy.Basic):
            names.update(str(symbol.name) for symbol in value.free_symbols)
    return sorted(names)
