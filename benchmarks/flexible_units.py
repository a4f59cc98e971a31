"""Forward dynamics of the flexible space manipulator by its number of units.

    python -m benchmarks.flexible_units            5, 10, 20, 40 units
    python -m benchmarks.flexible_units 5 10 80    other numbers

Each unit has three coordinates that are not specified in the emitted code: joint deformation and
one mode; base, rotor angles and lengths are given. Operations, code, compile time and nanoseconds a
call (median and quartiles of interleaved rounds, thread CPU time, one core), and the exponents that
a power law fits.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.contender import Array
from benchmarks.ours import ours
from benchmarks.timing import STATES, Timer, pin_to_one_core
from eomc.derive.equations import derive
from eomc.systems.flexible_manipulator.data import SMALL
from eomc.systems.flexible_manipulator.model import Manipulator
from eomc.systems.flexible_manipulator.scenario import RADIUS

UNITS = (5, 10, 20, 40)


def states(manipulator: Manipulator) -> Array:
    """Packed inputs of forward_dynamics at small deformations, (STATES, n)."""
    program = derive(manipulator.model()).program(functions=["forward_dynamics"])
    rng = np.random.default_rng(0)
    columns = []
    for port in program.functions[0].inputs:
        block = 1e-2 * rng.normal(size=(STATES, len(port.entries)))
        for k, name in enumerate(port.rows):
            if port.name == "q" and name == "orbit_r":
                block[:, k] += RADIUS
            if port.name == "s" and name.endswith("_length"):
                block[:, k] += 4.0
        columns.append(block)
    return np.ascontiguousarray(np.hstack(columns))


def main(units: tuple[int, ...]) -> None:
    """Print the table."""
    pin_to_one_core()
    counts, times = [], []
    print("| units | speeds | operations | a unit | compile [s] | code [kB] | ns a call |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        timer = Timer(Path(folder) / "timer")
        for number in units:
            arm = Manipulator(number, 100.0, unit=SMALL)
            contender = ours(arm.model(), "forward_dynamics", Path(folder) / str(number))
            size = len(arm.model().speeds)
            (timing,) = timer.race([contender], states(arm), size)
            counts.append(contender.operations or 0)
            times.append(timing.median)
            print(
                f"| {number} | {size} | {counts[-1]} | "
                f"{counts[-1] / number:.0f} | {contender.compile or 0:.1f} | "
                f"{(contender.code or 0) / 1e3:.0f} | {timing.median:.0f} "
                f"({timing.low:.0f}-{timing.high:.0f}) |"
            )
    logs = np.log(units)
    for what, values in (("operations", counts), ("time", times)):
        slope = np.polyfit(logs, np.log(values), 1)[0]
        print(f"\nfitted exponent of the {what}: {slope:.3f}")


if __name__ == "__main__":
    main(tuple(int(number) for number in sys.argv[1:]) or UNITS)
