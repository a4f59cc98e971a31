"""One process for one question: what a mutant changes, and whether `eomc.verify` notices."""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from verification.mutants.compiled_once import keep_objects
from verification.mutants.emitted import (
    Files,
    digest,
    emitted,
    first_change,
    keep,
    same_machine_code,
)
from verification.mutants.faulty_source import put
from verification.mutants.mutant import Mutant

STATES = 4
_HEAVY = ("numpy", "scipy.integrate", "sympy.physics.mechanics", "mpmath")
MOST_EMITTED, MOST_VERIFIED = 12, 6
"""Models that are derived in search of a change, and verified in search of a breach."""


def in_a_process(question: Callable[[], dict[str, Any]], seconds: float) -> dict[str, Any]:
    """The answer of a forked process, or ``{"outcome": "timeout" or "crash"}``."""
    for name in _HEAVY:  # imported once for all
        importlib.import_module(name)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _answer(question, reading, writing)
    os.close(writing)
    parts, deadline = [], time.monotonic() + seconds
    while True:
        ready, _, _ = select.select([reading], [], [], max(deadline - time.monotonic(), 0.0))
        part = os.read(reading, 1 << 16) if ready else None
        if not part:
            break
        parts.append(part)
    os.close(reading)
    if part is None:
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if part is None:
        return {"outcome": "timeout"}
    return json.loads(b"".join(parts)) if parts else {"outcome": "crash"}


def _answer(question: Callable[[], dict[str, Any]], reading: int, writing: int) -> None:
    """Never returns."""
    try:
        os.setsid()
        os.close(reading)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        try:
            answer = question()
        except BaseException as error:
            said = "".join(traceback.format_exception_only(error)).strip()
            answer = {"outcome": "error", "said": said[-300:]}
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(answer).encode())
    finally:
        os._exit(0)


def clean(name: str, work: Path) -> dict[str, Any]:
    """Of the sound code: lines that pass for a model, what it emits, and that it verifies."""
    lines: dict[str, set[int]] = {}
    root = str(Path(__file__).parents[3])
    watched = (f"{root}/derive/", f"{root}/codegen/")

    def trace(frame: Any, event: str, _: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(watched):
            return None
        lines.setdefault(file[len(root) + 1 :], set()).add(frame.f_lineno)
        return trace

    import eomc.verify.procedure  # noqa: F401  (what passes at import passes for all models)

    templates: set[str] = set()
    from eomc.codegen.templates import template

    plain = template._template
    template._template = lambda name: (templates.add(name), plain(name))[1]  # type: ignore[assignment,func-returns-value]
    sys.settrace(trace)
    try:
        from verification.mutants.models import make

        files = dict(emitted(make(name)))
        for build, texts in files.items():
            keep(texts, work / "sound" / name / build)
    finally:
        sys.settrace(None)
    template._template = plain
    breaches = list(_verified(name, work, "plain").breaches)
    passed = {file: sorted(of) for file, of in lines.items()}
    passed |= {f"codegen/templates/{name}": [] for name in templates}
    return {
        "emitted": {build: digest(texts) for build, texts in files.items()},
        "lines": passed,
        "breaches": breaches,
    }


_OF_BUILD = {"single": ["single precision"], "lanes": ["lanes", "laws"], "small": ["small code"]}
"""Checks that compile what differs; of the usual build those that quick verifications make."""


def _verified(name: str, work: Path, build: str) -> Any:
    """The report; on an empty `build` of the checks that quick verifications leave out."""
    from verification.mutants.models import make

    import eomc

    os.environ["EOMC_WRAPPER_FLAGS"] = "-O0"
    keep_objects(work / "objects")
    thorough = [name for names in _OF_BUILD.values() for name in names]
    checks = _OF_BUILD.get(build) if build else thorough
    with tempfile.TemporaryDirectory() as cache:
        return eomc.verify(
            make(name), quick=True, states=STATES, checks=checks, flags=["-O0"], cache_dir=cache
        )


def trial(
    mutant: Mutant,
    models: Sequence[str],
    sound: Mapping[str, Mapping[str, str]],
    work: Path,
) -> dict[str, Any]:
    """What becomes of the mutant on `models`, whose sound files are known."""
    put(mutant)
    differing: list[tuple[str, str, Files]] = []
    try:
        from verification.mutants.models import make

        for name in models[:MOST_EMITTED]:
            change = first_change(make(name), sound[name])
            if change is not None:
                differing.append((name, *change))
            if len(differing) == MOST_VERIFIED:
                break
    except BaseException as error:
        return {"outcome": "stillborn", "said": repr(error)[:200]}
    if not differing:
        return {"outcome": "unchanged"}
    from eomc.codegen.plan.errors import BuildError

    tried = []
    for name, build, _ in differing:
        tried.append(name)
        try:
            breaches = list(_verified(name, work, build).breaches)
            if not breaches and build == "plain":
                breaches = list(_verified(name, work, "").breaches)
        except BuildError as error:
            return {"outcome": "stillborn", "models": tried, "said": str(error)[-200:]}
        except Exception as error:
            return {"outcome": "refused", "models": tried, "said": repr(error)[:200]}
        if breaches:
            return {"outcome": "killed", "models": tried, "breaches": breaches}
    same = [same_machine_code(files, work / "sound" / n / build) for n, build, files in differing]
    return {"outcome": "same code" if all(same) else "survived", "models": tried}
