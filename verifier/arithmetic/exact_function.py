"""SymPy's expressions as functions of numbers in many digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy.printing.pycode import MpmathPrinter

from eomc.verifier.arithmetic.many_digits import elementary

__all__ = ["exact_function"]


class _ExactPrinter(MpmathPrinter):  # type: ignore[misc]
    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp.is_Integer and expr.exp > 0:
            return f"power({self._print(expr.base)}, {expr.exp})"
        return str(super()._print_Pow(expr, rational))


def exact_function(symbols: Sequence[Any], expression: Any) -> Callable[..., Any]:
    """The expression, or a list of them, with the numbers in it as exact as they stand there.

    >>> from eomc.verifier.arithmetic.many_digits import many, working
    >>> x = sympy.Symbol("x")
    >>> third = exact_function([x], x**2 / 3)
    >>> with working(50):
    ...     abs(float(3 * third(many(2)) - 4)) < 1e-45
    True
    """
    printer = _ExactPrinter({"fully_qualified_modules": False, "inline": True})
    function: Callable[..., Any] = sympy.lambdify(
        list(symbols), expression, modules=[elementary(), "mpmath"], printer=printer, cse=True
    )
    return function
