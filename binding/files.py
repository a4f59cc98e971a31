"""The files of the binding; ``binding.pyx`` includes the others.

With the table of one model compiled in, the same text is a module of its own.
"""

import hashlib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
INTERFACE = "eomc_model.h"
"""The header that a model's table includes."""
HEADERS = (INTERFACE, "eomc_call.h", "eomc_threads.h")
_SOURCE = "binding.pyx"
_INCLUDED = (
    *("declarations.pxi", "library.pxi", "functions.pxi", "solvers.pxi", "integrators.pxi"),
    "rollouts.pxi",
)
SOURCES = (_SOURCE, *_INCLUDED)


@cache
def text(name: str) -> str:
    """Text of one of the files."""
    return (FOLDER / name).read_text(encoding="utf-8")


def included(source: str) -> str:
    """The text of a source with the files that it includes in their places."""
    for name in _INCLUDED:
        source = source.replace(f'include "{name}"\n', text(name))
    return source


def digest() -> str:
    """SHA-256 of all files, which a compiled binding bears."""
    found = hashlib.sha256()
    for name in (*SOURCES, *HEADERS):
        found.update(f"{name}\0{text(name)}\0".encode())
    return found.hexdigest()
