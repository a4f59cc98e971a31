"""Codes of the states that a function on lanes is called for, and the one that it returns in C."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.building.loaded_sources import loaded_sources
from eomc.codegen import emit
from eomc.derive.graph import Function, Program

_CALL = """\
EOMC_SEEN int eomc_call(double *x, int *codes);
int eomc_call(double *x, int *codes)
{{
    return {m}_{function}_lanes({arguments}, codes);
}}
"""


def lanes_codes(
    program: Program,
    function: Function,
    states: Sequence[Mapping[str, NDArray[np.float64]]],
    compiler: Any = None,
) -> tuple[int, NDArray[np.intc]]:
    """(what is returned, code of each state) of as many states as there are lanes.

    Raises EmissionError, BuildError.
    """
    lanes = len(states)
    alone = replace(program, functions=(function,))
    sources = emit(alone, lanes=lanes)
    given = [np.stack([np.ravel(state[port.name]) for state in states]) for port in function.inputs]
    if program.parameters:
        given.append(np.tile([p.default for p in program.parameters], (lanes, 1)))
    given += [np.zeros((lanes, len(port.entries))) for port in function.outputs]
    blocks = [np.ascontiguousarray(part.T, dtype=float).ravel() for part in given]
    starts = np.cumsum([0, *map(len, blocks)])
    arguments = ", ".join(f"x + {start}" for start in starts[:-1])
    text = _CALL.format(m=sources.name, function=function.name, arguments=arguments)
    call = loaded_sources(sources, text, compiler, "-O0").eomc_call
    memory, codes = np.concatenate(blocks), np.full(lanes, -1, np.intc)
    call.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    return int(call(memory.ctypes.data, codes.ctypes.data)), codes
