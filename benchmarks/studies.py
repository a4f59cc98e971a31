"""A study of many runs beside the emitted C called bare: what all that is not a step costs.

python -m benchmarks --section studies
python -m benchmarks.studies RUNS [THREADS]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import eomc
from benchmarks.cases import panda
from benchmarks.compiling import c_function, compile_shared
from benchmarks.contender import Array
from benchmarks.section import Section, Target
from benchmarks.timing import all_cores
from eomc.codegen import emit, write
from eomc.codegen.compiler import native_vector_bytes
from eomc.runtime import study

RUNS, STEPS, STEP = (100_000, 1_000_000), 100, 1e-3
SHARE = 0.9
_FUNCTIONS = ("forward_dynamics", "coordinate_rates", "normalize")
_ROUNDS = 5


@dataclass(frozen=True)
class Share:
    """CPU microseconds a run, medians of the rounds; `share` is that of the bare C.

    wall : seconds of the last study by the wall clock
    """

    runs: int
    threads: int
    bare: float
    studied: float
    share: float
    wall: float


class _Bare:
    """The emitted function for a group of runs, called from C alone."""

    def __init__(self, lanes: int, folder: Path) -> None:
        program = eomc.equations(panda()).program(functions=list(_FUNCTIONS), name="ours")
        sources = emit(program, lanes=lanes)
        self.lanes, self.n = lanes, len(panda().speeds)
        text = (
            '#include "ours.h"\nvoid call(const double *x, double *y);\n'
            "/* x: starts q of the lanes; y: histories of q, then of u */\n"
            f"void call(const double *x, double *y)\n{{\n    int codes[{lanes}];\n"
            f"    static const double rest[{self.n}];\n"
            "    const ours_signal tau = {rest, 0, 0};\n"
            f"    double *u = y + {2 * self.n * lanes};\n"
            f"    for (int k = 0; k < {lanes}; k++)\n"
            f"        for (int i = 0; i < {self.n}; i++) {{\n"
            f"            y[k * {2 * self.n} + i] = x[k * {self.n} + i];\n"
            f"            u[k * {2 * self.n} + i] = 0;\n        }}\n"
            f"    (void)ours_rk4_rollouts(y, u, &tau, NULL, {STEP}, {STEPS}, {STEPS}, codes);\n}}\n"
        )
        write({**sources, "call.c": text}, folder)
        library, _, _ = compile_shared(folder, ["call.c", *sources.c_files])
        self.call = c_function(library, "call")

    def ends(self, starts: Array) -> Array:
        """(runs, n): where runs from starts (runs, n) end; runs fill the lanes."""
        out = np.empty((len(starts) // self.lanes, 2, self.lanes, 2, self.n))
        groups = starts.reshape(len(out), self.lanes * self.n)
        for start, result in zip(groups, out, strict=True):
            self.call(start.ctypes.data, result.ctypes.data)
        ends: Array = out[:, 0, :, 1].reshape(-1, self.n)
        return ends


def measured(runs: int, threads: int, folder: Path) -> Share:
    """The same runs both ways, checked against each other, in turn."""
    lanes = max(native_vector_bytes() // 8, 2)
    bare = _Bare(lanes, folder / "bare")
    model = eomc.build(panda(), functions=_FUNCTIONS, march_native=True, name="studied")
    draws = study.Random(runs, {"q": study.Uniform(model.lower, model.upper)}, seed=1)
    few = 64 * lanes
    starts = draws.values(np.arange(few), {"q": model.nq})["q"]
    ours = np.asarray(study.run(model, draws, t_span=STEPS * STEP, step=STEP, threads=threads)["q"])
    error = np.abs(bare.ends(starts) - ours[:few]).max()
    if not error < 1e-9:
        raise ArithmeticError(f"runs of a study and of the bare C differ by {error:.1e}")
    times, wall = [], 0.0
    for _ in range(_ROUNDS if runs <= RUNS[0] else 1):
        start = time.process_time()
        bare.ends(starts)
        middle, at = time.process_time(), time.perf_counter()
        with tempfile.TemporaryDirectory() as place:
            study.run(
                model,
                draws,
                t_span=STEPS * STEP,
                step=STEP,
                threads=threads,
                folder=f"{place}/study",
            )
        wall = time.perf_counter() - at
        times.append(((middle - start) / few, (time.process_time() - middle) / runs))
    alone, studied = (1e6 * float(each) for each in np.median(times, axis=0))
    return Share(runs, threads, alone, studied, alone / studied, wall)


def section(folder: Path, runs: Sequence[int] = RUNS, threads: int = 1) -> Section:
    """A row for each number of runs."""
    rows = [measured(number, threads, folder / str(number)) for number in runs]
    return Section(
        "Studies",
        f"`python -m benchmarks --section studies`: runs of the Panda arm from random places, "
        f"{STEPS} Runge-Kutta steps each, kept in a folder; CPU time of all cores, beside that of "
        "the emitted function for lanes called in C. The difference is random draws, Python, and "
        "files. `python -m benchmarks.studies RUNS THREADS` makes others.",
        ("runs", "threads", "bare C, µs a run", "study, µs a run", "share", "wall clock, s"),
        [
            (
                str(row.runs),
                str(row.threads),
                f"{row.bare:.1f}",
                f"{row.studied:.1f}",
                f"{row.share:.2f}",
                f"{row.wall:.1f}",
            )
            for row in rows
        ],
        [asdict(row) for row in rows],
        targets=[
            Target(f"Panda, a study of {row.runs} runs: share of the bare C", row.share, SHARE)
            for row in rows
        ],
    )


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    number = given[1] if len(given) > 1 else os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as scratch, all_cores():
        print(section(Path(scratch), given[:1] or RUNS, number).markdown())
