"""The steps of closed loops that are emitted in C alone, as Python functions."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.building.loaded_sources import (
    arguments_in_c,
    arrays_in_c,
    loaded_sources,
    pointers,
    shapes_of,
)
from eomc.codegen import emit
from eomc.derive.graph import Program

Array = NDArray[np.float64]
Step = Callable[[Mapping[str, Any], float], tuple[Array, Array, Array]]

_CALL = """\
EOMC_SEEN int eomc_step_{law}(double *const *x, double h);
int eomc_step_{law}(double *const *x, double h)
{{
    {parameters}return {symbol}({arguments});
}}
"""


def closed_loop_steps(program: Program, compiler: Any = None) -> dict[str, Step]:
    """A function (values by name, h) -> (q, [u; z], output) for each law, parameters at their
    defaults.

    The functions raise FloatingPointError where the C returns a code. Raises EmissionError,
    BuildError.
    """
    sources = emit(program)
    manifest = json.loads(sources[f"{sources.name}.json"])
    loops = manifest.get("closed_loops", [])
    if not loops:
        return {}
    shapes = shapes_of(manifest)
    text = ""
    for loop in loops:
        made, given = arguments_in_c(loop["inputs"], shapes, manifest["parameters"])
        arguments = [*given, "h", f"x[{len(loop['inputs'])}]"]
        text += _CALL.format(
            law=loop["law"], symbol=loop["symbol"], arguments=", ".join(arguments),
            parameters=made.format(m=sources.name),
        )  # fmt: skip
    loaded = loaded_sources(sources, text, compiler, "-O1")
    return {
        loop["law"]: partial(_step, getattr(loaded, f"eomc_step_{loop['law']}"), loop, shapes)
        for loop in loops
    }


def _step(
    call: Any, loop: Mapping[str, Any], shapes: Mapping[str, Any], values: Mapping[str, Any],
    h: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    result, arrays = np.zeros(shapes[loop["output"]]), arrays_in_c(loop["inputs"], values)
    status = call(pointers([*arrays, result]), ctypes.c_double(h))
    if status != 0:
        raise FloatingPointError(f"{loop['symbol']} returned {status}")
    return arrays[loop["inputs"].index("q")], arrays[loop["inputs"].index("u")], result
