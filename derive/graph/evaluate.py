"""Values of graph nodes: float64 over NumPy arrays, or any precision with mpmath."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

from eomc.derive.graph.node import Graph
from eomc.derive.graph.traverse import reachable

_NUMPY: dict[str, Callable[..., Any]] = {
    "neg": np.negative,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "pow": np.power,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "atan2": np.arctan2,
    "min": np.minimum,
    "max": np.maximum,
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
    "select": np.where,
    **{
        name: getattr(np, name)
        for name in (
            *("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
            *("abs", "sign", "floor"),
        )
    },
}

_MPMATH: dict[str, Callable[..., Any]] = {
    "neg": lambda a: -a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": mpmath.power,
    "abs": mpmath.fabs,
    "min": min,
    "max": max,
    # By real parts, so that complex steps differentiate the branch that is taken.
    "lt": lambda a, b: a.real < b.real,
    "le": lambda a, b: a.real <= b.real,
    "eq": lambda a, b: a == b,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "not": lambda a: not a,
    "select": lambda c, a, b: a if c else b,
    **{
        name: getattr(mpmath, name)
        for name in (
            *("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh"),
            *("tanh", "asinh", "acosh", "atanh", "sign", "floor", "atan2"),
        )
    },
}


def run(
    graph: Graph,
    nodes: Sequence[int],
    values: Mapping[Any, Any],
    table: Mapping[str, Callable[..., Any]],
    number: Callable[[Any], Any],
) -> list[Any]:
    """Values of `nodes` by a table of operations; `number` takes constants and given values."""
    result: dict[int, Any] = {}
    for node in reachable(graph, nodes):
        op = graph.op[node]
        if op == "const":
            result[node] = number(graph.value[node])
        elif op == "symbol":
            name = graph.value[node]
            key = node if node in values else name
            if key not in values:
                raise KeyError(f"no value given for symbol {name!r}")
            result[node] = number(values[key])
        else:
            result[node] = table[op](*map(result.__getitem__, graph.args[node]))
    return [result[node] for node in nodes]


def evaluate(
    graph: Graph, nodes: Iterable[int], values: Mapping[Any, Any]
) -> list[NDArray[np.float64]]:
    """Values of `nodes` in float64.

    `values` maps symbol nodes (int) or symbol names (str) to numbers or arrays; arrays broadcast,
    so one call evaluates a whole batch. Each result has the broadcast shape of what it depends on.

    >>> g = Graph()
    >>> x = g.symbol("x")
    >>> [float(v) for v in evaluate(g, [g.mul(x, x)], {"x": 3.0})]
    [9.0]
    """
    nodes = tuple(nodes)
    with np.errstate(all="ignore"):
        results = run(graph, nodes, values, _NUMPY, lambda v: np.asarray(v, dtype=np.float64))
    return [np.asarray(value, dtype=np.float64) for value in results]


def _to_mpf(value: Any) -> Any:
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return mpmath.mpmathify(value)


def evaluate_mp(
    graph: Graph, nodes: Iterable[int], values: Mapping[Any, Any], digits: int = 50
) -> list[Any]:
    """Values of `nodes` as mpmath numbers, computed with `digits` decimal digits.

    Float constants and inputs count as the exact binary numbers they are.
    """
    with mpmath.workdps(digits):
        return run(graph, tuple(nodes), values, _MPMATH, _to_mpf)
