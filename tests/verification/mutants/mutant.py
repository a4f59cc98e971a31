"""A mutant: one piece of one source file replaced by another."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]


@cache
def source_file(name: str) -> str:
    """The path, from the root of the tree, of the file that a code object names; outside: ""."""
    path = os.path.realpath(name)  # subpackages are links in the package
    return path.removeprefix(f"{ROOT}/") if path.startswith(f"{ROOT}/") else ""


@dataclass(frozen=True)
class Mutant:
    """`old`, at byte `start` of `file`, becomes `new`.

    `file` is a path from the root of the tree, `line` where the piece begins, `operator` the kind
    of fault.
    """

    file: str
    line: int
    start: int
    operator: str
    old: str
    new: str

    @property
    def name(self) -> str:
        """Unique, and the same as long as its line is, wherever that moves to."""
        start, text, count = _lines(self.file)[self.line - 1]
        place = f"{text}:{count}:{self.start - start}"
        name = f"{self.file}:{place}:{self.operator}:{self.old}:{self.new}"
        return f"{self.file}:{hashlib.sha256(name.encode()).hexdigest()[:10]}"

    @property
    def room(self) -> str:
        """The folder of the file."""
        return str(Path(self.file).parent)

    @property
    def module(self) -> str:
        """Name of the Python module that the file is."""
        parts = Path(self.file).with_suffix("").parts
        own = [] if parts[0] == "eomc" else ["eomc"]  # that room is the package itself
        return ".".join([*own, *(parts[:-1] if parts[-1] == "__init__" else parts)])

    @property
    def whole_line(self) -> str:
        """The line of the sound source where it begins."""
        return _lines(self.file)[self.line - 1][1]

    def text(self) -> str:
        """The whole file with the fault in it."""
        source, old = (ROOT / self.file).read_bytes(), self.old.encode()
        end = self.start + len(old)
        assert source[self.start : end] == old, f"{self.name}: the source has changed"
        return (source[: self.start] + self.new.encode() + source[end:]).decode()


@cache
def _lines(file: str) -> list[tuple[int, str, int]]:
    """Of each line where its text begins, that text, and how many lines before it are the same."""
    found, begin, before = [], 0, Counter[str]()
    for line in (ROOT / file).read_bytes().splitlines(keepends=True):
        text = line.strip().decode()
        found.append((begin + len(line) - len(line.lstrip()), text, before[text]))
        before[text] += 1
        begin += len(line)
    return found
