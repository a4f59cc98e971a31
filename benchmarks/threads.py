"""The same batch on one core and on all of them: wall-clock time, so the machine must be idle.

python -m benchmarks --section threads
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

import eomc
from benchmarks.batches import random_states
from benchmarks.section import Section, Target
from benchmarks.timing import all_cores
from eomc.derive.model import Model

STATES = (16_384, 65_536, 262_144)
FASTER = 1.8
_ROUNDS = 41


@dataclass(frozen=True)
class Threads:
    """Microseconds a call: the best of the rounds, which other processes disturb least.

    again : CPU time of the call on two threads by that on one, 1 if threads cost nothing
    """

    model: str
    states: int
    one: float
    two: float
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
        wall: dict[int, list[float]] = {1: [], 2: []}
        busy: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(_ROUNDS):
            for threads in (1, 2):
                start, used = time.perf_counter(), time.process_time()
                module.forward_dynamics(*given, out=out, threads=threads)
                wall[threads].append(1e6 * (time.perf_counter() - start))
                busy[threads].append(1e6 * (time.process_time() - used))
        again = float(np.median(busy[2]) / np.median(busy[1]))
        rows.append(Threads(name, count, min(wall[1]), min(wall[2]), again))
    return rows


def section(models: Sequence[tuple[str, Callable[[], Model]]]) -> Section:
    """All models and numbers of states."""
    with all_cores():
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        rows = [row for name, make in models for row in measured(name, make())]
    targets = [
        Target(f"{name}: two threads, {STATES[-1]} states, times one", row.one / row.two, FASTER)
        for (name, _), row in zip(models, rows[len(STATES) - 1 :: len(STATES)], strict=True)
    ]
    return Section(
        "Threads",
        f"`python -m benchmarks --section threads`: forward dynamics of a batch, `threads=1` and "
        f"`threads=2` in turn on {cores} cores, wall-clock time, best of {_ROUNDS} rounds on an "
        "idle machine. The last column tells what threads cost beside the work: CPU time of two "
        "by that of one.",
        ("model", "states", "one thread, µs", "two, µs", "faster", "CPU time"),
        [
            (row.model, str(row.states), f"{row.one:.0f}", f"{row.two:.0f}",
             f"{row.one / row.two:.2f}", f"{row.again:.2f}")
            for row in rows
        ],
        [asdict(row) for row in rows],
        targets=targets if (cores or 1) > 1 else (),
    )  # fmt: skip
