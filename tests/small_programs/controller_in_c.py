"""Emitted steps of controllers, observers and shapers as Python functions."""

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from small_programs.c_library import WARNINGS, compile_c

from eomc.building.controller_program import controller_program
from eomc.codegen import emit, write

Row = NDArray[np.float64]


def step_in_c(
    folder: Path, controller: Any, model: Any = None, real: str = "double", seed: int = 0
) -> Callable[..., Row]:
    """The emitted step, from inputs to output."""
    program = controller_program(controller, model, "made", real)
    sources = emit(program, real)  # type: ignore[arg-type]
    write(sources, folder)
    flags = (*WARNINGS, "-Wshadow", "-O1", "-ffp-contract=off", "-fPIC", "-shared")
    loaded = ctypes.CDLL(str(compile_c(folder, sources.c_files, "made.so", "gcc", *flags)))
    state, kind = ctypes.create_string_buffer(1 << 16), np.dtype(real.replace("float", "float32"))
    loaded.made_init(state, ctypes.c_ulonglong(seed))
    (function,) = program.functions
    size = len(function.outputs[-1].entries)
    parameters = np.array([p.default for p in program.parameters], kind)

    def step(*inputs: Row) -> Row:
        rows = [np.ascontiguousarray(row, kind) for row in inputs]
        rows += [parameters] if len(parameters) else []
        output = np.full(size, np.nan, kind)
        pointers = [ctypes.c_void_p(row.ctypes.data) for row in (*rows, output)]
        code = loaded.made_step(state, *pointers)
        assert code == 0, code
        return output

    return step
