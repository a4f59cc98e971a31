"""Emitted C as a module without Python's wrapper: compiled in a moment, called by ctypes."""

from __future__ import annotations

import ctypes
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from eomc.codegen import Sources, write


def c_module(sources: Sources, folder: Path) -> ModuleType:
    """What `CompiledModel` wants of an extension module: its manifest and its functions."""
    write(sources, folder)
    library = folder / f"{sources.name}.so"
    command = ["cc", "-std=c99", "-O0", "-fPIC", "-shared", *sources.c_files, "-o", library, "-lm"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    loaded = ctypes.CDLL(str(library))
    module = ModuleType(sources.name)
    module.__file__ = str(library)
    manifest = json.loads(sources[f"{sources.name}.json"])
    defaults = np.array([entry["default"] for entry in manifest["parameters"]], dtype=float)
    for entry in manifest["functions"].values():
        setattr(module, entry["python"], _face(getattr(loaded, entry["symbol"]), entry, defaults))
    manifest["integrators"] = manifest["solvers"] = []
    module.manifest = manifest  # type: ignore[attr-defined]
    return module


def _face(function: Any, entry: dict[str, Any], defaults: np.ndarray) -> Callable[..., Any]:
    shapes = [tuple(argument["shape"]) for argument in entry["inputs"]]
    outputs = [tuple(argument["shape"]) for argument in entry["outputs"]]
    function.restype = ctypes.c_int

    def call(*values: Any, threads: int = 1) -> Any:
        if values and np.ndim(values[0]) > len(shapes[0]):  # a batch, one by one
            rows = []
            for k, row in enumerate(zip(*values, strict=True)):
                try:
                    rows.append(call(*row))
                except FloatingPointError as error:
                    raise FloatingPointError(f"{error} at batch index ({k},)") from None
            if isinstance(rows[0], tuple):
                return tuple(np.stack(column) for column in zip(*rows, strict=True))
            return np.stack(rows)
        arguments: list[Any] = []
        kept = []
        for shape, value in zip(shapes, values, strict=True):
            array = np.asarray(value, dtype=float, order="C")
            assert array.shape == shape, (entry["python"], array.shape, shape)
            kept.append(array)
            by_value = shape == ()
            arguments.append(ctypes.c_double(float(array)) if by_value else _pointer(array))
        if defaults.size:
            arguments.append(_pointer(defaults))
        results = [np.empty(shape) for shape in outputs]
        arguments += [_pointer(result) for result in results]
        if function(*arguments) != 0:
            raise FloatingPointError(entry["python"])
        answers = [result[()] if result.shape == () else result for result in results]
        return answers[0] if len(answers) == 1 else tuple(answers)

    return call


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
