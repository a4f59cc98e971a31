"""Several states at once on vectors, one function after the other, beside the floor.

python -m benchmarks --section lanes
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.cases import ALL, robots_and_chain
from benchmarks.contender import copied
from benchmarks.floor import lane_function, peak
from benchmarks.ours import ours
from benchmarks.section import Section, Target
from benchmarks.timing import Timer
from eomc.codegen.compiler import native_vector_bytes
from eomc.derive.model import Model

STATES = 64
TIMES_FLOOR = dict.fromkeys(ALL, 1.5) | {"forward_dynamics_derivatives": 2.0}


@dataclass(frozen=True)
class Lanes:
    """One function: nanoseconds a state on vectors, of one state alone, and of the arithmetic."""

    model: str
    function: str
    operations: int
    floor: float
    one: float
    state: float


def measured(name: str, model: Model, function: str, timer: Timer, folder: Path) -> Lanes:
    """The floor, one state a call and as many as fit on a vector, in the same rounds."""
    lanes = max(native_vector_bytes() // 8, 2)
    made = lane_function(model, function, lanes, folder / "lanes")
    several = copied(made.library, f"{lanes} at once")
    one = ours(model, function, folder / "one")
    kernel, rounds = peak(lanes, folder / "peak")
    rng = np.random.default_rng(0)
    states = rng.uniform(-1.5, 1.5, (STATES * lanes, made.inputs))
    made.check(states, one.values(states, made.size))
    packed = made.packed(states)
    # The lone function reads the first numbers of a packed row: any state is as good.
    race = timer.race([kernel, several, one], packed, made.size * lanes)
    rate = race[0].median / rounds / lanes
    floor = (made.operations + made.turning) * rate
    return Lanes(name, function, made.operations, floor, race[2].median, race[1].median / lanes)


def section(folder: Path) -> Section:
    """The arm, the humanoid where its file is installed, a chain."""
    timer = Timer(folder / "timer")
    rows: list[Lanes] = []
    for name, model, place in robots_and_chain():
        rows += [measured(name, model, each, timer, folder / place / each) for each in ALL]
    width = max(native_vector_bytes() // 8, 2)
    return Section(
        "Several states at once",
        f"`python -m benchmarks --section lanes`: nanoseconds a state, {width} states side by side "
        "on vectors and one alone, in C on one core, and the floor: arithmetic with that of sines "
        "and cosines, as under *Batches*.",
        (
            "model",
            "function",
            "operations",
            "floor",
            "one alone",
            f"{width} at once",
            "times the floor",
        ),
        [
            (
                row.model,
                row.function,
                f"{row.operations}",
                f"{row.floor:.1f}",
                f"{row.one:.0f}",
                f"{row.state:.1f}",
                f"{row.state / row.floor:.2f}",
            )
            for row in rows
        ],
        [asdict(row) for row in rows],
        targets=[
            Target(
                f"{row.model}, {row.function}: {width} states at once, times the floor",
                row.state / row.floor,
                TIMES_FLOOR[row.function],
                at_most=True,
            )
            for row in rows
        ],
    )
