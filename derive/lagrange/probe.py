"""Numeric probes: what holds at generic points holds identically, whatever form it is written in.

A rank found at random points in 40-digit arithmetic is the generic rank, except with probability
zero.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

from eomc.derive.graph import Expression, Graph, evaluate, evaluate_mp, nodes, reachable

_DIGITS = 40
_NEGLIGIBLE = 1e-25
_POINTS = 3
_TRIES = 12
_STARTS, _STEPS, _CLOSED, _DEPENDENT = 40, 60, 1e-11, 1e-7


def generic_values(
    graph: Graph, expressions: Sequence[Expression], known: Mapping[str, float]
) -> Iterator[list[Any]]:
    """Values of `expressions` at up to three random points where they are finite and real."""
    draw = random.Random(20)
    outputs = nodes(expressions)
    names = [str(graph.value[n]) for n in reachable(graph, outputs) if graph.op[n] == "symbol"]
    found = 0
    for attempt in range(_TRIES):
        spread = 0.5 ** (attempt // 2)
        point = {name: known.get(name, spread * draw.uniform(0.2, 1.2)) for name in names}
        try:
            values = evaluate_mp(graph, outputs, point, _DIGITS)
        except (ArithmeticError, TypeError, ValueError):
            continue
        if all(isinstance(v, (mpmath.mpf, int)) and mpmath.isfinite(v) for v in values):
            yield values
            found += 1
            if found == _POINTS:
                return


def depends_on(
    graph: Graph,
    expressions: Sequence[Expression],
    derivatives: Sequence[Expression],
    known: Mapping[str, float],
) -> bool:
    """True unless all `derivatives` vanish, up to round-off of the size of `expressions`."""
    live = [entry for entry in derivatives if not entry.is_zero]
    if not live:
        return False
    with mpmath.workdps(_DIGITS):
        for values in generic_values(graph, [*expressions, *live], known):
            scale = max([1, *(abs(v) for v in values[: len(expressions)])])
            if any(abs(v) > _NEGLIGIBLE * scale for v in values[len(expressions) :]):
                return True
    return False


def null_direction(
    graph: Graph, matrix: Sequence[Sequence[Expression]], known: Mapping[str, float]
) -> list[int] | None:
    """Columns that take part in a linear dependence which `matrix` has at every probed point.

    None if the columns are independent at some point, or if no point could be evaluated.
    """
    width = len(matrix[0]) if matrix else 0
    entries = [entry for row in matrix for entry in row]
    dependent: list[int] | None = None
    with mpmath.workdps(_DIGITS):
        for values in generic_values(graph, entries, known):
            rows = [values[i * width : (i + 1) * width] for i in range(len(matrix))]
            dependent = _dependent_columns(rows, width)
            if dependent is None:
                return None
    return dependent


def _dependent_columns(rows: list[list[Any]], width: int) -> list[int] | None:
    """Gauss-Jordan elimination with row pivoting; the first column that depends on those before."""
    rows = [list(row) for row in rows]
    lengths = [max([abs(row[j]) for row in rows], default=0) for j in range(width)]
    for j in range(width):  # all columns before are independent: the rank so far is j
        best = max(range(j, len(rows)), key=lambda i: abs(rows[i][j]), default=None)
        if best is None or abs(rows[best][j]) <= _NEGLIGIBLE * lengths[j]:
            return [i for i in range(j) if abs(rows[i][j]) > _NEGLIGIBLE * lengths[j]] + [j]
        rows[j], rows[best] = rows[best], rows[j]
        pivot = [value / rows[j][j] for value in rows[j]]
        rows[j] = pivot
        for i, row in enumerate(rows):
            if i != j and row[j] != 0:
                factor = row[j]
                rows[i] = [value - factor * p for value, p in zip(row, pivot, strict=True)]
    return None


def independent_rows(
    graph: Graph,
    matrix: Sequence[Sequence[Expression]],
    closing: tuple[Sequence[Expression], Sequence[Sequence[Expression]]],
    q: Sequence[Expression],
    known: Mapping[str, float],
) -> list[int]:
    """Rows of `matrix` that do not depend on those before them where the residuals are zero.

    `closing` are the residuals and the columns of their derivatives by q; the configuration is
    found by Newton's method from random ones, in doubles.
    """
    draw = np.random.default_rng(20)
    residuals, slopes = closing
    outputs = [*residuals, *(slope for column in slopes for slope in column)]
    entries = [entry for row in matrix for entry in row]
    m, shape = len(residuals), (len(matrix), len(matrix[0]))
    reached = reachable(graph, nodes([*outputs, *entries, *q]))
    names = [str(graph.value[n]) for n in reached if graph.op[n] == "symbol"]
    rows = np.zeros(shape)
    for _ in range(_STARTS):
        point = {name: known.get(name, draw.uniform(0.5, 1.5)) for name in names}
        gap = np.inf
        for _ in range(_STEPS):
            values = _doubles(graph, outputs, point)
            gap = float(np.abs(values[:m]).max())
            if not np.isfinite(values).all() or gap < _CLOSED:
                break
            step = np.linalg.lstsq(values[m:].reshape(len(q), m).T, -values[:m], rcond=None)[0]
            step *= min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-300))
            for coordinate, change in zip(q, step, strict=True):
                point[str(graph.value[coordinate.node])] += change
        found = _doubles(graph, entries, point).reshape(shape)
        if np.isfinite(found).all():
            rows = found
            if gap < _CLOSED:
                break
    kept: list[int] = []
    for i, row in enumerate(rows):
        before = rows[kept].T
        rest = row - before @ np.linalg.lstsq(before, row, rcond=None)[0] if kept else row
        if np.linalg.norm(rest) > _DEPENDENT * max(float(np.linalg.norm(row)), 1e-300):
            kept.append(i)
    return kept


def _doubles(
    graph: Graph, expressions: Sequence[Expression], point: Mapping[str, float]
) -> NDArray[np.float64]:
    with np.errstate(all="ignore"):
        return np.array([float(v) for v in evaluate(graph, nodes(expressions), dict(point))])
