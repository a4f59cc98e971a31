"""Kinds that stand in files of their own, found without importing these.

A kind makes itself known by a line of its file: a decorator with its word, or the name of its
class. These lines are read as text, and the file is imported when somebody uses the word. So a
new kind is a new file and nothing else, and a model loads the kinds that it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

__all__ = ["KindFiles"]

_TEXT = re.compile(r'"([^"]*)"')


class KindFiles:
    """Files of some packages by the words on lines that begin with `line`, in the order of packages
    and of names of files."""

    def __init__(self, line: str, *packages: str) -> None:
        self.packages = packages
        self._line = re.compile(rf"^{line}(.*)", re.MULTILINE)

    @cached_property
    def lines(self) -> list[tuple[str, tuple[str, ...]]]:
        """The module of each such line, and the words that stand on it."""
        return [
            (module, tuple(_TEXT.findall(match[1])))
            for package in self.packages
            for module, file in _files(package)
            for match in self._line.finditer(file.read_text(encoding="utf-8"))
        ]

    @cached_property
    def module(self) -> dict[str, str]:
        """The module in which each word stands."""
        return {word: module for module, words in self.lines for word in words}

    def load(self, word: object) -> None:
        """Import the file of a word, if there is one: of a word to be taken, too, whose owner has
        to be known then."""
        if isinstance(word, str) and word in self.module:
            import_module(self.module[word])

    def load_all(self) -> None:
        """Import all of the files, as where valid words have to be told."""
        for module, _ in self.lines:
            import_module(module)


def _files(package: str) -> Iterator[tuple[str, Path]]:
    """Names of modules of a package, and their files."""
    spec = find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        for file in sorted(Path(folder).rglob("*.py")):
            yield ".".join((package, *file.relative_to(folder).with_suffix("").parts)), file
