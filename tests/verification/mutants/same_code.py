"""Whether a fault leaves the machine code as it is, for vectors of every length."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from verification.mutants.emitted import Files, same_text

_OBJECT = ".object"
_FLAGS = ("-std=c99", "-O2", "-ffp-contract=off")
_VECTORS = ("", "-mavx2", "-mavx512f")
"""Of which the compiler makes use: a form stands in the text for each length."""


def keep(files: Files, folder: Path) -> None:
    """The sound files, for `same_machine_code`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def same_machine_code(files: Files, sound: Path) -> bool:
    """Whether the compiler makes the same of all C files, and Python sees the same of them."""
    known = {
        path.name: path.read_text(encoding="utf-8")
        for path in sound.iterdir()
        if path.suffix != _OBJECT
    }
    if not files.keys() <= known.keys():
        return False
    changed = [name for name, text in files.items() if not same_text(name, text, known[name])]
    if any(name.endswith(".h") for name in changed):
        changed = [name for name in files if name.endswith(".c")]
    return all(
        _object(files, name, vectors) == _sound_object(known, name, vectors, sound)
        for vectors in _VECTORS
        for name in changed
    )


def _sound_object(files: Files, file: str, vectors: str, folder: Path) -> bytes:
    kept = folder / f"{file}{vectors}{_OBJECT}"
    if not kept.exists():
        private = folder / f"{os.getpid()}{_OBJECT}"
        private.write_bytes(_object(files, file, vectors))
        private.replace(kept)
    return kept.read_bytes()


def _object(files: Files, file: str, vectors: str) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        keep(files, Path(place))
        options = [*_FLAGS, *([vectors] if vectors else [])]
        command = ["cc", *options, "-c", file, "-o", "object.o"]
        subprocess.run(command, cwd=place, check=True, capture_output=True)
        return (Path(place) / "object.o").read_bytes()
