"""Interleaved rounds of all contenders on one core, in thread CPU time."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np

from benchmarks.compiling import compile_shared
from benchmarks.contender import Array, Call, Contender

STATES = 64
ROUNDS = 21
SLICE = 0.01  # seconds of each contender in each round


@dataclass(frozen=True)
class Timing:
    """Median of the rounds, and the quartiles; nanoseconds a call unless said otherwise."""

    median: float
    low: float
    high: float


def pin_to_one_core() -> int | None:
    """Keep this process on its last permitted core; its number, or None where that cannot be."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


@contextmanager
def all_cores() -> Iterator[None]:
    """Every core of the machine that this process may use, for a while."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    kept = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, kept)


def _aligned(size: int) -> Array:
    """A new array from the beginning of a line of the cache on."""
    line, numbers = 64, np.empty(size + 8)
    start = -numbers.ctypes.data % line // numbers.itemsize
    return numbers[start : start + size]


class Timer:
    """The compiled timing loop."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        source = Path(__file__).with_name("timer.c")
        (folder / source.name).write_text(source.read_text())
        library, _, _ = compile_shared(folder, [source.name])
        self._time = ctypes.CDLL(str(library)).time_calls
        self._time.restype = ctypes.c_double
        pointer, number = ctypes.c_void_p, ctypes.c_long
        self._time.argtypes = [pointer, pointer, number, number, number, pointer]

    def _seconds(self, call: Call, states: Array, calls: int, output: Array) -> float:
        address = ctypes.cast(cast(Any, call), ctypes.c_void_p)
        count, stride = states.shape
        return float(
            self._time(address, states.ctypes.data, stride, count, calls, output.ctypes.data)
        )

    def race(
        self, contenders: Sequence[Contender], states: Array, output_size: int
    ) -> list[Timing]:
        """Time all contenders, a slice of each in turn, so that all meet the same machine; of
        several copies, each with an output elsewhere, the fastest. Rows of states, where they fill
        lines of the cache, and the outputs begin where such a line does."""
        given, states = states, _aligned(states.size).reshape(states.shape)
        states[:] = given
        every = [(each.call, *each.copies) for each in contenders]
        outputs = [_aligned(output_size) for _ in range(max(map(len, every)))]
        calls = [pair for copies in every for pair in zip(copies, outputs, strict=False)]
        counts = []
        for call, output in calls:
            self._seconds(call, states, STATES, output)
            once = self._seconds(call, states, 10 * STATES, output) / (10 * STATES)
            counts.append(max(STATES, int(SLICE / max(once, 1e-9))))
        rounds = [
            [
                self._seconds(call, states, count, output) / count
                for (call, output), count in zip(calls, counts, strict=True)
            ]
            for _ in range(ROUNDS)
        ]
        low, median, high = 1e9 * np.percentile(rounds, (25, 50, 75), axis=0)
        timings = iter(
            Timing(float(m), float(a), float(b)) for m, a, b in zip(median, low, high, strict=True)
        )
        return [
            min(islice(timings, 1 + len(each.copies)), key=lambda timing: timing.median)
            for each in contenders
        ]
