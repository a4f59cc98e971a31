"""The compiler: the same flags for every contender's C."""

from __future__ import annotations

import ctypes
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from eomc.codegen.compiler import MODEL_FLAGS, NATIVE_FLAGS

# What a build for this machine uses.
FLAGS = (*MODEL_FLAGS, "-O2", *NATIVE_FLAGS, "-fPIC", "-fvisibility=default")
# What a user of a peer would write; gcc then fuses multiplications and pairs scalars by itself.
PLAIN_FLAGS = ("-O2", "-march=native", "-fPIC")


def compile_shared(
    folder: Path, files: Sequence[str], flags: Sequence[str] = FLAGS, compiler: str = "gcc"
) -> tuple[Path, float, int]:
    """(shared library, seconds, bytes of machine code and constants) of C files in `folder`.

    Raises RuntimeError with the end of the compiler's output.
    """
    library = folder / "library.so"
    start = time.perf_counter()
    command = [compiler, *flags, "-shared", *files, "-lm", "-o", library.name]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{compiler} failed: {result.stderr[-2000:]}")
    seconds = time.perf_counter() - start
    size = subprocess.run(["size", library], capture_output=True, text=True, check=True)
    return library, seconds, int(size.stdout.splitlines()[1].split()[0])


def c_function(library: Path, name: str) -> Callable[[int, int], None]:
    """``void name(const double *x, double *y)`` of a shared library."""
    function = getattr(ctypes.CDLL(str(library)), name)
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    function.restype = None
    return cast(Callable[[int, int], None], function)
