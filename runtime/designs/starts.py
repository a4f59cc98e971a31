"""Local minima from many starts, on the workers of studies, kept in a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.chance.counter_random import uniform
from eomc.runtime.designs.closure import DesignError
from eomc.runtime.designs.problem import DesignProblem
from eomc.runtime.designs.solvers import SOLVERS
from eomc.runtime.model.arguments import whole
from eomc.runtime.output.progress import time_bar
from eomc.runtime.study.executors import Share, on_threads
from eomc.runtime.study.results import Results, alone, opened
from eomc.runtime.study.rollout import code_of

_DRAWS = 30
"""Of a start, until one can be evaluated."""


@dataclass(frozen=True, eq=False)
class DesignSearch:
    """A local search of each start: the given one, then random ones within the bounds."""

    problem: DesignProblem
    method: str
    goal: str
    iterations: int
    seed: int

    def start(self, own: DesignProblem, k: int) -> Array:
        """theta of start k: the given one, else the first of some draws that can be evaluated."""
        theta = own.unknowns.start()
        low, high = own.unknowns.bounds()
        for stream in range(_DRAWS if k else 0):
            drawn = uniform(self.seed, stream, np.array([k]), len(low))[0]
            theta = np.asarray(low + (high - low) * drawn)
            if own.trial(theta) is not None:
                break
        return theta

    def __call__(self, first: int, last: int) -> Share:
        """Local minima of starts first ... last - 1."""
        rows = [self._one(k) for k in range(first, last)]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def _one(self, k: int) -> Mapping[str, Any]:
        own = replace(self.problem, evaluations=0, _last=None, _warm={})
        theta, found, why = own.unknowns.start(), None, ""
        try:
            theta = self.start(own, k)
            if own.trial(theta) is not None:
                found = SOLVERS[self.method](own, theta, self.goal, self.iterations)
            else:
                why = own.why
        except DesignError as error:
            why = str(error)
        if found is None:
            cost, success = np.inf, False
        else:
            theta, cost, success, why = found.theta, found.cost, found.success, found.reason
        return {
            "theta": theta,
            "cost": cost,
            "success": success,
            "evaluations": own.evaluations,
            "reason": np.array(why[:200], dtype="U200"),
        }

    def to_plain(self) -> dict[str, Any]:
        """All that results depend on but the model, as plain values."""
        problem, low = self.problem, self.problem.unknowns.bounds()
        return {
            "free": {
                name: [float(a), float(b), float(c)]
                for name, a, b, c in zip(
                    problem.unknowns.names, *low, problem.unknowns.start(), strict=True
                )
            },
            "given": dict(problem.given),
            "objective": code_of(problem.objective),
            "conditions": {
                name: [code_of(f), str(low), str(high)]
                for name, (f, low, high) in problem.conditions.items()
            },
            "search": [self.method, self.goal, self.iterations, self.seed],
        }


def optima_from_starts(
    search: DesignSearch,
    starts: int,
    folder: str | os.PathLike[str] | None,
    threads: int | None,
    progress: bool | None,
) -> Mapping[str, Array]:
    """Local minima (starts, ...), each start done once."""
    if starts > 1:
        low, high = search.problem.unknowns.bounds()
        loose = [
            name
            for name, width in zip(search.problem.unknowns.names, high - low, strict=True)
            if not np.isfinite(width)
        ]
        if loose:
            raise ValueError(f"starts: random starts need bounds (low, high) of {', '.join(loose)}")
    number = os.cpu_count() or 1 if threads is None else whole("threads", threads, 1)
    place = None if folder is None else Path(folder)
    with alone(place):
        if place is None:
            results = Results(starts, 1)
        else:
            told = {"model": search.problem.functions.model.name, **search.to_plain()}
            results = opened(place, starts, 1, 1, "npz", told)
            results.clear_unfinished()
        missing = results.missing
        done, bounds = starts - len(missing), [results.bounds(share) for share in missing]
        with time_bar(0, starts, progress, text="optimizing", unit="starts") as tell:
            for index, share in on_threads(search, bounds, number):
                results.keep(missing[index], share)
                done += 1
                tell(done)
        return {name: np.asarray(results[name]) for name in results.names}
