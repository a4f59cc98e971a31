"""Declarations by words that stand for several elements, kept beside these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["ComposedElement"]


@dataclass(frozen=True, eq=False)
class ComposedElement:
    """The word, the name and the arguments as given, and the elements that were made of them."""

    word: str
    name: str
    arguments: Mapping[str, Any]
    made: tuple[Any, ...]

    def is_whole(self, held: Sequence[Any]) -> bool:
        """True while a model that holds these objects has them all, unchanged."""
        there = {id(element) for element in held}
        return all(id(element) in there for element in self.made)
