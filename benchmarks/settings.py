"""Settings of emission and compilation: size of the code, cost of compiling it, and its speed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import eomc
from benchmarks.compiling import FLAGS, c_function, compile_measured
from benchmarks.contender import Contender
from benchmarks.measure import random_states
from benchmarks.ours import call_text
from benchmarks.section import Section
from benchmarks.timing import Timer
from eomc.codegen import emit, write
from eomc.derive.model import Model

# Optimization, statements that stay whole, statements a piece.
SETTINGS = (
    ("-O2", 2_000, 500),
    ("-O2", 2_000, 100),
    ("-O2", 2_000, 2_000),
    ("-O2", 1_000_000, 500),
    ("-O1", 2_000, 500),
    ("-O3", 2_000, 500),
    ("-Os", 2_000, 500),
)


# Functions whose settings are measured.
SETTLED = ("forward_dynamics", "forward_dynamics_derivatives")


@dataclass(frozen=True)
class Setting:
    """One way to emit and compile a function."""

    model: str
    function: str
    flags: str
    pieces: str
    code: int
    seconds: float
    memory: float
    call: float


def settings(name: str, model: Model, function: str, timer: Timer, folder: Path) -> list[Setting]:
    """All settings on one function, timed in turn."""
    program = eomc.equations(model).program(functions=[function], name="ours")
    size = len(program.functions[0].inputs[0].entries)
    made, contenders = [], []
    for number, (level, whole, piece) in enumerate(SETTINGS):
        sources = emit(program, whole_limit=whole, piece_size=piece)
        place = write({**sources, "call.c": call_text(program.functions[0])}, folder / str(number))
        flags = [level if flag == "-O2" else flag for flag in FLAGS]
        got = compile_measured(place, [*sources.c_files, "call.c"], flags)
        pieces = f"{piece}" if whole < 1_000_000 else "whole"
        made.append((level, pieces, got.code, got.seconds, got.memory))
        contenders.append(Contender(str(number), c_function(got.library, "call")))
    states = random_states(size, function)
    outputs = sum(len(port.entries) for port in program.functions[0].outputs)
    values = [contender.values(states, outputs) for contender in contenders]
    for (level, pieces, *_), other in zip(made, values, strict=True):
        error = np.abs(other - values[0]).max() / np.abs(values[0]).max()
        if not error < 1e-9:
            raise ArithmeticError(f"{name}, {function}, {level}, {pieces}: off by {error:.1e}")
    timings = timer.race(contenders, states, outputs)
    return [
        Setting(name, function, *facts, timing.median)
        for facts, timing in zip(made, timings, strict=True)
    ]


def section(models: Sequence[tuple[str, Callable[[], Model]]], build: Path) -> Section:
    """All models and functions."""
    timer = Timer(build / "timer")
    rows = [
        row
        for name, make in models
        for function in SETTLED
        for row in settings(
            name, make(), function, timer, build / f"settings_{make.__name__}_{function}"
        )
    ]
    return Section(
        "Settings",
        "`python -m benchmarks --section settings`: the same function at several levels of "
        "optimization, in pieces of so many statements or whole; CPU seconds and memory of the "
        "compiler.",
        ("model", "function", "flags", "piece", "kB", "compile, s", "peak MB", "ns a call"),
        [
            (
                row.model,
                row.function,
                row.flags,
                row.pieces,
                f"{row.code / 1024:.1f}",
                f"{row.seconds:.1f}",
                f"{row.memory:.0f}",
                f"{row.call:.0f}",
            )
            for row in rows
        ],
        [asdict(row) for row in rows],
    )
