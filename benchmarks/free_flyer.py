"""Mass matrix and nonlinear terms of the spatial free-flyer: operations, and time to C.

    python -m benchmarks.free_flyer            operations by derivation
    python -m benchmarks.free_flyer --time     seconds to derive and to emit as C

Operations are those of the upper triangle of H and of C, sines and cosines included, 14 degrees of
freedom, numeric parameters.
"""

from __future__ import annotations

import sys
import time

from eomc.codegen import emit
from eomc.derive.equations import derive
from eomc.systems.free_flyer import SPATIAL, Formulation, spatial
from eomc.systems.reference.moosavian.generation import operations

FUNCTIONS = ("mass_matrix", "bias")


def count() -> None:
    """Print the operations of every derivation."""
    print("| derivation | operations |")
    print("|---|---|")
    for name, number in operations().items():
        print(f"| {name} | {number} |")


def clock() -> None:
    """Print seconds: derivation and emission of C, best of three."""
    print("| derivation | derive [s] | emit [s] |")
    print("|---|---|---|")
    subjects = {
        "tree, euler_angles": lambda: derive(spatial("euler_angles")),
        "tree, euler_parameters": lambda: derive(spatial("euler_parameters")),
        "explicit, direct": lambda: Formulation(SPATIAL),
    }
    for name, make in subjects.items():
        best = [float("inf")] * 2
        for _ in range(3):
            start = time.perf_counter()
            program = make().program(functions=FUNCTIONS)
            derived = time.perf_counter()
            emit(program)
            emitted = time.perf_counter()
            best = [min(best[0], derived - start), min(best[1], emitted - derived)]
        print(f"| {name} | {best[0]:.2f} | {best[1]:.2f} |")


if __name__ == "__main__":
    clock() if "--time" in sys.argv[1:] else count()
