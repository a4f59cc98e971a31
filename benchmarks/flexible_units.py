"""Forward dynamics of the flexible space manipulator by its number of units.

    python -m benchmarks.flexible_units            1, 5, 10, 20, 40, 80 units
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

import eomc
from benchmarks.contender import Array
from benchmarks.ours import ours
from benchmarks.section import Section, Target, exponent
from benchmarks.timing import STATES, Timer, pin_to_one_core
from eomc.systems.flexible_manipulator.data import SMALL
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc.systems.flexible_manipulator.scenario import RADIUS

UNITS = (1, 5, 10, 20, 40, 80)


def states(manipulator: FlexibleManipulator) -> Array:
    """Packed inputs of forward_dynamics at small deformations, (STATES, n)."""
    program = eomc.equations(manipulator.model()).program(functions=["forward_dynamics"])
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


def section(units: tuple[int, ...] = UNITS) -> Section:
    """Operations, code and time by the number of units, and the powers of their growth."""
    figures: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        timer = Timer(Path(folder) / "timer")
        for number in units:
            arm = FlexibleManipulator(number, 100.0, unit=SMALL)
            contender = ours(arm.model(), "forward_dynamics", Path(folder) / str(number))
            size = len(arm.model().speeds)
            packed = states(arm)
            check(contender.values(packed, size), arm, packed)
            (timing,) = timer.race([contender], packed, size)
            figures.append(
                {
                    "units": number,
                    "speeds": size,
                    "operations": contender.operations or 0,
                    "compile_s": contender.compile or 0.0,
                    "code_kB": (contender.code or 0) / 1e3,
                    "ns": timing.median,
                    "ns_low": timing.low,
                    "ns_high": timing.high,
                }
            )
    powers = {
        words: exponent(units, [row[key] for row in figures])
        for words, key in (("operations", "operations"), ("time", "ns"))
    }
    return Section(
        "Flexible manipulator",
        "`python -m benchmarks.flexible_units`: forward dynamics of the flexible space manipulator "
        "by its number of units, each with a joint's deformation and one mode; base, rotor angles "
        "and lengths are given.",
        ("units", "speeds", "operations", "a unit", "compile, s", "kB", "ns a call"),
        [
            (
                f"{row['units']}",
                f"{row['speeds']}",
                f"{row['operations']}",
                f"{row['operations'] / row['units']:.0f}",
                f"{row['compile_s']:.1f}",
                f"{row['code_kB']:.0f}",
                f"{row['ns']:.0f} ({row['ns_low']:.0f}, {row['ns_high']:.0f})",
            )
            for row in figures
        ],
        figures,
        [f"fitted exponent of the {words}: {power:.3f}" for words, power in powers.items()],
        [
            Target(
                "flexible units: power of growth of the operations",
                powers["operations"],
                1.15,
                at_most=True,
            )
        ],
    )


def check(values: Array, arm: FlexibleManipulator, packed: Array) -> None:
    """The accelerations fulfil the equations: inverse dynamics gives the forces back.

    To 1e-9 of the largest force that the same state takes without acceleration.
    """
    equations = eomc.equations(arm.model())
    ports = equations.program(functions=["forward_dynamics"]).functions[0].inputs
    cuts = np.cumsum([len(port.entries) for port in ports])[:-1]
    for row, a in list(zip(packed, values, strict=True))[:2]:
        given = dict(zip((port.name for port in ports), np.split(row, cuts), strict=True))
        tau = given.pop("tau")
        back = np.asarray(equations.inverse_dynamics.evaluate(**given, a=a))
        still = np.asarray(equations.inverse_dynamics.evaluate(**given, a=0 * a))
        error = np.abs(back - tau).max() / np.abs(still).max()
        if not error < 1e-9:
            raise ArithmeticError(f"accelerations of {len(tau)} speeds are off by {error:.1e}")


def main(units: tuple[int, ...]) -> None:
    """Print the table."""
    pin_to_one_core()
    print(section(units).markdown())


if __name__ == "__main__":
    main(tuple(int(number) for number in sys.argv[1:]) or UNITS)
