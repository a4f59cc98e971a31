"""The numbers of this machine's core that `eomc.derive.graph.tuning` keeps of one.

    python -m benchmarks.core

Straight lines of ever more instructions, equal parts of multiply-add, add, load, store, move and
nothing, find how many a core keeps decoded and how many bytes a nanosecond it decodes beyond;
emitted functions find the rest: two short ones how many instructions go by in a nanosecond, one
of loops how many there, and a line of operations that wait for each other how long they do.
"""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import eomc
from benchmarks.compiling import FLAGS, compile_measured
from benchmarks.contender import Unavailable, copied
from benchmarks.measure import random_states
from benchmarks.ours import call_text
from benchmarks.section import Section, print_alone
from benchmarks.timing import Timer
from eomc.codegen import emit, write
from eomc.codegen.code_size import machine_code
from eomc.derive.graph.tuning import CORE, Core
from eomc.systems.chain import general_chain

COUNTS = (1000, 2000, 3000, 3500, 4000, 4500, 5000, 5500, 6000, 8000, 12000, 24000, 48000)
_MIX = (
    "vfmadd231sd %xmm14, %xmm15, %xmm{r}",
    "vaddsd {near}(%rdi), %xmm14, %xmm{r}",
    "vmovsd {far}(%rdi), %xmm{r}",
    "vmovsd %xmm15, {far}(%rsi)",
    "vmovapd %xmm14, %xmm{r}",
    "nopw {far}(%rax,%rax,1)",
)
_CHAIN = 2000
_SHORT = (8, 24)
"""Joints of chains whose functions stay decoded."""


@dataclass(frozen=True)
class Line:
    """So many instructions in a row, their bytes, and nanoseconds."""

    instructions: int
    bytes: int
    time: float

    @property
    def rate(self) -> float:
        """Instructions in a nanosecond."""
        return self.instructions / self.time


def straight_line(count: int) -> str:
    """Assembly of ``void call(const double *x, double *y)``."""
    rows = [
        "    "
        + _MIX[k % len(_MIX)].format(
            r=k // len(_MIX) % 14, near=8 * (k % 8), far=128 + 8 * (k % 40)
        )
        for k in range(count)
    ]
    head = [".globl call", ".type call, @function", "call:"]
    tail = ["    ret", ".size call, .-call", '.section .note.GNU-stack,"",@progbits', ""]
    return "\n".join([".text", *head, *rows, *tail])


def lines(timer: Timer, folder: Path) -> list[Line]:
    """Straight lines, timed in turn; the fastest of four copies of each."""
    contenders, sizes = [], []
    for count in COUNTS:
        place = write({"line.s": straight_line(count)}, folder / f"line{count}")
        made = compile_measured(place, ["line.s"], ("-fPIC",))
        sizes.append(made.code)
        contenders.append(copied(made.library, str(count)))
    times = [timing.median for timing in timer.race(contenders, np.ones((64, 64)), 64)]
    return [Line(*row) for row in zip(COUNTS, sizes, times, strict=True)]


def fastest(timer: Timer, library: Path, states: np.ndarray, size: int) -> float:
    """Nanoseconds of the best of some copies."""
    (timing,) = timer.race([copied(library, "copies")], states, size)
    return timing.median


def chain_text(count: int) -> str:
    """C of additions and multiplications each of which waits for the one before."""
    rows = "\n".join("    r = r*s;\n    r = r + t;" for _ in range(count // 2))
    return (
        "void call(const double *x, double *y);\nvoid call(const double *x, double *y)\n{\n"
        f"    const double s = x[1], t = x[2];\n    double r = x[0];\n{rows}\n    y[0] = r;\n}}\n"
    )


def emitted(timer: Timer, folder: Path, joints: int, *, small: bool) -> tuple[float, int]:
    """Nanoseconds and estimated instructions of the inverse dynamics of a chain."""
    program = eomc.equations(general_chain(joints)).program(
        ("inverse_dynamics",), name="ours", small=small
    )
    sources, (function,) = emit(program), program.functions
    place = write({**sources, "call.c": call_text(function)}, folder / f"chain{joints}{small}")
    made = compile_measured(place, [*sources.c_files, "call.c"], FLAGS)
    facts = json.loads(sources["ours.json"])["functions"][function.name]
    states = random_states(joints, function.name)
    time = fastest(timer, made.library, states, joints)
    assert machine_code(made.library, "ours")
    return time, facts["form"]["cost"]["instructions"]


def turned(timer: Timer, folder: Path) -> float:
    """Nanoseconds of one angle in the loop of sines and cosines."""
    program = eomc.equations(general_chain(8)).program(("inverse_dynamics",), name="ours")
    sources = emit(program)
    found = []
    for number, count in enumerate((8, 64)):
        text = (
            "void call(const double *x, double *y);\nvoid call(const double *x, double *y)\n{\n"
            f"    OURS_ALIGNED double work[{3 * count}];\n    int k;\n"
            f"    for (k = 0; k < {count}; k++) {{\n        work[k] = x[k % 8];\n    }}\n"
            f"    ours_turns(work, {count});\n    y[0] = work[{2 * count - 1}];\n}}\n"
        )
        place = write({**sources, "ours.c": sources["ours.c"] + text}, folder / f"turns{number}")
        made = compile_measured(place, sources.c_files, FLAGS)
        states = np.random.default_rng(3).uniform(-3, 3, (64, 8))
        found.append(fastest(timer, made.library, states, 1))
    return (found[1] - found[0]) / (64 - 8)


def measured(folder: Path) -> tuple[Core, list[Line]]:
    """All numbers, and the straight lines that the first ones are from."""
    if platform.machine() != "x86_64":
        raise Unavailable(f"straight lines are written for x86_64, not {platform.machine()}")
    timer = Timer(folder / "timer")
    found = lines(timer, folder)
    slow = float(np.median([line.bytes / line.time for line in found[-4:]]))
    fast = float(np.median([line.rate for line in found[:3]]))
    between = (fast * found[-1].rate) ** 0.5
    decoded = max(line.instructions for line in found if line.rate > between)
    place = write({"chain.c": chain_text(_CHAIN)}, folder / "chain")
    made = compile_measured(place, ["chain.c"], (*FLAGS, "-ffp-contract=off"))
    waited = fastest(timer, made.library, np.full((64, 3), 0.5), 1)
    each = turned(timer, folder)
    (short, few), (long, more) = (emitted(timer, folder, n, small=False) for n in _SHORT)
    rate = (more - few) / (long - short - (_SHORT[1] - _SHORT[0]) * each)
    before = short - few / rate - _SHORT[0] * each
    looped, instructions = emitted(timer, folder, 30, small=True)
    core = Core(
        decoded=decoded,
        instructions=round(rate, 1),
        bytes=round(slow, 1),
        step=round(waited / _CHAIN, 2),
        call=round(before, 1),
        turn=round(each, 2),
        looped=round(instructions / (looped - before), 1),
    )
    return core, found


def section(folder: Path) -> Section:
    """Straight lines, and the numbers that follow beside those that emission goes by."""
    core, found = measured(folder)
    kept = asdict(CORE)
    notes = [
        f"`{name}` = {value:g}, kept in `derive/graph/tuning.py`: {kept[name]:g}"
        for name, value in asdict(core).items()
    ]
    return Section(
        "Core",
        "`python -m benchmarks --section core`: straight lines of instructions of one mix, the "
        "fastest of four copies of each; the numbers of this core that follow.",
        ("instructions", "kB", "instructions/ns", "bytes/ns"),
        [
            (
                str(line.instructions),
                f"{line.bytes / 1000:.1f}",
                f"{line.rate:.1f}",
                f"{line.bytes / line.time:.0f}",
            )
            for line in found
        ],
        [asdict(core), *(asdict(line) for line in found)],
        notes,
    )


if __name__ == "__main__":
    print_alone(section)
