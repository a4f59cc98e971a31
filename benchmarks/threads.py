"""The same batch on one core and on all of them: wall-clock time, so the machine must be idle.

python -m benchmarks --section threads
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import eomc
from benchmarks.batches import random_states
from benchmarks.contender import Array
from benchmarks.section import Section, Target
from benchmarks.timing import Timing, all_cores
from eomc.derive.model import Model

STATES = (4_096, 16_384, 65_536, 262_144)
FASTER = 1.8
_ROUNDS = 41


@dataclass(frozen=True)
class Threads:
    """Microseconds a call, medians of the rounds.

    faster : one by two threads in the same round, median and quartiles; a round's two calls follow
        each other, so that a change of the clock's rate or a neighbour meets both
    again : CPU time of the call on two threads by that on one, 1 if threads cost nothing
    """

    model: str
    states: int
    one: float
    two: float
    faster: Timing
    again: float


def measured(name: str, model: Model) -> list[Threads]:
    """Forward dynamics on the machine's vectors, results compared first."""
    module = eomc.build(model, functions=["forward_dynamics"], march_native=True, name="threads")
    rows = []
    for count in STATES:
        q, u, tau = np.split(random_states(module.nu, count), 3, axis=1)
        given = tuple(map(np.ascontiguousarray, (q, u, tau)))
        out = np.empty_like(given[0])
        expected = module.forward_dynamics(*given, threads=1)
        if not np.array_equal(module.forward_dynamics(*given, threads=2), expected):
            raise ArithmeticError(f"{name}: two threads give other results than one")
        rounds = np.array([_round(module, given, out) for _ in range(_ROUNDS)])
        one, two, busy_one, busy_two = np.median(rounds, axis=0)
        low, middle, high = np.percentile(rounds[:, 0] / rounds[:, 1], (25, 50, 75))
        faster = Timing(float(middle), float(low), float(high))
        rows.append(Threads(name, count, one, two, faster, float(busy_two / busy_one)))
    return rows


def _round(module: Any, given: Sequence[Array], out: Array) -> tuple[float, ...]:
    """Wall-clock time of one and of two threads, then CPU time of each, in microseconds.

    Of two calls that follow each other the second, so that each way meets what it left itself.
    """
    wall, busy = [], []
    for threads in (1, 2):
        module.forward_dynamics(*given, out=out, threads=threads)
        start, used = time.perf_counter(), time.process_time()
        module.forward_dynamics(*given, out=out, threads=threads)
        wall.append(1e6 * (time.perf_counter() - start))
        busy.append(1e6 * (time.process_time() - used))
    return (*wall, *busy)


def section(models: Sequence[tuple[str, Callable[[], Model]]]) -> Section:
    """All models and numbers of states."""
    with all_cores():
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        rows = [row for name, make in models for row in measured(name, make())]
    targets = [
        Target(f"{name}: two threads, {count} states, times one", row.faster.median, FASTER)
        for place, count in enumerate(STATES[1:], 1)
        for (name, _), row in zip(models, rows[place :: len(STATES)], strict=True)
    ]
    return Section(
        "Threads",
        f"`python -m benchmarks --section threads`: forward dynamics of a batch, `threads=1` and "
        f"`threads=2` in turn on {cores} cores, of two calls that follow each other the second, "
        f"wall-clock time, medians of {_ROUNDS} rounds on an idle machine, and of the ratio in "
        "each round its median and quartiles. The last column tells what threads cost beside the "
        "work: CPU time of two by that of one.",
        ("model", "states", "one thread, µs", "two, µs", "faster", "CPU time"),
        [
            (
                row.model,
                str(row.states),
                f"{row.one:.0f}",
                f"{row.two:.0f}",
                f"{row.faster.median:.2f} ({row.faster.low:.2f}, {row.faster.high:.2f})",
                f"{row.again:.2f}",
            )
            for row in rows
        ],
        [asdict(row) for row in rows],
        targets=targets if (cores or 1) > 1 else (),
    )
