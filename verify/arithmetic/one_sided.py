"""One-sided derivatives of graph functions, by differences in very many digits.

Where a law ends or has a kink a complex step does not tell its slopes. Differences over two steps
so short that what is left of |h|^0.1 is no error do, and where they disagree there is no limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mpmath
import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.graph import Graph, evaluate_mp

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
