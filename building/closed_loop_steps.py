"""The steps of closed loops that are emitted in C alone, as Python functions."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.building.loaded_sources import loaded_sources
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
    shapes: dict[str, Sequence[int]] = {}
    for function in manifest["functions"].values():
        shapes |= {port["name"]: port["shape"] for port in function["inputs"] + function["outputs"]}
    p = "&p" if manifest["parameters"] else None
    made = f"const {sources.name}_parameters p = {sources.name}_default_parameters();\n    "
    text = ""
    for loop in loops:
        inputs = loop["inputs"]
        places = [f"x[{k}]" + ("" if shapes[name] else "[0]") for k, name in enumerate(inputs)]
        timed = [place for place, name in zip(places, inputs, strict=True) if name == "t"]
        others = [place for place, name in zip(places, inputs, strict=True) if name != "t"]
        arguments = [*others, *([p] if p else []), *timed, "h", f"x[{len(inputs)}]"]
        text += _CALL.format(
            m=sources.name, law=loop["law"], symbol=loop["symbol"], arguments=", ".join(arguments),
            parameters=made if p else "",
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
    given = {name: np.array(values[name], dtype=float) for name in loop["inputs"]}
    given["u"] = np.concatenate([given["u"], np.asarray(values.get("z", ()), dtype=float)])
    result = np.zeros(shapes[loop["output"]])
    arrays = [np.atleast_1d(np.ascontiguousarray(given[name])) for name in loop["inputs"]]
    pointers = [array.ctypes.data for array in (*arrays, result)]
    status = call((ctypes.c_void_p * len(pointers))(*pointers), ctypes.c_double(h))
    if status != 0:
        raise FloatingPointError(f"{loop['symbol']} returned {status}")
    return arrays[loop["inputs"].index("q")], arrays[loop["inputs"].index("u")], result
