"""From the Cython module to C, in this process."""

import contextlib
import importlib
import io
import threading
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from eomc.codegen.plan.errors import BuildError

# Cython keeps global state while it works.
_LOCK = threading.Lock()


def cython_version() -> str:
    """Version of the installed Cython; BuildError without one."""
    try:
        return version("cython")
    except PackageNotFoundError:
        raise BuildError("Cython is not installed; pip install cython") from None


def translate(source: Path) -> str:
    """Make ``<name>.c`` beside ``<name>.pyx`` and return its name."""
    cython: Any = importlib.import_module("Cython.Compiler.Main")
    said = io.StringIO()
    with _LOCK, contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        options = cython.CompilationOptions(output_file=str(source.with_suffix(".c")))
        result = cython.compile_single(str(source), options, full_module_name=source.stem)
    if result.num_errors:
        raise BuildError(f"Cython refused {source.name}:\n{said.getvalue()[-4000:]}")
    return source.with_suffix(".c").name
