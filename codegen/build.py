"""Emitted sources become an extension module, once: a second build of the same compiles nothing."""

import contextlib
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from eomc.codegen.cached import cached
from eomc.codegen.compiler import (
    NATIVE_FLAGS,
    compile_module,
    compiler_identity,
    find_compiler,
    model_flags,
    model_options,
    words_of,
    wrapper_compiler,
    wrapper_flags,
)
from eomc.codegen.cython.translate import cython_version, translate
from eomc.codegen.sources import Sources

# Raise it when the way of building changes in a manner that the rest of the key does not show.
_FORMAT = 2


def build(
    sources: Sources,
    *,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] | None = None,
    march_native: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
) -> Path:
    """Path of the extension module compiled from ``sources``, built if the cache has none.

    compiler : command or path; by default ``$CC``, Python's own, or cc, gcc, clang
    flags : optimization flags of the model's C code; by default ``$EOMC_FLAGS``, or ``-O2``
    march_native : use every instruction of this machine; fused multiply-adds then round once where
        the equations round twice
    cache_dir : instead of ``$EOMC_CACHE_DIR`` or the user's cache folder

    The key of the cache holds all sources, the compiler and its version, the flags, and the
    versions of Python's, Cython's and NumPy's binary interfaces. Builds may run in parallel and may
    be killed at any moment; a damaged one is built anew.

    Raises BuildError if there is no compiler, with the end of its output, or if others could have
    written what is in the cache.
    """
    with compiled(
        sources, compiler=compiler, flags=flags, march_native=march_native, cache_dir=cache_dir
    ) as library:
        return library


@contextlib.contextmanager
def compiled(
    sources: Sources,
    *,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] | None = None,
    march_native: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
) -> Iterator[Path]:
    """The path that `build` returns, to be loaded here: no clearing of the cache takes it away."""
    command = find_compiler(compiler)
    chosen = model_flags() if flags is None else words_of(flags, "flags")
    options = [*chosen, *(NATIVE_FLAGS if march_native else ())]
    # A compiler that the call names makes all of the module.
    beside = wrapper_compiler(command) if compiler is None else command
    identity = compiler_identity(command, any("native" in o for o in options))
    if beside != command:
        identity += f"; {compiler_identity(beside, native=False)}"
    of_model = model_options(command, options)
    library = sources.module + str(sysconfig.get_config_var("EXT_SUFFIX"))

    def compile_in(work: Path, target: Path) -> None:
        wrapper = translate(work / f"{sources.module}.pyx")
        include = [str(work), np.get_include()]
        model_files = sources.c_files
        compile_module(work, target, command, model_files, wrapper, include, options, beside)

    with cached(sources, library, _depends_on(identity, of_model), compile_in, cache_dir) as found:
        yield found


def _depends_on(identity: str, of_model: Sequence[str]) -> dict[str, Any]:
    """Format, compiler, flags and versions that the module depends on beside its sources."""
    return {
        "format": _FORMAT,
        "compiler": identity,
        "flags": [*of_model, *wrapper_flags()],
        "python": [sys.implementation.cache_tag, str(sysconfig.get_config_var("EXT_SUFFIX"))],
        "cython": cython_version(),
        # The C API that the headers speak; bug-fix releases share it.
        "numpy": ".".join(np.__version__.split(".")[:2]),
    }
