"""The emitted folder under a compiler that forgives nothing, and its header in C++17."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from eomc.building import emit
from eomc_published.case import Case, CaseCheck, holds
from eomc_published.work import model_file

_STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion")
_MODELS = ("double_pendulum", "four_bar", "quadcopter")
_COMPILERS = (("gcc", "g++"), ("clang", "clang++"))


def _said(folder: Path, *command: str) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return ended.stderr.strip() if ended.returncode else ended.stderr.strip() or "nothing"


def case_17() -> Iterator[CaseCheck]:
    for name in _MODELS:
        with tempfile.TemporaryDirectory() as place:
            folder = emit(model_file(name), Path(place) / name)
            header = next(folder.glob("*.h"))
            (folder / "main.cpp").write_text(
                f'#include "{header.name}"\n#include "{header.name}"\n'
            )
            sources = [path.name for path in sorted(folder.glob("*.c"))]
            for c, cpp in _COMPILERS:
                if not (shutil.which(c) and shutil.which(cpp)):
                    continue
                said = _said(folder, c, "-std=c99", *_STRICT, "-O1", "-c", *sources)
                yield holds(f"{name}: {c} says", "nothing", said[:300], said == "nothing")
                said = _said(folder, cpp, "-std=c++17", *_STRICT, "-c", "main.cpp")
                yield holds(f"{name}: {cpp} says", "nothing", said[:300], said == "nothing")


CASES = (
    Case(
        17,
        "strict C99, and the header in C++17",
        "the project's own",
        "GCC and Clang",
        case_17,
        unavailable="" if shutil.which("gcc") else "gcc is not here",
    ),
)
