"""A mode shape: a function of s = x/l with its derivatives and integrals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import sympy

from eomc.derive.graph import GraphError
from eomc.derive.language.errors import ModelError
from eomc.derive.shapes.exponential_polynomial import ExponentialPolynomial
from eomc.derive.shapes.numeric_function import numeric_function


@dataclass(frozen=True, eq=False)
class ModeShape:
    """phi(s), s = x/l from 0 to 1.

    Attributes
    ----------
    name : str
        What messages call it, "clamped-free 2".
    function : ExponentialPolynomial or sympy.Expr in the symbol s
        The shape itself.
    wave_number : float or None
        lambda of the uniform beam or rod whose mode it is; None for a shape of the user.
    """

    name: str
    function: ExponentialPolynomial | sympy.Expr
    wave_number: float | None = None

    def value(self, s: Any) -> Any:
        """phi(s), s a number, an array or a SymPy expression."""
        return self.derivative(s, 0)

    def slope(self, s: Any) -> Any:
        """d phi/ds"""
        return self.derivative(s, 1)

    def curvature(self, s: Any) -> Any:
        """d2 phi/ds2"""
        return self.derivative(s, 2)

    def derivative(self, s: Any, order: int) -> Any:
        """d^order phi / ds^order"""
        function = self._derivatives(order)
        if isinstance(function, ExponentialPolynomial):
            return function.at(s)
        if isinstance(s, sympy.Basic):
            return function.subs(_S, s)
        values = numeric_function(function, _S)(np.asarray(s, dtype=float))
        return values if np.ndim(s) else float(values)

    def closed_form(self, order: int = 0) -> ExponentialPolynomial:
        """A derivative as a function with a closed antiderivative.

        Raises `ModelError` for a user's shape that is no sum of powers times exponentials, sines
        and cosines.
        """
        function = self._derivatives(order)
        if isinstance(function, ExponentialPolynomial):
            return function
        raise ModelError(
            f"shape {self.name}: integrals with a variable limit need sums of whole powers of s "
            "times sin, cos, sinh, cosh or exp of multiples of s"
        )

    def product_integral(
        self,
        other: ModeShape,
        lower: float,
        upper: Any,
        orders: tuple[int, int] = (1, 1),
        folds: int = 1,
    ) -> Any:
        """Integral over s, `folds` times over, of the product of two derivatives; `upper` a number
        or an expression."""
        product = self.closed_form(orders[0]) * other.closed_form(orders[1])
        return product.integral(lower, upper, folds)

    @cached_property
    def _known(self) -> dict[int, ExponentialPolynomial | sympy.Expr]:
        return {}

    def _derivatives(self, order: int) -> ExponentialPolynomial | sympy.Expr:
        if order not in self._known:
            function = self.function
            if isinstance(function, ExponentialPolynomial):
                self._known[order] = function.derivative(order)
            else:
                self._known[order] = sympy.diff(function, _S, order)
        return self._known[order]


_S = sympy.Symbol("s")


@lru_cache(maxsize=256)
def user_shape(expression: sympy.Expr, name: str) -> ModeShape:
    """A shape given by the user as an expression in s = x/l.

    >>> s = sympy.Symbol("s")
    >>> user_shape(s**2, "parabola").slope(0.5)
    1.0

    Raises `ModelError` if the expression holds another symbol or is not finite and smooth on
    0 <= s <= 1.
    """
    expression = sympy.sympify(expression)
    strange = sorted(str(symbol) for symbol in expression.free_symbols - {_S})
    if strange:
        raise ModelError(f"shape {name}: unknown {', '.join(strange)}; a shape is a function of s")
    function = ExponentialPolynomial.from_expression(expression, _S)
    shape = ModeShape(name, function or expression)
    stations = np.linspace(0, 1, 33)
    try:
        with np.errstate(all="ignore"):
            samples = [shape.derivative(stations, order) for order in range(3)]
    except (GraphError, TypeError, ValueError):
        samples = [np.array([np.nan])]
    if not all(np.all(np.isfinite(sample)) for sample in samples):
        raise ModelError(f"shape {name}: {expression} has no finite value, slope and curvature")
    if not np.any(samples[0]):
        raise ModelError(f"shape {name}: is zero everywhere")
    return shape
