"""The compiler: the same flags for every contender's C."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from eomc.codegen.compiler import NATIVE_FLAGS, find_compiler, model_options

GCC = find_compiler("gcc")
# What a build for this machine uses.
_EXPORTED = ("-fPIC", "-fvisibility=default")
FLAGS = (*model_options(GCC, ["-O2", *NATIVE_FLAGS]), *_EXPORTED)
# The same for processors of 2013 and later.
AVX2_FLAGS = (*(flag for flag in FLAGS if flag != "-march=native"), "-mavx2", "-mfma")
# What a user of a peer would write; gcc then fuses multiplications and pairs scalars by itself.
PLAIN_FLAGS = ("-O2", "-march=native", "-fPIC")


# Of the default build, which fuses nothing and runs anywhere.
PORTABLE_FLAGS = (*model_options(GCC, ["-O2"]), *_EXPORTED)

COPIES = 4
"""Of a library that is timed."""

# A process that forks begins as large as its parent, hence a small one in between.
_LARGEST = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(code)
"""


@dataclass(frozen=True)
class Compiled:
    """A shared library: CPU seconds and MB of the compiler, bytes of machine code and constants."""

    library: Path
    seconds: float
    memory: float
    code: int


def compile_measured(
    folder: Path, files: Sequence[str], flags: Sequence[str] = PORTABLE_FLAGS, compiler: str = "gcc"
) -> Compiled:
    """Compile C files of `folder`; raises RuntimeError with the end of the compiler's output."""
    library = folder / "library.so"
    command = [compiler, *flags, "-shared", *files, "-lm", "-o", library.name]
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LARGEST, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        raise RuntimeError(f"{compiler} failed in {folder}: {result.stderr[-2000:]}")
    seconds, kilobytes = map(float, result.stdout.split())
    size = subprocess.run(["size", library], capture_output=True, text=True, check=True)
    code = int(size.stdout.splitlines()[1].split()[0])
    return Compiled(library, seconds, kilobytes / 1024, code)


def compile_shared(
    folder: Path, files: Sequence[str], flags: Sequence[str] = FLAGS, compiler: str = "gcc"
) -> tuple[Path, float, int]:
    """(shared library, CPU seconds, bytes of machine code and constants), as `compile_measured`."""
    made = compile_measured(folder, files, flags, compiler)
    return made.library, made.seconds, made.code


def c_function(library: Path, name: str) -> Callable[[int, int], None]:
    """``void name(const double *x, double *y)`` of a shared library."""
    function = getattr(ctypes.CDLL(str(library)), name)
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    function.restype = None
    return cast(Callable[[int, int], None], function)


def copies(library: Path) -> list[Path]:
    """The same library on other pages: what lies where in the caches changes its time by as much
    as a half, so that one copy alone tells little."""
    found = []
    for number in range(1, COPIES):
        found.append(library.with_name(f"{library.stem}.{number}.so"))
        shutil.copy(library, found[-1])
    return found
