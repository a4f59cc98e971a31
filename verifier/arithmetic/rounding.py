"""Bounds of the error of an evaluation of a graph in double or single precision: a running error
analysis.

Beside the value v of each node goes a bound e of its error in units of u, 2^-53 or 2^-24, by the
rules

    a + b:  e_a + e_b + |v|         a b:  |a| e_b + |b| e_a + u e_a e_b + |v|
    a / b:  (e_a + |v| e_b) / |b| + |v|      f(a):  |f'(a)| e_a + 4 |v|

to first order in u, but for products, whose factors may both cancel to zero: every operation rounds
once, an elementary function of the C library is good to two units in its last place. The bound
knows of cancellation and conditioning in each state. Reference: Higham, *Accuracy and Stability of
Numerical Algorithms*, sec. 3.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.graph import Graph, reachable

UNIT, SINGLE_UNIT = 2.0**-53, 2.0**-24
_ELEMENTARY = 4.0

_SLOPES: dict[str, Callable[[Any, Any], Any]] = {
    "exp": lambda a, v: v,
    "log": lambda a, v: 1 / a,
    "sin": lambda a, v: np.cos(a),
    "cos": lambda a, v: np.sin(a),
    "tan": lambda a, v: 1 + v * v,
    "asin": lambda a, v: 1 / np.sqrt(1 - a * a),
    "acos": lambda a, v: 1 / np.sqrt(1 - a * a),
    "atan": lambda a, v: 1 / (1 + a * a),
    "sinh": lambda a, v: np.cosh(a),
    "cosh": lambda a, v: np.sinh(a),
    "tanh": lambda a, v: 1 - v * v,
    "asinh": lambda a, v: 1 / np.sqrt(1 + a * a),
    "acosh": lambda a, v: 1 / np.sqrt(a * a - 1),
    "atanh": lambda a, v: 1 / (1 - a * a),
}
_VALUES: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh")},
    "tanh": np.tanh,
    **{f"a{name}": getattr(np, f"arc{name}") for name in ("sin", "cos", "tan", "sinh", "cosh")},
    "atanh": np.arctanh,
}
_COMPARISONS = {"lt": np.less, "le": np.less_equal, "eq": np.equal}

Pair = tuple[Any, Any]


def error_bounds(
    graph: Graph, nodes: Iterable[int], values: Mapping[int | str, Array], unit: float = UNIT
) -> dict[int, Array]:
    """Bound of the rounding error of each of `nodes`, absolute, for a batch of exact inputs.

    `unit` is the rounding of one operation, relative to its result. Infinite where the arithmetic
    cannot decide (a switch within its rounding).
    """
    known: dict[int, Pair] = {}
    rules = _rules(unit)
    nodes = tuple(nodes)
    order = reachable(graph, nodes)
    # Values go when they have been read for the last time: a million nodes in forty states are a
    # gigabyte.
    reads = Counter(argument for node in order for argument in graph.args[node])
    reads.update(set(nodes))
    with np.errstate(all="ignore"):
        for node in order:
            known[node] = _node(graph, node, known, values, rules)
            for argument in graph.args[node]:
                reads[argument] -= 1
                if not reads[argument]:
                    del known[argument]
    bounds = {}
    for node in nodes:
        error = np.asarray(known[node][1], dtype=float)
        bounds[node] = np.where(np.isnan(error), np.inf, error) * unit
    return bounds


def _node(
    graph: Graph,
    node: int,
    known: Mapping[int, Pair],
    values: Mapping[int | str, Array],
    rules: Mapping[str, Callable[..., Pair]],
) -> Pair:
    op = graph.op[node]
    if op == "const":
        return rules[op](graph.value[node])
    if op == "symbol":
        return values[node if node in values else str(graph.value[node])], 0.0
    arguments = [known[argument] for argument in graph.args[node]]
    if op in _SLOPES:
        (a, error), v = arguments[0], _VALUES[op](arguments[0][0])
        slope = np.abs(_SLOPES[op](a, v))
        # What is exact stays exact under an infinite slope.
        return v, np.where(error == 0, 0.0, slope * error) + _ELEMENTARY * np.abs(v)
    return rules[op](*arguments)


def _constant(value: Any, unit: float) -> Pair:
    number = float(value)
    kept = number if unit == UNIT else float(np.float32(number))
    exact = isinstance(value, float) and unit == UNIT
    return number, 0.0 if exact or Fraction(value) == Fraction(kept) else abs(number)


def _add(a: Pair, b: Pair) -> Pair:
    v = a[0] + b[0]
    return v, a[1] + b[1] + np.abs(v)


def _sub(a: Pair, b: Pair) -> Pair:
    v = a[0] - b[0]
    return v, a[1] + b[1] + np.abs(v)


def _mul(a: Pair, b: Pair, unit: float) -> Pair:
    v = a[0] * b[0]
    both = np.where(np.minimum(a[1], b[1]) == 0, 0.0, unit * np.multiply(a[1], b[1]))
    return v, np.abs(a[0]) * b[1] + np.abs(b[0]) * a[1] + both + np.abs(v)


def _div(a: Pair, b: Pair) -> Pair:
    v = np.asarray(a[0]) / b[0]
    return v, (a[1] + np.abs(v) * b[1]) / np.abs(b[0]) + np.abs(v)


def _pow(a: Pair, b: Pair) -> Pair:
    v = np.power(np.asarray(a[0], dtype=float), b[0])
    by_base = np.where(a[1] == 0, 0.0, np.abs(b[0] * v / a[0]) * a[1])
    by_exponent = np.where(b[1] == 0, 0.0, np.abs(v * np.log(np.abs(a[0]))) * b[1])
    return v, by_base + by_exponent + (_ELEMENTARY + np.abs(b[0])) * np.abs(v)


def _sqrt(a: Pair, unit: float) -> Pair:
    v = np.sqrt(a[0])
    linear = np.where(a[1] == 0, 0.0, a[1] / (2 * v))
    return v, np.minimum(linear, np.sqrt(a[1] / unit)) + np.abs(v)


def _atan2(y: Pair, x: Pair) -> Pair:
    v = np.arctan2(y[0], x[0])
    square = np.square(x[0]) + np.square(y[0])
    spread = np.abs(x[0]) * y[1] + np.abs(y[0]) * x[1]
    return v, np.where(spread == 0, 0.0, spread / square) + _ELEMENTARY * np.abs(v)


def _sign(a: Pair, unit: float) -> Pair:
    decided = (np.abs(a[0]) > a[1] * unit) | (np.asarray(a[1]) == 0)
    return np.sign(a[0]), np.where(decided, 0.0, np.inf)


def _floor(a: Pair, unit: float) -> Pair:
    distance = np.abs(a[0] - np.round(a[0]))
    decided = (distance > a[1] * unit) | (np.asarray(a[1]) == 0)
    return np.floor(a[0]), np.where(decided, 0.0, np.inf)


def _compared(op: str, unit: float) -> Callable[[Pair, Pair], Pair]:
    def rule(a: Pair, b: Pair) -> Pair:
        error = np.asarray(a[1] + b[1])
        undecided = (np.abs(a[0] - b[0]) <= error * unit) & (error > 0)
        return _COMPARISONS[op](a[0], b[0]), np.where(undecided, np.inf, 0.0)

    return rule


def _logic(f: Callable[..., Any]) -> Callable[..., Pair]:
    def rule(*arguments: Pair) -> Pair:
        return f(*(a[0] for a in arguments)), sum(a[1] for a in arguments)

    return rule


def _select(condition: Pair, a: Pair, b: Pair, unit: float) -> Pair:
    error = np.where(condition[0], a[1], b[1])
    apart = np.abs(np.asarray(a[0]) - b[0]) / unit + np.maximum(a[1], b[1])
    return np.where(condition[0], a[0], b[0]), np.where(condition[1] == 0, error, apart)


def _rules(unit: float) -> dict[str, Callable[..., Pair]]:
    """Rule of each operation."""
    within: dict[str, Callable[..., Pair]] = {
        "const": _constant,
        "mul": _mul,
        "sqrt": _sqrt,
        "sign": _sign,
        "floor": _floor,
        "select": _select,
    }
    bound = {op: partial(rule, unit=unit) for op, rule in within.items()}
    return _RULES | bound | {op: _compared(op, unit) for op in _COMPARISONS}


_RULES: dict[str, Callable[..., Pair]] = {
    "neg": lambda a: (-a[0], a[1]),
    "add": _add,
    "sub": _sub,
    "div": _div,
    "pow": _pow,
    "atan2": _atan2,
    "abs": lambda a: (np.abs(a[0]), a[1]),
    "min": lambda a, b: (np.minimum(a[0], b[0]), np.maximum(a[1], b[1])),
    "max": lambda a, b: (np.maximum(a[0], b[0]), np.maximum(a[1], b[1])),
    "and": _logic(np.logical_and),
    "or": _logic(np.logical_or),
    "not": _logic(np.logical_not),
}
