"""Functions of emitted C that advance q and u in place, as Python functions."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.building.loaded_sources import loaded_sources
from eomc.codegen import Sources

Arrays = dict[str, NDArray[np.float64]]

_CALL = """\
EOMC_SEEN int eomc_{symbol}(double *const *x, {declared});
int eomc_{symbol}(double *const *x, {declared})
{{
    {parameters}return {symbol}({arguments});
}}
"""


def called_in_place(
    sources: Sources,
    entries: Sequence[Mapping[str, Any]],
    declared: Mapping[str, str],
    compiler: Any = None,
) -> list[Callable[..., Arrays]]:
    """A function (values by name, numbers) -> arrays by name for each of these integrators or
    closed loops of the manifest, parameters at their defaults; u is [u; z].

    declared : types in C of the numbers that stand behind the inputs, by name

    The functions raise FloatingPointError where the C returns a code. Raises BuildError.
    """
    manifest, m = json.loads(sources[f"{sources.name}.json"]), sources.name
    shapes: dict[str, Sequence[int]] = {}
    for function in manifest["functions"].values():
        shapes |= {port["name"]: port["shape"] for port in function["inputs"] + function["outputs"]}
    made = f"const {m}_parameters p = {m}_default_parameters();\n    "
    text = ""
    for entry in entries:
        inputs = _inputs(entry)
        places = {
            name: f"x[{k}]" + ("" if shapes[name] else "[0]") for k, name in enumerate(inputs)
        }
        timed = [places.pop("t")] if "t" in places else []
        parameters = ["&p"] if manifest["parameters"] else []
        arguments = [*places.values(), *parameters, *timed, *declared]
        arguments += [f"x[{len(inputs)}]"] if "output" in entry else []
        text += _CALL.format(
            symbol=entry["symbol"],
            arguments=", ".join(arguments),
            parameters=made if parameters else "",
            declared=", ".join(f"{kind} {name}" for name, kind in declared.items()),
        )
    loaded = loaded_sources(sources, text, compiler, "-O0")
    kinds = [{"double": ctypes.c_double, "int": ctypes.c_int}[kind] for kind in declared.values()]
    return [
        partial(_called, getattr(loaded, f"eomc_{entry['symbol']}"), entry, shapes, kinds)
        for entry in entries
    ]


def _inputs(entry: Mapping[str, Any]) -> list[str]:
    """Inputs in C, where states of elements stand behind u."""
    return [name for name in entry["inputs"] if name != "z"]


def _called(
    call: Any,
    entry: Mapping[str, Any],
    shapes: Mapping[str, Sequence[int]],
    kinds: Sequence[Any],
    values: Mapping[str, Any],
    *numbers: float,
) -> Arrays:
    given = {name: np.array(values[name], dtype=float) for name in _inputs(entry)}
    given["u"] = np.concatenate([given["u"], np.asarray(values.get("z", ()), dtype=float)])
    if "output" in entry:
        given[entry["output"]] = np.zeros(shapes[entry["output"]])
    arrays = {name: np.atleast_1d(np.ascontiguousarray(array)) for name, array in given.items()}
    pointers = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays.values()))
    status = call(pointers, *(kind(number) for kind, number in zip(kinds, numbers, strict=True)))
    if status != 0:
        raise FloatingPointError(f"{entry['symbol']} returned {status}")
    return arrays
