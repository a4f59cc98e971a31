"""Cost of large models: derivation and emission in Python, the compiler's time and memory.

    python -m benchmarks.scale

Chains of general links on revolute joints up to 200, and the G1 humanoid with everything. CPU time
of one thread; of the compiler, that of its processes.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import eomc
from benchmarks.cases import g1
from benchmarks.compiling import compile_measured
from benchmarks.contender import Unavailable
from benchmarks.section import Section, Target, exponent, print_alone
from eomc.codegen import emit, write
from eomc.derive.equations import CORE
from eomc.derive.graph import flops
from eomc.derive.model import Model
from eomc.systems.chain import general_chain

JOINTS = (10, 20, 50, 100, 200)
DERIVATIVES = ("forward_dynamics_derivatives", "inverse_dynamics_derivatives")
SECONDS = 3.0
# A file of at most 20 000 statements, some 8 kB each, and what gcc takes for itself.
MEMORY = 300.0
_ROUNDS = 3


@dataclass(frozen=True)
class Cost:
    """Cost of one set of functions of a model.

    operations : of all functions together; text, code : kB of C and of machine code
    derive, emit, compile : seconds; memory : MB of the compiler at its largest
    """

    model: str
    functions: str
    operations: int
    derive: float
    emit: float
    text: float
    compile: float
    memory: float
    code: float


def cost(name: str, words: str, model: Model, functions: tuple[str, ...], folder: Path) -> Cost:
    """Derive and emit, best of three; compile once with default flags."""
    derived = emitted = float("inf")
    for _ in range(_ROUNDS):
        start = time.thread_time()
        program = eomc.equations(model).program(functions=functions, name="scale")
        middle = time.thread_time()
        sources = emit(program)
        derived = min(derived, middle - start)
        emitted = min(emitted, time.thread_time() - middle)
    write(sources, folder)
    compiled = compile_measured(folder, sources.c_files)
    operations = sum(flops(program.graph, function.nodes) for function in program.functions)
    text = sum(len(sources[file]) for file in sources.c_files) / 1024
    seconds, memory = compiled.seconds, compiled.memory
    return Cost(
        name, words, operations, derived, emitted, text, seconds, memory, compiled.code / 1024
    )


def costs(folder: Path) -> list[Cost]:
    """Chains, then the humanoid where its file is installed."""
    rows = []
    for n in JOINTS:
        chain = general_chain(n)
        name, place = f"chain of {n}", folder / f"chain{n}"
        rows.append(cost(name, "forward dynamics", chain, ("forward_dynamics",), place))
    try:
        humanoid = g1()
    except Unavailable as reason:
        print(f"G1 left out: {reason}", file=sys.stderr)
        return rows
    core = tuple(name for name in CORE if name in eomc.equations(humanoid).kinds)
    for words, functions in (("core", core), ("core and derivatives", (*core, *DERIVATIVES))):
        rows.append(cost("G1, 29 joints", words, humanoid, functions, folder / words))
    return rows


def section(folder: Path) -> Section:
    """The table, exponents of its growth, and what is wanted of it."""
    rows = costs(folder)
    chains = [row for row in rows if row.model.startswith("chain")]
    sizes = [float(n) for n in JOINTS]
    notes = [
        f"exponent of the {words} from {JOINTS[0]} to {JOINTS[-1]} joints: {exponent(sizes, v):.2f}"
        for words, v in (
            ("operations", [float(row.operations) for row in chains]),
            ("time to derive and emit", [row.derive + row.emit for row in chains]),
            ("size of the C", [row.text for row in chains]),
        )
    ]
    growth = exponent([row.text for row in chains], [row.compile for row in chains])
    notes.append(f"exponent of the compiler's time by the size of the C: {growth:.2f}")
    targets = [
        Target(
            f"{row.model}: {row.functions} derived and emitted, s",
            row.derive + row.emit,
            SECONDS,
            at_most=True,
        )
        for row in rows
        if row.model == "chain of 100" or row.functions == "core and derivatives"
    ]
    largest = max(row.memory for row in rows)
    targets += [
        Target("compiler's time: power of growth by the size of the C", growth, 1.1, at_most=True),
        Target("compiler's memory at its largest, MB", largest, MEMORY, at_most=True),
    ]
    return Section(
        "Scale",
        "`python -m benchmarks.scale`: functions derived and emitted in Python, compiled with the "
        "default flags; seconds of CPU time, memory of the compiler at its largest. Functions of "
        "more than 600 statements are cut into pieces of 500, files end at 20 000.",
        (
            "model",
            "functions",
            "operations",
            "derive, s",
            "emit, s",
            "C, kB",
            "compile, s",
            "peak MB",
            "code, kB",
        ),
        [_row(row) for row in rows],
        [asdict(row) for row in rows],
        notes,
        targets,
    )


def _row(row: Cost) -> tuple[str, ...]:
    seconds = (f"{row.derive:.2f}", f"{row.emit:.2f}", f"{row.text:.0f}", f"{row.compile:.1f}")
    facts = (f"{row.memory:.0f}", f"{row.code:.0f}")
    return (row.model, row.functions, str(row.operations), *seconds, *facts)


if __name__ == "__main__":
    print_alone(section)
