"""Our emitted C behind the benchmark's call."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.compiling import FLAGS, c_function, compile_shared
from benchmarks.contender import Contender
from eomc.codegen import emit, write
from eomc.derive.equations import derive
from eomc.derive.graph import flops
from eomc.derive.model import Model


def ours(
    model: Model, function: str, folder: Path, flags: tuple[str, ...] = FLAGS, name: str = "eomc"
) -> Contender:
    """Derive, emit and compile `function` alone."""
    start = time.perf_counter()
    program = derive(model).program(functions=[function], name="ours")
    derived = time.perf_counter()
    sources = emit(program)
    emitted = time.perf_counter()
    write({**sources, "call.c": call_text(program.functions[0])}, folder)
    library, seconds, code = compile_shared(folder, ["call.c", *sources.c_files], flags)
    return Contender(
        name,
        c_function(library, "call"),
        derived - start,
        emitted - derived,
        seconds,
        flops(program.graph, program.functions[0].nodes),
        code,
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
