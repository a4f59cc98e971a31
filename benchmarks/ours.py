"""Our emitted C behind the benchmark's call."""

from __future__ import annotations

import time
from pathlib import Path

import eomc
from benchmarks.compiling import FLAGS, c_function, compile_shared, copies
from benchmarks.contender import Contender
from eomc.codegen import emit, write
from eomc.derive.graph import flops
from eomc.derive.model import Model

STEP = ("forward_dynamics", "coordinate_rates", "normalize")
RK4 = Path(__file__).with_name("rk4.h")


def ours(
    model: Model, function: str, folder: Path, flags: tuple[str, ...] = FLAGS, name: str = "eomc"
) -> Contender:
    """Derive, emit and compile `function` alone, or a Runge-Kutta step with what it calls."""
    start = time.perf_counter()
    needed = STEP if function == "rk4_step" else (function,)
    program = eomc.equations(model).program(functions=needed, name="ours")
    derived = time.perf_counter()
    sources = emit(program)
    emitted = time.perf_counter()
    first = program.functions[0]
    stepped = function == "rk4_step"
    text = step_text(len(first.inputs[0].entries)) if stepped else call_text(first)
    write({**sources, "call.c": text, "rk4.h": RK4.read_text()}, folder)
    library, seconds, code = compile_shared(folder, ["call.c", *sources.c_files], flags)
    return Contender(
        name,
        c_function(library, "call"),
        derived - start,
        emitted - derived,
        seconds,
        None if stepped else flops(program.graph, first.nodes),
        code,
        copies=[c_function(copy, "call") for copy in copies(library)],
    )


def step_text(joints: int) -> str:
    """C text of one step of the emitted Runge-Kutta method on a copy of the packed state."""
    return (
        '#include "ours.h"\n#include "rk4.h"\n#include <string.h>\n'
        "void call(const double *x, double *y);\n"
        "void call(const double *x, double *y)\n{\n"
        f"    memcpy(y, x, {2 * joints} * sizeof *y);\n"
        f"    (void)ours_rk4(y, y + {joints}, x + {2 * joints}, RK4_STEP, 1);\n}}\n"
    )


def call_text(function: object) -> str:
    """C text that spreads the packed state over the arguments."""
    arguments = []
    for source, ports in (("x", function.inputs), ("y", function.outputs)):  # type: ignore[attr-defined]
        place = 0
        for port in ports:
            arguments.append(f"{source} + {place}")
            place += len(port.entries)
    return (
        '#include "ours.h"\n'
        "void call(const double *x, double *y);\n"
        "void call(const double *x, double *y)\n"
        f"{{\n    (void)ours_{function.name}({', '.join(arguments)});\n}}\n"  # type: ignore[attr-defined]
    )
