"""An emitted function, state after state."""

import ctypes
from pathlib import Path

import numpy as np

from eomc.derive.graph import Program


def values(library: Path, program: Program, states: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Outputs one after the other, NaN before, and codes; parameters have their values."""
    (function,) = program.functions
    call = getattr(ctypes.CDLL(str(library)), f"ours_{function.name}")
    sizes = [len(port.entries) for port in function.inputs]
    ends = np.cumsum([len(port.entries) for port in function.outputs])
    parameters = [np.array([p.default for p in program.parameters], float)]
    out, codes = np.full((len(states), ends[-1]), np.nan), []
    for state, row in zip(states, out, strict=True):
        parts = np.split(state[: sum(sizes)], np.cumsum(sizes)[:-1])
        given = [*map(np.ascontiguousarray, parts), *parameters[: len(program.parameters)]]
        arrays = [*given, *np.split(row, ends[:-1])]
        codes.append(call(*(ctypes.c_void_p(array.ctypes.data) for array in arrays)))
    return out, codes
