"""A SymPy expression of one symbol as a function of arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.derive.graph import Graph, evaluate, from_sympy


def numeric_function(expression: sympy.Expr, symbol: sympy.Symbol) -> Callable[[Array], Array]:
    """`expression` in double precision; `sympy.lambdify` would print fifteen digits.

    >>> x = sympy.Symbol("x")
    >>> numeric_function(sympy.sqrt(2) * x, x)(np.array([1.0, 2.0])).round(3)
    array([1.414, 2.828])
    """
    graph = Graph()
    leaf = graph.symbol(symbol.name)
    node = from_sympy(graph, expression, {symbol: leaf})

    def function(values: Array) -> Array:
        (result,) = evaluate(graph, [node], {leaf: np.asarray(values, dtype=float)})
        return np.broadcast_to(result, np.shape(values))

    return function
