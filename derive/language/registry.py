"""Registries of kinds: records that model files and calls name by a word.

A kind of this package is found by the line ``@kind("word")`` of its file, which is read as text and
imported when somebody uses the word. So a new kind is a new file and nothing else, and a model
loads the kinds that it holds. A kind of a package of its own is known once its module is imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

__all__ = ["Registry", "kind"]

Kind = TypeVar("Kind")
Record = TypeVar("Record", bound=type[Any])
_TEXT = re.compile(r'"([^"]*)"')


class Registry(Mapping[str, Kind], Generic[Kind]):
    """Kinds of one family by their words, those of the files of `packages` first.

    `family` is what messages call one of them, `mark` the beginning of the lines with the words.
    """

    def __init__(self, family: str, *packages: str, mark: str = r"@kind\(") -> None:
        self.family, self.packages = family, packages
        self._line = re.compile(rf"^{mark}(.*)", re.MULTILINE)
        self.known: dict[str, Kind] = {}

    @cached_property
    def lines(self) -> list[tuple[str, tuple[str, ...], str]]:
        """The module of each such line, the words that stand on it, and their plural if given."""
        return [
            (module, tuple(_TEXT.findall(words)), "".join(_TEXT.findall(plural)))
            for package in self.packages
            for module, file in _files(package)
            for match in self._line.finditer(file.read_text(encoding="utf-8"))
            for words, _, plural in [match[1].partition("plural=")]
        ]

    @cached_property
    def module(self) -> dict[str, str]:
        """The module in which each word stands."""
        return {word: module for module, words, _ in self.lines for word in words}

    def add(self, made: Kind, *words: str) -> Kind:
        """Make a kind known; the same one may be added again, as by a module that is reloaded.

        Raises `ModelError` if another kind has one of the words.
        """
        for word in words:
            if (other := self.get(word)) is not None and _name(other) != _name(made):
                raise ModelError(f"{self.family} {word!r}: {_name(other)} has this word")
        self.known.update(dict.fromkeys(words, made))
        return made

    def find(self, word: object, called: Callable[[], Mapping[str, str]] = dict) -> Kind:
        """The kind of a word; `called` gives words by others that the field has for the same.

        Raises `ModelError` with the valid words.
        """
        if isinstance(word, str) and (word in self.known or word in self.module):
            return self.known[word] if word in self.known else self[word]
        raise ModelError(
            f"unknown {self.family} {str(word)[:80]!r}; {near_names(word, self, called())}"
        )

    def load_all(self) -> None:
        """Import all of the files."""
        for module, *_ in self.lines:
            import_module(module)

    def __getitem__(self, word: str) -> Kind:
        if word not in self.known and isinstance(word, str) and word in self.module:
            import_module(self.module[word])
        return self.known[word]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.module, *self.known]))

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (word in self.known or word in self.module)

    def __len__(self) -> int:
        return len(list(iter(self)))


def _name(made: object) -> str:
    return str(getattr(made, "__qualname__", type(made).__qualname__))


def _files(package: str) -> Iterator[tuple[str, Path]]:
    """Names of modules of a package, and their files."""
    spec = find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        for file in sorted(Path(folder).rglob("*.py")):
            yield ".".join((package, *file.relative_to(folder).with_suffix("").parts)), file


def kind(word: str, *aliases: str, **more: str) -> Callable[[Record], Record]:
    """Decorator: the class is a kind of its base's family, known as `word`.

    The base has the registry `kinds`, and `named`, which is called with the class, its word and
    `more`. If the base is a dataclass, so is the kind.
    """

    def register(cls: Record) -> Record:
        family: Any = super(cls, cls)  # a kind may be a family of kinds itself
        made: Any = dataclass(frozen=True)(cls) if is_dataclass(cls) else cls
        family.kinds.add(made, word, *aliases)
        family.named(made, word, **more)
        return made  # type: ignore[no-any-return]

    return register
