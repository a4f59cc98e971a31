"""Savings and cost of small code: bytes, compile time and speed beside unrolled code.

    python -m benchmarks.size

Object code are the sections .text and .rodata, tables included; the stack is what the header says.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

import eomc
from benchmarks.cases import g1, panda
from benchmarks.compiling import PORTABLE_FLAGS, c_function, compile_measured
from benchmarks.contender import Contender, Unavailable
from benchmarks.measure import random_states
from benchmarks.ours import call_text
from benchmarks.section import Section, Target, print_alone
from benchmarks.timing import Timer
from eomc.codegen import emit, write
from eomc.derive.equations import Equations
from eomc.derive.graph import Program
from eomc.derive.graph.tuning import LARGE_LINE_BYTES
from eomc.derive.model import Model
from eomc.systems.chain import general_chain

FORMS = ((False, "-O2"), (False, "-Os"), (True, "-O2"), (True, "-Os"))
FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
DERIVATIVES = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives")
ALL = (
    *(*FUNCTIONS, "bias", "gravity", "kinetic_energy", "potential_energy", "momentum"),
    *("center_of_mass", "center_of_mass_jacobian"),
)
"""Functions in loops without derivatives: together they share steps and tables."""
LONG, LINEAR = 300, ("inverse_dynamics", "forward_dynamics")
"""Joints of the longest chain, and functions whose straight lines grow no faster than it."""


@dataclass(frozen=True)
class Form:
    """One form of one function, or of all of them together, which are not timed.

    code, stack : bytes; compile : seconds of the compiler; call : ns
    """

    model: str
    functions: str
    small: bool
    level: str
    code: int
    stack: int
    compile: float
    call: float | None


def forms(
    name: str, equations: Equations, functions: Sequence[str], timer: Timer, folder: Path
) -> list[Form]:
    """All forms, checked against each other; timed in turn if it is one function."""
    facts, contenders = [], []
    for number, (small, level) in enumerate(FORMS):
        program = _program(equations, functions, small)
        sources = emit(program)
        text = call_text(program.functions[0])
        place = write({**sources, "call.c": text}, folder / f"{functions[0]}{number}")
        flags = [level if flag == "-O2" else flag for flag in PORTABLE_FLAGS]
        made = compile_measured(place, [*sources.c_files, "call.c"], flags)
        facts.append((small, level, _code(made.library), _stack(sources["ours.h"]), made.seconds))
        contenders.append(Contender(str(number), c_function(made.library, "call")))
    calls: list[float | None] = [None] * len(FORMS)
    first = program.functions[0]
    if len(functions) == 1:
        states = random_states(len(first.inputs[0].entries), first.name)
        size = sum(len(port.entries) for port in first.outputs)
        judge, *others = (contender.values(states, size) for contender in contenders)
        for other in others:
            if not np.abs(other - judge).max() <= 1e-6 * np.abs(judge).max():
                raise RuntimeError(f"{name}: {first.name} in loops differs from the unrolled one")
        calls = [timing.median for timing in timer.race(contenders, states, size)]
    words = first.name if len(functions) == 1 else "all ten"
    return [Form(name, words, *fact, call) for fact, call in zip(facts, calls, strict=True)]


def _program(equations: Equations, functions: Sequence[str], small: bool) -> Program:
    """Small code, or straight lines however long."""
    program = equations.program(functions=functions, name="ours", small=small)
    lines = tuple(replace(function, blocked={}) for function in program.functions)
    return replace(program, functions=lines)


def _code(library: Path) -> int:
    listing = subprocess.run(["size", "-A", library], capture_output=True, text=True, check=True)
    rows = [line.split() for line in listing.stdout.splitlines()]
    return sum(int(row[1]) for row in rows if row and row[0] in (".text", ".rodata"))


def _stack(header: str) -> int:
    """The most that a function takes."""
    lines = [line.split() for line in header.splitlines() if "Stack: at most" in line]
    return max(int(words[words.index("most") + 1]) for words in lines)


def rows(folder: Path) -> list[Form]:
    """The arm, the humanoid where its file is installed, chains."""
    models: list[tuple[str, Model]] = []
    for name, model in (("Panda, 7 joints", panda), ("G1, 29 joints", g1)):
        try:
            models.append((name, model()))
        except Unavailable as reason:
            print(f"{name} left out: {reason}", file=sys.stderr)
    models += [(f"chain, {n} joints", general_chain(n)) for n in (30, 100)]
    timer = Timer(folder / "timer")
    found: list[Form] = []
    for name, made in models:
        equations = eomc.equations(made)
        place = folder / made.name
        robots = () if name.startswith("chain") else DERIVATIVES  # long to compile unrolled
        for function in (*FUNCTIONS, *robots):
            found += forms(name, equations, [function], timer, place)
        found += forms(name, equations, ALL, timer, place / "all")
    equations = eomc.equations(general_chain(LONG))
    for function in LINEAR:
        found += forms(f"chain, {LONG} joints", equations, [function], timer, folder / "long")
    return found


def section(folder: Path) -> Section:
    """The table, what small code must save, and that long lines of vectors are for speed."""
    found = rows(folder)
    groups = [found[k : k + len(FORMS)] for k in range(0, len(found), len(FORMS))]
    head = [f"{'small' if small else 'unrolled'} {level}" for small, level in FORMS]
    targets = [
        Target(
            f"{first.model}, {first.functions}: unrolled by small code, both -Os",
            unrolled.code / rolled.code,
            2.0,
        )
        for first, unrolled, _, rolled in groups
        if first.call is None
    ]
    targets += [
        Target(
            f"{line.model}, {line.functions}: small code by unrolled, time of a call, both -O2",
            small.call / line.call,
            1.0,
        )
        for line, _, small, _ in groups
        if line.call and small.call and line.code > LARGE_LINE_BYTES and line.functions in LINEAR
    ]
    return Section(
        "Small code",
        "`python -m benchmarks --section size`: object code and tables, time of one call, time to "
        "compile, stack, with the default flags for any machine of its kind (no `-march=native`).",
        ("model", "function", *head),
        [(group[0].model, group[0].functions, *map(_cell, group)) for group in groups],
        [asdict(form) for form in found],
        (),
        targets,
    )


def _cell(form: Form) -> str:
    call = "" if form.call is None else f", {form.call:.0f} ns"
    stack = f"{form.stack / 1024:.1f} kB"
    return f"{form.code / 1024:.1f} kB{call}; {form.compile:.1f} s; {stack}"


if __name__ == "__main__":
    print_alone(section)
