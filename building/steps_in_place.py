"""Steps of the emitted Runge-Kutta method that advance a state in place, called in C."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping
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

_CALL = """\
EOMC_SEEN int eomc_steps(double *const *x, double h, int steps);
int eomc_steps(double *const *x, double h, int steps)
{{
    {parameters}return {symbol}({arguments}, h, steps);
}}
"""


def steps_in_place(
    program: Program, values: Mapping[str, Any], h: float, steps: int, compiler: Any = None
) -> tuple[Array, Array]:
    """(q, [u; z]) after so many steps with the inputs held, parameters at their defaults.

    Raises FloatingPointError where the C returns a code; EmissionError, BuildError; KeyError for a
    program without such a method.
    """
    sources = emit(program)
    manifest = json.loads(sources[f"{sources.name}.json"])
    method = {entry["name"]: entry for entry in manifest["integrators"]}["rk4"]
    inputs = [name for name in method["inputs"] if name != "z"]  # which stand behind u
    made, arguments = arguments_in_c(inputs, shapes_of(manifest), manifest["parameters"])
    text = _CALL.format(
        symbol=method["symbol"], arguments=", ".join(arguments),
        parameters=made.format(m=sources.name),
    )  # fmt: skip
    call = loaded_sources(sources, text, compiler, "-O0").eomc_steps
    arrays = arrays_in_c(inputs, values)
    status = call(pointers(arrays), ctypes.c_double(h), ctypes.c_int(steps))
    if status != 0:
        raise FloatingPointError(f"{method['symbol']} returned {status}")
    return arrays[inputs.index("q")], arrays[inputs.index("u")]
