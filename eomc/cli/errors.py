"""Errors on the command line: one clear line, and an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

USAGE, FAULT, INTERRUPTED = 2, 1, 130
TRACEBACK = "EOMC_TRACEBACK"
_LONGEST = 1000

Kinds = type[Exception] | tuple[type[Exception], ...]


class CommandError(Exception):
    """An option or argument has a wrong value."""


@contextmanager
def told_of(option: str = "", kinds: Kinds = ValueError) -> Iterator[None]:
    """Tell the library's errors on wrong values as errors of an option."""
    try:
        yield
    except kinds as error:
        raise CommandError(f"{option}{error}") from error


def explain(error: Exception) -> int:
    """Tell of `error` on stderr; returns the exit code."""
    if os.environ.get(TRACEBACK):
        traceback.print_exception(error)
    if not _is_expected(error):
        kind = type(error).__name__
        print(
            f"eomc: unexpected {kind}: {one_line(str(error))}; a fault of eomc, not of the input: "
            f"{TRACEBACK}=1 shows where",
            file=sys.stderr,
        )
        return FAULT
    print(f"eomc: {one_line(message_of(error))}", file=sys.stderr)
    return USAGE


def message_of(error: Exception) -> str:
    """Text for an expected error: the compiler's, the system's, the parser's or its own."""
    from eomc.codegen.plan.errors import BuildError
    from eomc.runtime.names.renamed import OPTIONS

    if isinstance(error, BuildError):
        return _with_compiler_message(str(error))
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"{place}{error.strerror}"
    option = getattr(error, "option_name", "")
    if option in OPTIONS:
        return f"option {option} is now {OPTIONS[option]}"
    # Wrong usage, as the command line parser tells it.
    format_message = getattr(error, "format_message", None)
    return str(format_message() if callable(format_message) else error)


def one_line(text: str) -> str:
    """`text` in one printable line.

    >>> one_line("first\\n  second\\x1b[31m")
    'first second?[31m'
    """
    line = " ".join(text.split())
    line = "".join(c if c.isprintable() else "?" for c in line)
    return line if len(line) <= _LONGEST else line[:_LONGEST] + " ..."


def _with_compiler_message(text: str) -> str:
    """The first line and the compiler's first error; all of it shows with the traceback."""
    first, *rest = text.splitlines()
    said = [line for line in rest if "error" in line.lower()]
    hint = f" ({TRACEBACK}=1 shows all of it)" if rest else ""
    return first + (f" {said[0]}" if said else "") + hint


def _is_expected(error: Exception) -> bool:
    from eomc.codegen.plan.errors import BuildError, EmissionError
    from eomc.derive.graph import GraphError
    from eomc.derive.language.errors import ModelError
    from eomc.runtime.constraints.consistency import ConstraintError
    from eomc.runtime.cuda.driver import CudaError
    from eomc.runtime.model.errors import (
        EquilibriumError,
        LinearizationError,
        LoadError,
        SimulationError,
    )

    of_models = (ModelError, GraphError, EmissionError, BuildError)
    of_runs = (LoadError, SimulationError, ConstraintError, LinearizationError, EquilibriumError)
    expected = (CommandError, *of_models, *of_runs, CudaError, OSError)
    return isinstance(error, expected) or hasattr(error, "format_message")
