"""The floor of a batch: its arithmetic at the rate that this machine reaches on nothing else.

Assumptions: each addition, subtraction, multiplication and division is one vector instruction; half
of the instructions add and half multiply, none waits for another, none touches memory. Fused
multiply-adds, which the compiled code uses where it can, could go below; divisions, loads, stores
and waiting go above.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import eomc
from benchmarks.compiling import c_function, compile_shared
from benchmarks.contender import Array, Contender
from eomc.codegen import emit, write
from eomc.derive.graph import flops, operation_count
from eomc.derive.model import Model

_ROUNDS, _CHAINS = 20_000, 12


def peak(lanes: int, folder: Path) -> tuple[Contender, int]:
    """The kernel on vectors of `lanes` numbers, and its operations on each lane."""
    folder.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).with_name("peak.c")
    defines = f"#define LANES {lanes}\n#define ROUNDS {_ROUNDS}\n"
    (folder / "peak.c").write_text(defines + source.read_text())
    library, _, _ = compile_shared(folder, ["peak.c"])
    return Contender("peak", c_function(library, "call")), _ROUNDS * _CHAINS


@dataclass(frozen=True)
class LaneFunction:
    """The emitted function for `lanes` states, states packed as it wants them.

    operations : of the function on one state; turning : of its sines and cosines
    inputs, size : numbers that it takes and gives for one state
    """

    contender: Contender
    library: Path
    lanes: int
    operations: int
    turning: int
    inputs: int
    size: int

    def packed(self, states: Array) -> Array:
        """Rows of `lanes` states each: entry i of state k at [i*lanes + k]."""
        groups = len(states) // self.lanes
        blocks = states[: groups * self.lanes].reshape(groups, self.lanes, -1)
        return np.ascontiguousarray(blocks.transpose(0, 2, 1).reshape(groups, -1))

    def check(self, states: Array, expected: Array) -> None:
        """Raises ArithmeticError if results differ from `expected`, one row a state."""
        values = self.contender.values(self.packed(states), self.size * self.lanes)
        rows = values.reshape(len(values), self.size, self.lanes).transpose(0, 2, 1)
        error = np.abs(rows.reshape(-1, self.size) - expected).max() / np.abs(expected).max()
        if not error < 1e-9:
            raise ArithmeticError(f"functions for {self.lanes} lanes are off by {error:.1e}")


def lane_function(model: Model, function: str, lanes: int, folder: Path) -> LaneFunction:
    """Emit and compile `function` for `lanes` states at once."""
    program = eomc.equations(model).program(functions=[function], name="ours")
    (made,) = program.functions
    sources = emit(program, lanes=lanes)
    places = []
    for array, ports in (("x", made.inputs), ("y", made.outputs)):
        sizes = [len(port.entries) for port in ports]
        places += [f"{array} + {sum(sizes[:k])}*{lanes}" for k in range(len(sizes))]
    text = (
        '#include "ours.h"\nvoid call(const double *x, double *y);\n'
        f"void call(const double *x, double *y)\n{{\n    int codes[{lanes}];\n"
        f"    (void)ours_{function}_lanes({', '.join(places)}, codes);\n}}\n"
    )
    write({**sources, "call.c": text}, folder)
    library, _, _ = compile_shared(folder, ["call.c", *sources.c_files])
    counts = operation_count(program.graph, made.nodes)
    turns = max(counts.get("sin", 0), counts.get("cos", 0))
    return LaneFunction(
        Contender(f"{lanes} at once", c_function(library, "call")),
        library,
        lanes,
        flops(program.graph, made.nodes),
        turns * turn_operations("".join(sources[each] for each in sources.c_files)),
        sum(len(port.entries) for port in made.inputs),
        sum(len(port.entries) for port in made.outputs),
    )


def turn_operations(text: str) -> int:
    """Additions, subtractions and multiplications of one sine and cosine in the emitted C."""
    body = text.partition("x = turns[i];")[2].partition("count quarter turns")[0]
    statements = re.findall(r" (\+?)= (.*);", body)
    return sum(len(re.findall(r"\*| \+ | - ", value)) + len(more) for more, value in statements)
