"""Wrappers of Python that no mutant changed, translated and compiled once for all of them.

The code of a model, which mutants change, is compiled by tcc where there is one and it can (it
knows no vectors): that takes a tenth of the time, and what it makes rounds each operation of IEEE
754 as the C says, which is all that bounds of rounding and checks of a verification count on.
"""

from __future__ import annotations

import hashlib
import importlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from verification.mutants.emitted import MANIFEST

Run = Callable[[Sequence[str], Path], None]


def keep_objects(folder: Path) -> None:
    """Let this process take from `folder` what was compiled before from the same text."""
    build = importlib.import_module("eomc.codegen.build")
    compiler = importlib.import_module("eomc.codegen.compiler")

    folder.mkdir(parents=True, exist_ok=True)
    run, translate = compiler._run, build.translate

    def digest(*texts: bytes) -> str:
        return hashlib.sha256(b"\0".join(texts)).hexdigest()

    def compiled(command: Sequence[str], work: Path) -> None:
        if "-c" not in command:
            return run(command, work)
        if not command[command.index("-c") + 1].endswith("_module.c"):
            return _quickly(run, command, work)
        source, result = work / command[command.index("-c") + 1], work / command[-1]
        headers = [path.read_bytes() for path in sorted(work.glob("*.h"))]
        words = [word for word in command if str(work) not in word]
        kept = folder / digest(" ".join(words).encode(), source.read_bytes(), *headers)
        if not kept.exists():
            run(command, work)
            _keep(result, kept)
        shutil.copy(kept, result)

    def translated(source: Path) -> str:
        # The manifest holds the hash of the C, which every mutant changes; it lies beside, too.
        json = source.name.removesuffix("_module.pyx") + ".json"
        beside = f"__import__('pathlib').Path(__file__).with_name('{json}').read_text()"
        line = f"manifest = _json.loads({beside})"
        text = MANIFEST.sub(lambda _: line, source.read_text(encoding="utf-8"))
        source.write_text(text, encoding="utf-8")
        kept = folder / digest(source.name.encode(), source.read_bytes())
        if not kept.exists():
            _keep(source.with_name(translate(source)), kept)
        shutil.copy(kept, source.with_suffix(".c"))
        return source.with_suffix(".c").name

    compiler._run = compiled
    build.translate = translated


def _quickly(run: Run, command: Sequence[str], work: Path) -> None:
    from eomc.codegen.plan.errors import BuildError

    tcc, source = shutil.which("tcc"), work / command[command.index("-c") + 1]
    text = source.read_text(encoding="utf-8")
    # Where a compiler knows no vectors these files hold something else; to turn numbers of 64 bits
    # into reals it calls a library of its own.
    is_beyond = "lanes" in source.name or "vector_size" in text or "unsigned long long" in text
    if tcc is not None and not is_beyond:
        try:
            return run([tcc, *command[1:]], work)
        except BuildError:
            pass  # the usual compiler says so, or can
    return run(command, work)


def _keep(made: Path, kept: Path) -> None:
    """Whole or not at all: a trial may be ended at any moment."""
    private = kept.with_suffix(".part")
    shutil.copy(made, private)
    private.replace(kept)
