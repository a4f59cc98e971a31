"""Nodes of the graph in the terms of other packages: CasADi's expressions, JAX's arrays.

Each is a table of the package's name for every operation; `evaluate.run` goes through the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from eomc.derive.graph.evaluate import run
from eomc.derive.graph.node import Graph

_PLAIN: dict[str, Callable[..., Any]] = {
    "neg": lambda a: -a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
}
_SAME = (
    *("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sign", "floor"),
    *("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2"),
)
_CASADI = {name: name for name in _SAME} | {
    "pow": "power",
    "abs": "fabs",
    "min": "fmin",
    "max": "fmax",
    "select": "if_else",
    "and": "logic_and",
    "or": "logic_or",
    "not": "logic_not",
}
_JAX = {name: name for name in _SAME} | {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
    "pow": "power",
    "abs": "abs",
    "min": "minimum",
    "max": "maximum",
    "select": "where",
    "and": "logical_and",
    "or": "logical_or",
    "not": "logical_not",
}


def in_casadi(
    casadi: Any, graph: Graph, nodes: Sequence[int], values: Mapping[int, Any]
) -> list[Any]:
    """`nodes` as expressions of CasADi, given those of the symbol nodes."""
    return _written(casadi, _CASADI, graph, nodes, values)


def in_jax(jnp: Any, graph: Graph, nodes: Sequence[int], values: Mapping[int, Any]) -> list[Any]:
    """`nodes` by ``jax.numpy``, given the values of the symbol nodes."""
    return _written(jnp, _JAX, graph, nodes, values)


def _written(
    package: Any,
    names: Mapping[str, str],
    graph: Graph,
    nodes: Sequence[int],
    values: Mapping[int, Any],
) -> list[Any]:
    table = _PLAIN | {op: getattr(package, name) for op, name in names.items()}

    def number(value: Any) -> Any:
        return float(value) if isinstance(value, int | float | Fraction) else value

    return run(graph, nodes, values, table, number)
