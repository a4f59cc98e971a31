"""Emitted sources become an extension module, once: a second build of the same compiles nothing."""

import hashlib
import json
import os
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from eomc.codegen.cache import RECORD, cache_folder, publish, staging
from eomc.codegen.compiler import (
    MODEL_FLAGS,
    NATIVE_FLAGS,
    compile_module,
    compiler_identity,
    find_compiler,
    wrapper_flags,
)
from eomc.codegen.cython.translate import cython_version, translate
from eomc.codegen.errors import BuildError
from eomc.codegen.sources import Sources, write

DEFAULT_FLAGS = ("-O2",)
# Raise it when the way of building changes in a manner that the rest of the key does not show.
_FORMAT = 1


def build(
    sources: Sources,
    *,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] = DEFAULT_FLAGS,
    march_native: bool = False,
    cache_dir: str | os.PathLike[str] | None = None,
) -> Path:
    """Path of the extension module compiled from ``sources``, built if the cache has none.

    compiler : command or path; by default ``$CC``, Python's own, or cc, gcc, clang
    flags : optimization flags of the model's C code
    march_native : use every instruction of this machine; fused multiply-adds then round once where
        the equations round twice
    cache_dir : instead of ``$EOMC_CACHE_DIR`` or the user's cache folder

    The key of the cache holds all sources, the compiler and its version, the flags, and the
    versions of Python's, Cython's and NumPy's binary interfaces. Builds may run in parallel and may
    be killed at any moment.

    Raises BuildError if there is no compiler, or with the end of its output.
    """
    command = find_compiler(compiler)
    options = [*flags, *(NATIVE_FLAGS if march_native else ())]
    native = march_native or any("native" in flag for flag in flags)
    key = _key(sources, compiler_identity(command, native), options)
    root = cache_folder(cache_dir).absolute()
    final = root / f"{sources.name}-{key[:24]}"
    library = sources.module + str(sysconfig.get_config_var("EXT_SUFFIX"))
    if (final / library).is_file():
        return final / library
    try:
        with staging(root) as folder:
            complete = folder / "complete"
            _compile(sources, folder / "work", complete / library, command, options)
            write(sources, complete)
            record = {"name": sources.name, "key": key, "library": library}
            (complete / RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")
            publish(complete, final, library)
    except OSError as error:
        raise BuildError(f"the build cache {root} cannot be used: {error}") from error
    return final / library


def _compile(
    sources: Sources, work: Path, library: Path, command: Sequence[str], options: Sequence[str]
) -> None:
    write(sources, work)
    library.parent.mkdir()
    wrapper = translate(work / f"{sources.module}.pyx")
    include = [str(work), np.get_include()]
    compile_module(work, library, command, sources.c_files, wrapper, include, options)


def _key(sources: Sources, identity: str, options: Sequence[str]) -> str:
    """SHA-256 of everything the module depends on."""
    parts = {
        "format": _FORMAT,
        "sources": dict(sources),
        "compiler": identity,
        "flags": [*MODEL_FLAGS, *options, *wrapper_flags()],
        "python": [sys.implementation.cache_tag, str(sysconfig.get_config_var("EXT_SUFFIX"))],
        "cython": cython_version(),
        # The C API that the headers speak; bug-fix releases share it.
        "numpy": ".".join(np.__version__.split(".")[:2]),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
