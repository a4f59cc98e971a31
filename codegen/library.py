"""C files that are called through a table of pointers, compiled once into a shared library."""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from eomc.codegen.cache import entry_folder, hold, open_cache, unusable
from eomc.codegen.compiler import (
    MODEL_FLAGS,
    compile_module,
    compiler_identity,
    find_compiler,
    model_flags,
    words_of,
    wrapper_flags,
)
from eomc.codegen.sources import Sources, write

_FORMAT = 1


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
    told = {
        "format": _FORMAT,
        "sources": dict(sources),
        "compiler": compiler_identity(command, any("native" in option for option in options)),
        "flags": [*MODEL_FLAGS, *options, *wrapper_flags()],
    }
    key = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
    root = open_cache(cache_dir)
    final, library = entry_folder(root, sources.name, key), f"{sources.name}.so"

    def fill(folder: Path) -> dict[str, Any]:
        write(sources, folder / "work")
        files = [file for file in sources.c_files if file != called]
        work = folder / "work"
        compile_module(work, folder / library, command, files, called, [str(work)], options)
        for file in sources:
            (work / file).rename(folder / file)
        for left in work.iterdir():
            left.unlink()
        work.rmdir()
        return {"name": sources.name, "key": key, "library": library}

    try:
        held = hold(final, fill)
    except OSError as error:
        raise unusable(root, error) from error
    with contextlib.closing(held):
        yield final / library
