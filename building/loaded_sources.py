"""Emitted C and lines beside it, compiled together and loaded."""

from __future__ import annotations

import ctypes
import tempfile
from pathlib import Path
from typing import Any

from eomc.codegen import Sources, write
from eomc.codegen.compiler import compile_library, find_compiler, model_options, units

_HEAD = """\
#include "{m}.h"
#if defined(__GNUC__)
#define EOMC_SEEN __attribute__((visibility("default")))
#else
#define EOMC_SEEN
#endif
"""


def loaded_sources(sources: Sources, text: str, compiler: Any, flag: str) -> ctypes.CDLL:
    """The library of all C files and of `text`, behind their header; EOMC_SEEN marks its functions.

    Raises BuildError.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write(sources, folder)
        (folder / "beside.c").write_text(_HEAD.format(m=sources.name) + text, encoding="utf-8")
        library, command = folder / "beside.so", find_compiler(compiler)
        jobs = units(sources.c_files, model_options(command, [flag]), ["beside.c"])
        compile_library(folder, library, command, jobs, include=[str(folder)])
        return ctypes.CDLL(str(library))
