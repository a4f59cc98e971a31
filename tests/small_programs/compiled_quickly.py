"""The C of models compiled by tcc, where there is one and it can: tests build them by hundreds.

That takes a tenth of the time of gcc without optimization, and what it makes rounds each operation
of IEEE 754 as the C says, which is all that bounds of rounding and checks of a verification count
on. Tests of the C itself call gcc and clang, with all their warnings and levels.
"""

from __future__ import annotations

import importlib
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

Run = Callable[[Sequence[str], Path], None]
_INCLUDED = re.compile(r'^#include "(\w+\.c)"', re.MULTILINE)


def compile_quickly() -> None:
    """Let this process compile what needs no optimization by tcc, unless a test names another
    compiler than the machine's own."""
    compiler = importlib.import_module("eomc.codegen.compiler")
    run = getattr(compiler._run, "usual", compiler._run)

    def compiled(command: Sequence[str], work: Path) -> None:
        name = Path(command[0]).name
        is_usual = (name in ("cc", "gcc") or name.endswith("-gnu-gcc")) and "-O0" in command
        return _quickly(run, command, work) if is_usual and "-c" in command else run(command, work)

    compiled.usual = run  # type: ignore[attr-defined]
    compiler._run = compiled


def _quickly(run: Run, command: Sequence[str], work: Path) -> None:
    from eomc.codegen.plan.errors import BuildError

    tcc, source = shutil.which("tcc"), work / command[command.index("-c") + 1]
    text = source.read_text(encoding="utf-8")
    text += "".join((work / name).read_text(encoding="utf-8") for name in _INCLUDED.findall(text))
    # Where a compiler knows no vectors these files hold something else; to turn numbers of 64 bits
    # into reals it calls a library of its own.
    is_beyond = "lanes" in source.name or "vector_size" in text or "unsigned long long" in text
    if tcc is not None and not is_beyond:
        try:
            return run([tcc, *command[1:]], work)
        except BuildError:
            pass  # the usual compiler says so, or can
    return run(command, work)
