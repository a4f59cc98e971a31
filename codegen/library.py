"""C files that are called through a table of pointers, compiled once into a shared library."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from eomc.codegen.cached import cached
from eomc.codegen.compiler import (
    CALLER_FLAGS,
    compile_library,
    compiler_identity,
    find_compiler,
    model_flags,
    model_options,
    units,
    words_of,
)
from eomc.codegen.sources import Sources

_FORMAT = 2


@contextlib.contextmanager
def compiled_library(
    sources: Sources,
    called: str,
    *,
    compiler: str | os.PathLike[str] | None = None,
    flags: Sequence[str] | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
) -> Iterator[Path]:
    """The library of all C files, to be loaded here; `called` is the one whose names are seen.

    Compiler, flags and cache as of `build`; raises BuildError as that.
    """
    command = find_compiler(compiler)
    options = model_flags() if flags is None else words_of(flags, "flags")
    depends_on = {
        "format": _FORMAT,
        "compiler": compiler_identity(command, any("native" in option for option in options)),
        "flags": [*model_options(command, options), *CALLER_FLAGS],
    }
    files = [file for file in sources.c_files if file != called]

    def compile_in(work: Path, target: Path) -> None:
        jobs = units(files, model_options(command, options), [called])
        compile_library(work, target, command, jobs, include=[str(work)])

    with cached(sources, f"{sources.name}.so", depends_on, compile_in, cache_dir) as library:
        yield library
