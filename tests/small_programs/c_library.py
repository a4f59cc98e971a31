"""Runs emitted C without Python, and loads compiled models."""

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.codegen import Sources
from eomc.runtime.model.load import load_module

WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion"]
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
VECTORS = {"avx2": "-mavx2", "avx512f": "-mavx512f"}


def known_vectors() -> list[str]:
    """Flags of the vectors that this processor knows, by its own account."""
    info = Path("/proc/cpuinfo")
    words = info.read_text().split() if info.is_file() else []
    return [flag for name, flag in VECTORS.items() if name in words]


class Library:
    """Emitted C as a shared library; `call` evaluates a function on flat arrays."""

    def __init__(self, path: Path, sources: Sources, real: str) -> None:
        self.library = ctypes.CDLL(str(path))
        self.prefix = sources.name
        self.dtype = np.float64 if real == "double" else np.float32

    def call(
        self, name: str, inputs: Sequence[object], sizes: Sequence[int]
    ) -> tuple[int, list[NDArray[np.floating]]]:
        arrays = [np.ascontiguousarray(value, self.dtype) for value in inputs]
        outputs = [np.full(max(size, 1), np.nan, self.dtype) for size in sizes]
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays + outputs]
        status = getattr(self.library, f"{self.prefix}_{name}")(*pointers)
        return status, [out[:size] for out, size in zip(outputs, sizes, strict=True)]


def compile_c(
    folder: Path, files: Sequence[str], output: str, compiler: str = "gcc", *flags: str
) -> Path:
    libraries = [] if "-c" in flags else ["-lm"]
    command = [compiler, *flags, *files, "-o", output, *libraries]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return folder / output


def load(path: Path) -> Any:
    """The functions of a compiled model by its path."""
    return load_module(path)
