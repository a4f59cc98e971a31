"""Mass matrix and nonlinear terms of the spatial free-flyer: operations, and time to C.

    python -m benchmarks.free_flyer            operations by derivation
    python -m benchmarks.free_flyer --t-span     seconds to derive and to emit as C, too

Operations are those of the upper triangle of H and of C, sines and cosines included, 14 degrees of
freedom, numeric parameters.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import eomc
from benchmarks.section import Section, Target, table
from benchmarks.timing import pin_to_one_core
from eomc.codegen import emit
from eomc.systems.free_flyer import SPATIAL, spatial
from eomc_published.moosavian.formulation import FreeFlyerFormulation
from eomc_published.moosavian.generation import operations

FUNCTIONS = ("mass_matrix", "bias")


def section() -> Section:
    """Operations of every derivation; of those that are timed, seconds: best of three."""
    subjects: dict[str, Callable[[], Any]] = {
        "tree, euler_angles": lambda: eomc.equations(spatial("euler_angles")),
        "tree, euler_parameters": lambda: eomc.equations(spatial("euler_parameters")),
        "explicit, direct": lambda: FreeFlyerFormulation(SPATIAL),
    }
    seconds: dict[str, tuple[float, float]] = {}
    for name, make in subjects.items():
        best = [float("inf")] * 2
        for _ in range(3):
            start = time.thread_time()
            program = make().program(functions=FUNCTIONS)
            derived = time.thread_time()
            emit(program)
            emitted = time.thread_time()
            best = [min(best[0], derived - start), min(best[1], emitted - derived)]
        seconds[name] = (best[0], best[1])
    counts = operations()
    rows = [
        (name, str(counts.get(name, "")), *(f"{s:.2f}" for s in seconds.get(name, ())))
        for name in dict.fromkeys([*counts, *seconds])
    ]
    return Section(
        "Spatial free-flyer",
        "`python -m benchmarks.free_flyer --t-span`: mass matrix (upper triangle) and nonlinear "
        "terms of the space robot with 14 degrees of freedom by every derivation; operations with "
        "sines and cosines, seconds to derive and to emit as C.",
        ("derivation", "operations", "derive, s", "emit, s"),
        [(*row, *[""] * (4 - len(row))) for row in rows],
        [
            {"derivation": row[0], "operations": counts.get(row[0]), "seconds": seconds.get(row[0])}
            for row in rows
        ],
        (),
        [
            Target(
                "free-flyer: derived and emitted, s",
                sum(seconds["tree, euler_angles"]),
                1.0,
                at_most=True,
            ),
            Target("free-flyer: operations of H and C", min(counts.values()), 3000, at_most=True),
        ],
    )


def main() -> None:
    """Print the table, or the operations alone, which are the same everywhere."""
    pin_to_one_core()
    if "--t-span" in sys.argv[1:]:
        print(section().markdown())
    else:
        print(table(("derivation", "operations"), operations().items()))


if __name__ == "__main__":
    main()
