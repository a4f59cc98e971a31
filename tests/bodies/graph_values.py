"""Values of SymPy expressions in double precision, by way of the expression graph.

`sympy.lambdify` prints fifteen digits; the graph keeps every double.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.derive.graph import Graph, evaluate, from_sympy


def function_of(
    symbols: Sequence[sympy.Symbol], expressions: Sequence[Any]
) -> Callable[[Sequence[float]], NDArray[np.float64]]:
    """The expressions as a function of values of the symbols."""
    graph = Graph()
    leaves = {symbol: graph.symbol(symbol.name) for symbol in symbols}
    nodes = [from_sympy(graph, sympy.sympify(e), leaves) for e in expressions]

    def function(values: Sequence[float]) -> NDArray[np.float64]:
        at = dict(zip(leaves.values(), map(float, values), strict=True))
        return np.array([float(value) for value in evaluate(graph, nodes, at)])

    return function
