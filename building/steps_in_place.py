"""Steps of emitted C that advance a state in place, as Python functions."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.building.loaded_sources import loaded_sources
from eomc.codegen import Sources, emit
from eomc.derive.graph import Program

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


Step = Callable[[Mapping[str, Any], float], tuple[Array, Array, Array]]


def closed_loop_steps(program: Program, compiler: Any = None) -> dict[str, Step]:
    """A function (values by name, h) -> (q, [u; z], output) for each law, parameters at their
    defaults.

    The functions raise FloatingPointError where the C returns a code. Raises EmissionError,
    BuildError.
    """
    sources = emit(program)
    loops = json.loads(sources[f"{sources.name}.json"]).get("closed_loops", [])
    if not loops:
        return {}
    calls = called_in_place(sources, loops, {"h": "double"}, compiler)
    return {
        loop["law"]: partial(_step, call, loop["output"])
        for loop, call in zip(loops, calls, strict=True)
    }


def _step(
    call: Callable[..., Arrays], output: str, values: Mapping[str, Any], h: float
) -> tuple[Array, Array, Array]:
    found = call(values, h)
    return found["q"], found["u"], found[output]


def steps_in_place(
    program: Program, values: Mapping[str, Any], h: float, steps: int, compiler: Any = None
) -> Arrays:
    """q and u = [u; z], among others, after so many steps with the inputs held, parameters at their
    defaults.

    Raises FloatingPointError where the C returns a code; EmissionError, BuildError; KeyError for a
    program without such a method.
    """
    sources = emit(program)
    manifest = json.loads(sources[f"{sources.name}.json"])
    method = {entry["name"]: entry for entry in manifest["integrators"]}["rk4"]
    (call,) = called_in_place(sources, [method], {"h": "double", "steps": "int"}, compiler)
    return call(values, h, steps)
