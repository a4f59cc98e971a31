"""A function with its derivatives, compiled into a shared library that the cache keeps."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eomc.codegen.cache import entry_folder, hold, open_cache, unusable
from eomc.codegen.compiler import (
    NATIVE_FLAGS,
    compiler_identity,
    find_compiler,
    model_flags,
    model_options,
)
from eomc.codegen.fmi.platforms import host, shared_library
from eomc.codegen.sources import Sources, write

_FORMAT = 1


def library(
    sources: Sources,
    wrapper: str,
    kind: str,
    *,
    include: Sequence[str] = (),
    march_native: bool = False,
    compiler: str | os.PathLike[str] | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
) -> Path:
    """Path of the shared library of emitted `sources` with the C file `wrapper` around them.

    `kind` is part of its name, `include` are flags that name folders of headers; `march_native`
    is for the processor of this machine alone. Raises BuildError.
    """
    command, platform = find_compiler(compiler), host()
    flags = [*model_flags(), *(NATIVE_FLAGS if march_native else ())]
    files = {name: text for name, text in sources.items() if name.endswith((".c", ".h"))}
    files[f"{sources.name}_{kind}.c"] = wrapper
    key_of = {
        "format": _FORMAT,
        "sources": files,
        "compiler": compiler_identity(command, march_native),
        "flags": model_options(command, flags),
        "include": list(include),
    }
    key = hashlib.sha256(json.dumps(key_of, sort_keys=True).encode()).hexdigest()
    root = open_cache(cache_dir)
    final = entry_folder(root, f"{sources.name}_{kind}", key)
    built = f"{sources.name}_{kind}{platform.suffix}"

    def fill(folder: Path) -> dict[str, Any]:
        write(files, folder)
        c_files = [name for name in files if name.endswith(".c")]
        shared_library(folder, c_files, platform, folder / built, compiler, [*flags, *include])
        return {"name": f"{sources.name}_{kind}", "key": key, "library": built}

    try:
        with contextlib.closing(hold(final, fill)):
            return final / built
    except OSError as error:
        raise unusable(root, error) from error
