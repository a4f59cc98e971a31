"""Runs that are cut where a controller acts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.excitation.excitation import Clocked
from eomc.runtime.integrators import InitialValueProblem, RunSolution
from eomc.runtime.integrators.joined import joined, within
from eomc.runtime.model.state import State

Solve = Callable[[InitialValueProblem, Mapping[str, Any]], RunSolution]

_ROUNDING = 16 * float(np.finfo(float).eps)
"""The share of a time within which it is the same."""


def solved_by_spans(
    solve: Solve, problem: InitialValueProblem, settings: Mapping[str, Any], controller: Clocked
) -> RunSolution:
    """The solution from instant to instant of a controller, put together.

    Each span is a problem of its own, so that no step passes over torques that jump. Those of an
    instant itself, which the record shows, are those that begin to act.
    """
    times, state = problem.times, problem.state
    t, end = float(times[0]), float(times[-1])
    sides, memory = problem.sides, problem.memory
    spans: list[RunSolution] = []
    while True:
        while (until := _recorded(times, controller.following())) <= t:
            with problem.acting(t, state):
                controller.act(t, state.q, state.u)
        until = min(until, end)
        part = replace(
            problem, state=state, times=within(times, t, until), sides=sides, memory=memory
        )
        span = solve(part, settings)
        spans.append(span)
        state = State(*(rows[-1] for rows in span.states))
        sides, memory = span.sides, span.memory
        if span.t[-1] < until or until == end:
            break
        t = until
    return joined(times, spans)


def _recorded(times: Array, t: float) -> float:
    """The time of the record that is t but for rounding, or t."""
    width = _ROUNDING * max(abs(t), abs(float(times[-1])))
    k = bisect_left(times, t - width)
    return float(times[k]) if k < len(times) and times[k] <= t + width else t
