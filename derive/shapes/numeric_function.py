"""Functions of arrays from SymPy expressions, and their integrals by Gauss-Legendre panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

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


_ORDER = 20


@lru_cache(maxsize=64)
def _legendre(order: int) -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(order)
    return (nodes + 1) / 2, weights / 2


def gauss_points(breaks: Sequence[float], panels: int, order: int = _ORDER) -> tuple[Array, Array]:
    """Points and weights on [breaks[0], breaks[-1]], each interval cut into `panels` panels.

    >>> points, weights = gauss_points([0.0, 1.0], 1)
    >>> abs(float(weights @ points**39) - 1 / 40) < 1e-15
    True
    """
    nodes, weights = _legendre(order)
    edges = np.concatenate(
        [np.linspace(a, b, panels + 1)[:-1] for a, b in pairwise(breaks)] + [np.array([breaks[-1]])]
    )
    widths = np.diff(edges)
    points = edges[:-1, None] + widths[:, None] * nodes
    return points.ravel(), (widths[:, None] * weights).ravel()


def integrate(
    function: Callable[[Array], Array],
    lower: float,
    upper: float,
    breaks: Sequence[float] = (),
    tolerance: float = 1e-13,
) -> float:
    """Integral of `function` (of an array of points) to `tolerance` of the mean of its size.

    >>> round(integrate(np.exp, 0.0, 1.0), 14) == round(float(np.e) - 1, 14)
    True

    Raises `ValueError` if a thousand panels do not do; give the places of kinks as `breaks`.
    """
    inner = [b for b in sorted(breaks) if lower < b < upper]
    panels, last = 1, float("nan")
    while panels <= 1024:
        points, weights = gauss_points([lower, *inner, upper], panels)
        values = function(points)
        total = float(weights @ values)
        size = float(np.abs(weights) @ np.abs(values))
        if abs(total - last) <= tolerance * size:
            return total
        panels, last = panels * 2, total
    raise ValueError("the integral does not converge")
