"""Parameters that make a cost least, a generation of runs at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import whole
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.study.rollout import FAILED, Measure
from eomc.runtime.study.run import run
from eomc.runtime.study.runs import Listed

Cost = Callable[[Array, Array, Array, Mapping[str, Array]], ArrayLike]
"""(t, q, u, what the runs vary) to (runs,), as `Measure`."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """Values of the least cost found, and the runs that finding them took.

    Attributes
    ----------
    values : mapping
        Of what was varied, by name.
    cost : float
    generations, runs : int
    costs : (generations,) array
        The least of each generation and those before.
    """

    values: Mapping[str, float]
    cost: float
    generations: int
    runs: int
    costs: Array


def optimize(
    model: CompiledModel,
    cost: Cost,
    bounds: Mapping[str, tuple[float, float]],
    *,
    generations: int = 50,
    population: int = 32,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Optimum:
    """Values within bounds of least cost, by differential evolution: robust, without slopes.

    Each generation is a study of as many runs as the population has members, on lanes and threads
    or a cluster. In a `folder`, a search that was killed goes on from its last whole generation.
    Reference: Storn and Price, *Differential evolution*, J. Global Optimization 11, 1997; best of
    the generation and one difference, DE/best/1/bin, difference weights drawn for each generation.

    Parameters
    ----------
    model : CompiledModel
        As of `run`.
    cost : function of (t, q, u, runs)
        To (n,): of times (k,), histories and what n runs vary. What is not a number, and runs that
        fail, are never best.
    bounds : mapping of names to (low, high)
        Names of entries and parameters as runs have them: ``"p.length"``, ``"q.elbow"``.
    generations, population, seed : int
    folder : path
    options : as of `run`: t, step, every, q, u, tau, threads, client, ...

    Raises as `run` does.
    """
    low, high = _bounds(bounds)
    count = whole("population", population, 4)
    last = whole("generations", generations, 1)
    if not callable(cost):
        raise ValueError(f"cost: give a function of (t, q, u, runs), not {cost!r}")
    if "measure" in options:
        raise ValueError("measure: the cost is what is measured")
    options.setdefault("progress", False)
    places = None if folder is None else Path(folder)
    names = tuple(bounds)
    rng = np.random.default_rng(whole("seed", seed, 0))
    measure: Measure = _Cost(cost)

    def costs_of(x: Array, generation: int) -> Array:
        where = None if places is None else places / f"generation-{generation:04d}"
        table = Listed(dict(zip(names, (low + (high - low) * x).T, strict=True)))
        found = run(model, table, measure=measure, folder=where, **options)
        told = np.array(found["cost"], dtype=np.float64)
        told[~np.isfinite(told) | (found[FAILED] != 0)] = np.inf
        return told

    x = (np.arange(count)[:, None] + rng.random((count, len(names)))) / count
    x = rng.permuted(x, axis=0)  # a Latin square
    costs = costs_of(x, 0)
    least = [costs.min()]
    for generation in range(1, last):
        trial = _trial(rng, x, x[np.argmin(costs)])
        tried = costs_of(trial, generation)
        better = tried <= costs
        x, costs = np.where(better[:, None], trial, x), np.where(better, tried, costs)
        least.append(costs.min())
    best = int(np.argmin(costs))
    values = dict(zip(names, (low + (high - low) * x[best]).tolist(), strict=True))
    return Optimum(values, float(costs[best]), last, last * count, np.array(least))


def _trial(rng: np.random.Generator, x: Array, best: Array) -> Array:
    """New members within [0, 1]: best + F (a - b), mixed with the old ones."""
    count, n = x.shape
    a, b = (rng.integers(1, count, count) for _ in range(2))
    order = np.arange(count)
    first, second = x[(order + a) % count], x[(order + b) % count]
    weight = rng.uniform(0.5, 1.0)
    mutant = best + weight * (first - second)
    # What leaves the bounds is drawn anew.
    mutant = np.where((mutant < 0) | (mutant > 1), rng.random((count, n)), mutant)
    crossed = rng.random((count, n)) < 0.7
    crossed[order, rng.integers(0, n, count)] = True
    return np.where(crossed, mutant, x)


class _Cost:
    """A cost as a measure, which workers can be sent."""

    def __init__(self, cost: Cost) -> None:
        self.cost = cost

    def __call__(
        self, t: Array, q: Array, u: Array, runs: Mapping[str, Array]
    ) -> Mapping[str, ArrayLike]:
        """{"cost": ...}"""
        found = np.asarray(self.cost(t, q, u, runs), dtype=np.float64)
        if found.shape != (len(q),):
            raise ValueError(f"cost gave shape {found.shape}, expected ({len(q)},)")
        return {"cost": found}


def _bounds(bounds: Mapping[str, tuple[float, float]]) -> tuple[Array, Array]:
    if not isinstance(bounds, Mapping) or not bounds:
        raise ValueError(f"bounds: give a mapping of names to (low, high), not {bounds!r}")
    for name, pair in bounds.items():
        try:
            low, high = (float(end) for end in pair)
        except (TypeError, ValueError):
            raise ValueError(f"bounds of {name!r}: give (low, high), not {pair!r}") from None
        if not (np.isfinite([low, high]).all() and low < high):
            raise ValueError(f"bounds of {name!r}: give finite low < high, not {pair!r}")
    told = np.array([tuple(map(float, pair)) for pair in bounds.values()])
    return told[:, 0], told[:, 1]
