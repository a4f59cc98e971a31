"""Derivatives of graph functions by a complex step.

f(x + i h d) = f(x) + i h f'(x) d + O(h^2): the imaginary part over h is the derivative along d,
without any cancellation, exact to rounding for h = 1e-30. Comparisons, signs and magnitudes follow
the real part; |x| has at its kink the mean of its slopes, 0. Reference: Squire and Trapp, SIAM
Review 40 (1998) 110.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.graph import Graph, reachable

STEP = 1e-30


def _atan2(y: Any, x: Any) -> Any:
    y, x = np.asarray(y, dtype=complex), np.asarray(x, dtype=complex)
    square = x.real**2 + y.real**2
    slope = (x.real * y.imag - y.real * x.imag) / square
    return np.arctan2(y.real, x.real) + 1j * slope


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "neg": np.negative,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "pow": np.power,
    **{
        name: getattr(np, name)
        for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh")
    },
    **{f"a{name}": getattr(np, f"arc{name}") for name in ("sin", "cos", "tan", "sinh", "cosh")},
    "atanh": np.arctanh,
    "atan2": _atan2,
    "abs": lambda a: np.sign(np.real(a)) * a,
    "sign": lambda a: np.sign(np.real(a)) + 0j,
    "floor": lambda a: np.floor(np.real(a)) + 0j,
    "min": lambda a, b: np.where(np.real(a) <= np.real(b), a, b),
    "max": lambda a, b: np.where(np.real(a) >= np.real(b), a, b),
    "lt": lambda a, b: np.real(a) < np.real(b),
    "le": lambda a, b: np.real(a) <= np.real(b),
    "eq": lambda a, b: np.real(a) == np.real(b),
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
    "select": np.where,
}


def complex_step(
    graph: Graph,
    nodes: Sequence[int],
    values: Mapping[int | str, float],
    direction: Mapping[int | str, Array],
) -> Array:
    """(len(nodes), directions): derivatives of `nodes` along each of a batch of directions.

    `values` are numbers of symbols by node or name; `direction` the rates of some of them, arrays
    of one length.
    """
    count = next((len(rates) for rates in direction.values()), 0)
    known: dict[int, Any] = {}
    with np.errstate(all="ignore"):
        for node in reachable(graph, nodes):
            op = graph.op[node]
            if op == "const":
                known[node] = np.complex128(float(graph.value[node]))  # type: ignore[arg-type]
            elif op == "symbol":
                key = node if node in values else str(graph.value[node])
                known[node] = values[key] + 1j * STEP * np.asarray(direction.get(key, 0.0))
            else:
                known[node] = _OPERATIONS[op](*(known[a] for a in graph.args[node]))
    rows = [np.broadcast_to(np.imag(known[node]) / STEP, (count,)) for node in nodes]
    return np.array(rows, dtype=float).reshape(len(rows), count)
