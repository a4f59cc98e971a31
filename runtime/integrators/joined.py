"""Runs that are solved in stretches, put together to one."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.integrators.events import Events
from eomc.runtime.integrators.problem import RunSolution
from eomc.runtime.model.state import State


def within(times: Array, t: float, end: float) -> Array:
    """Both ends, and the times of the record between."""
    between = times[bisect_left(times, np.nextafter(t, np.inf)) : bisect_left(times, end)]
    return np.concatenate([[t], between, [end]])


def joined(times: Array, spans: Sequence[RunSolution]) -> RunSolution:
    """One solution at the times of the record, or until the last span ended."""
    t = np.concatenate([spans[0].t[:1], *(span.t[1:] for span in spans)])
    states = [
        np.vstack([parts[0][:1], *(part[1:] for part in parts)])
        for parts in zip(*(span.states for span in spans), strict=True)
    ]
    kept = np.isin(t, times)
    kept[-1] = True
    statistics: Counter[str] = Counter()
    for span in spans:
        statistics.update(span.statistics)
    events = tuple(
        Events(*map(np.concatenate, zip(*((e.t, e.q, e.u) for e in found), strict=True)))
        for found in zip(*(span.events for span in spans), strict=True)
    )
    return RunSolution(
        t[kept],
        State(*(rows[kept] for rows in states)),
        dict(statistics),
        events=events,
        dense=_dense(spans) if spans[0].dense else None,
        memory=spans[-1].memory,
        switches={
            name: np.concatenate([span.switches[name] for span in spans])
            for name in spans[0].switches
        },
    )


def _dense(spans: Sequence[RunSolution]) -> Callable[[Array], Array]:
    starts = [float(span.t[0]) for span in spans]

    def at(t: Array) -> Array:
        places = np.clip(np.searchsorted(starts, t, side="right") - 1, 0, None)
        found = [spans[k].dense for k in places.tolist()]
        return np.stack(
            [f(np.array([x]))[:, 0] for f, x in zip(found, t, strict=True) if f], axis=1
        )

    return at
