"""Emitted C and lines beside it, compiled together and loaded."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.codegen import Sources, write
from eomc.codegen.compiler import compile_module, find_compiler

_HEAD = """\
#include "{m}.h"
#if defined(__GNUC__)
#define EOMC_SEEN __attribute__((visibility("default")))
#else
#define EOMC_SEEN
#endif
"""


def arguments_in_c(
    inputs: Sequence[str], shapes: Mapping[str, Sequence[int]], parameters: Any
) -> tuple[str, list[str]]:
    """Lines that declare the default `parameters` p, if there are any, and the arguments of an
    integrator or a closed loop as pointers x: its inputs, p, then time."""
    places = [f"x[{k}]" + ("" if shapes[name] else "[0]") for k, name in enumerate(inputs)]
    timed = [place for place, name in zip(places, inputs, strict=True) if name == "t"]
    others = [place for place, name in zip(places, inputs, strict=True) if name != "t"]
    made = "const {m}_parameters p = {m}_default_parameters();\n    " if parameters else ""
    return made, [*others, *(["&p"] if parameters else []), *timed]


def arrays_in_c(inputs: Sequence[str], values: Mapping[str, Any]) -> list[NDArray[np.float64]]:
    """Copies of the inputs, states of elements behind the speeds."""
    given = {name: np.array(values[name], dtype=float) for name in inputs}
    given["u"] = np.concatenate([given["u"], np.asarray(values.get("z", ()), dtype=float)])
    return [np.atleast_1d(np.ascontiguousarray(given[name])) for name in inputs]


def pointers(arrays: Sequence[NDArray[np.float64]]) -> Any:
    """An array of C that points to them."""
    return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))


def shapes_of(manifest: Mapping[str, Any]) -> dict[str, Sequence[int]]:
    """Shapes of the arrays that functions take and give, by name."""
    shapes: dict[str, Sequence[int]] = {}
    for function in manifest["functions"].values():
        shapes |= {port["name"]: port["shape"] for port in function["inputs"] + function["outputs"]}
    return shapes


def loaded_sources(sources: Sources, text: str, compiler: Any, flag: str) -> ctypes.CDLL:
    """The library of all C files and of `text`, behind their header; EOMC_SEEN marks its functions.

    Raises BuildError.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write(sources, folder)
        (folder / "beside.c").write_text(_HEAD.format(m=sources.name) + text, encoding="utf-8")
        library, command = folder / "beside.so", find_compiler(compiler)
        compile_module(folder, library, command, sources.c_files, "beside.c", [str(folder)], [flag])
        return ctypes.CDLL(str(library))
