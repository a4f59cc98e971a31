"""Cost of the check of a library's hash each time that it is loaded.

python -m benchmarks --section loading
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import eomc
from benchmarks.section import Section
from eomc.derive.model import Model
from eomc.runtime.model.load import _opened, _require_built

_ROUNDS = 21


def section(models: Sequence[tuple[str, Callable[[], Model]]]) -> Section:
    """Kilobytes of the library, microseconds of the check and of the whole load."""
    figures = [_figures(name, make()) for name, make in models]
    return Section(
        "Loading",
        "`python -m benchmarks --section loading`: a library of the default functions from the "
        "build cache, the file in the system's memory already: the check that it is what was "
        "built (SHA-256), and the whole load with it, medians in CPU time.",
        ("model", "kB", "check, µs", "load, µs"),
        [
            (row["model"], f"{row['kB']:.0f}", f"{row['check_us']:.0f}", f"{row['load_us']:.0f}")
            for row in figures
        ],
        figures,
    )


def _figures(name: str, model: Model) -> dict[str, object]:
    library = Path(eomc.build(model).library)
    return {
        "model": name,
        "kB": library.stat().st_size / 1e3,
        "check_us": _microseconds(lambda: _require_built(library)),
        "load_us": _microseconds(lambda: _opened(library)),
    }


def _microseconds(call: Callable[[], object]) -> float:
    rounds = []
    for _ in range(_ROUNDS):
        start = time.thread_time_ns()
        call()
        rounds.append((time.thread_time_ns() - start) / 1e3)
    return float(np.median(rounds))
