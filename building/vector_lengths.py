"""Builds for vectors of each length, and return codes of functions on lanes."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.building.loaded_sources import loaded_sources
from eomc.codegen import emit
from eomc.codegen.compiler import model_flags, native_vector_bytes, words_of
from eomc.codegen.plan.interface import own_prefix
from eomc.derive.graph import Function, Program
from eomc.derive.graph.tuning import FEWEST_ANGLES

_FLAGS = {32: "-mavx2", 64: "-mavx512f"}


"""By bytes of the vectors: flags of GCC and Clang for x86, where alone there are such."""


NONE, LONGER = 0, tuple(_FLAGS)


def written_for_vectors(functions: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Names of those functions of a manifest whose code differs with the length of vectors: columns
    side by side, or angles enough to be turned together."""
    return [
        name
        for name, told in functions.items()
        if told["form"]["name"] == "rows" or told["operations"].get("sin", 0) >= FEWEST_ANGLES
    ]


def flags_for_vectors(
    length: int,
    program: str,
    *,
    compiler: str | os.PathLike[str] | None = None,
    flags: str | Sequence[str] | None = None,
) -> list[str] | None:
    """`flags`, or those by default, with that for vectors of `length` bytes, or with what leaves
    vectors out of the code of a `program`; None where this machine or the compiler has no such."""
    asked = model_flags() if flags is None else words_of(flags, "flags")
    if length == NONE:
        return [*asked, f"-D{own_prefix(program).upper()}_NO_VECTORS"]
    if native_vector_bytes(compiler) < length:
        return None
    return [*asked, _FLAGS[length]]


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
