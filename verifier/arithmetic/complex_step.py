"""Derivatives of graph functions by a complex step, and one-sided ones by differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mpmath
import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.graph import Graph, evaluate_mp, reachable

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


DIGITS, STEPS = 800, ("1e-200", "1e-260")


_SAME = "1e-12"


def one_sided(
    graph: Graph,
    nodes: Sequence[int],
    values: Mapping[int | str, float],
    direction: Mapping[int | str, Array],
) -> tuple[Array, Array]:
    """(slopes from below, slopes from above), each (len(nodes), directions) and NaN where there is
    no finite limit; arguments as of `complex_step`.

    >>> g = Graph()
    >>> x = g.symbol("x")
    >>> roots = [g.unary("abs", x), g.sqrt(x)]
    >>> below, above = one_sided(g, roots, {x: 0.0}, {x: np.ones(1)})
    >>> below.ravel().tolist(), above.ravel().tolist()
    ([-1.0, nan], [1.0, nan])
    """
    count = next((len(rates) for rates in direction.values()), 0)
    found = np.full((2, len(nodes), count), np.nan)
    with mpmath.workdps(DIGITS):
        here = evaluate_mp(graph, nodes, values, DIGITS)
        for side, sign in enumerate((-1, 1)):
            for k in range(count):
                rates = {key: float(rate[k]) for key, rate in direction.items()}
                slopes = [
                    _slopes(graph, nodes, values, rates, here, sign * mpmath.mpf(step))
                    for step in STEPS
                ]
                found[side, :, k] = [_limit(a, b) for a, b in zip(*slopes, strict=True)]
    return found[0], found[1]


def _slopes(
    graph: Graph,
    nodes: Sequence[int],
    values: Mapping[int | str, float],
    rates: Mapping[int | str, float],
    here: Sequence[Any],
    h: Any,
) -> list[Any]:
    moved: dict[int | str, Any] = dict(values)
    moved |= {key: mpmath.mpf(values[key]) + h * rate for key, rate in rates.items()}
    there = evaluate_mp(graph, nodes, moved, DIGITS)
    return [(b - a) / h for a, b in zip(here, there, strict=True)]


def _limit(a: Any, b: Any) -> float:
    is_same = mpmath.isfinite(b) and abs(a - b) <= mpmath.mpf(_SAME) * (1 + abs(b))
    return float(b) if is_same else float("nan")
