"""Numeric value of a scalar at given values of its symbols, in double precision."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar

__all__ = ["value_of"]

_FUNCTIONS: dict[Any, Callable[..., float]] = {
    sympy.Abs: abs,
    sympy.Min: min,
    sympy.Max: max,
    sympy.sign: lambda x: float((x > 0) - (x < 0)),
    sympy.Heaviside: lambda x, half: half if x == 0 else float(x > 0),
    **{
        getattr(sympy, name): getattr(math, name)
        for name in (
            *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log"),
            *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        )
    },
    sympy.StrictLessThan: lambda a, b: a < b,
    sympy.LessThan: lambda a, b: a <= b,
    sympy.StrictGreaterThan: lambda a, b: a > b,
    sympy.GreaterThan: lambda a, b: a >= b,
    sympy.Eq: lambda a, b: a == b,
    sympy.Ne: lambda a, b: a != b,
    sympy.And: lambda *x: all(x),
    sympy.Or: lambda *x: any(x),
    sympy.Not: lambda x: not x,
    sympy.Add: lambda *x: math.fsum(x),
    sympy.Mul: lambda *x: math.prod(x),
    sympy.Pow: lambda a, b: math.pow(a, b),
}


def value_of(value: Scalar, values: Mapping[str, float] | None = None) -> float:
    """`value` as a double, with the symbols at `values`.

    >>> value_of(sympy.sqrt(2) * sympy.Symbol("m"), {"m": 3.0})
    4.242640687119286

    Raises `ModelError` for a symbol without a value and where the value is not a finite real
    number.
    """
    try:
        plain = isinstance(value, int | float)
        number = float(value if plain else _evaluate(value, values or {}))
    except (ArithmeticError, TypeError, RecursionError):
        number = math.nan
    except ModelError:
        raise
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ModelError(f"{str(value)[:80]} has no finite real value here")
    return number


def _evaluate(node: Any, values: Mapping[str, float]) -> Any:
    if isinstance(node, sympy.Symbol):
        if node.name not in values:
            raise ModelError(f"unknown name {node.name!r}; {near_names(node.name, values)}")
        return values[node.name]
    if node.is_Number or node.is_NumberSymbol or (isinstance(node, sympy.Expr) and not node.args):
        return float(node)
    if isinstance(node, sympy.Piecewise):
        for piece, condition in node.args:
            if condition == sympy.true or _evaluate(condition, values):
                return _evaluate(piece, values)
    if node in (sympy.true, sympy.false):
        return bool(node)
    function = _FUNCTIONS.get(node.func)
    if function is None:
        raise ModelError(f"{node.func} is not supported in expressions of a model")
    return function(*(_evaluate(argument, values) for argument in node.args))
