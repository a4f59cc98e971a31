"""An element of an SDF file with its place: what may stand in it, its numbers and words."""

from __future__ import annotations

from typing import Any

from eomc.derive.formats.xml_file import finite_numbers
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.near_names import near_names

__all__ = ["SdfElement"]

_TRUTH = {"true": True, "1": True, "false": False, "0": False}


class SdfElement:
    """An element, told as "link 'arm'" in errors."""

    def __init__(self, element: Any, file: str, shown: str = "") -> None:
        self._element, self._file = element, file
        self.tag = str(element.tag)
        self.name = str(element.get("name") or "").strip()
        self.source = Source(file, element.sourceline or 0)
        self.shown = shown or (f"{self.tag} {self.name[:80]!r}" if self.name else f"<{self.tag}>")

    def error(self, message: str) -> ModelError:
        """Told of this element and its line."""
        return ModelError(f"{self.shown}: {message}", self.source)

    def named(self) -> SdfElement:
        """Itself, if it has a name that is free for users."""
        if not self.name:
            raise self.error("has no name")
        if self.name.startswith("__") or self.name == "world":
            raise self.error("this name is reserved; choose another")
        return self

    def attribute(self, word: str, default: str = "") -> str:
        """Its text, without blanks around it."""
        return str(self._element.get(word, default)).strip()

    def children(self, tag: str) -> list[SdfElement]:
        """All of that tag."""
        return [self._inner(element) for element in self._element.findall(tag)]

    def child(self, tag: str) -> SdfElement | None:
        """The one of that tag, or None. Raises `ModelError` if there are two."""
        found = self.children(tag)
        if len(found) > 1:
            raise found[1].error(f"there are two <{tag}> in {self.shown}")
        return found[0] if found else None

    def only(self, *tags: str) -> None:
        """Raise `ModelError` if another element stands in it; those of other namespaces may."""
        for element in self._element:
            tag = str(element.tag)
            if tag not in tags and ":" not in tag and not tag.startswith("{"):
                raise ModelError(
                    f"{self.shown}: <{tag[:80]}> is not read; {near_names(tag[:80], tags)}",
                    Source(self._file, element.sourceline or 0),
                )

    @property
    def text(self) -> str:
        """Its text, without blanks around it."""
        return str(self._element.text or "").strip()

    def number(self, tag: str, default: float) -> float:
        """In the child of that tag."""
        found = self.child(tag)
        if found is None:
            return default
        if found.text.lower() in ("inf", "+inf", "-inf", "infinity", "-infinity"):
            return float(found.text)
        return found.numbers(1)[0]

    def numbers(self, count: int) -> list[float]:
        """Its own, finite."""
        return finite_numbers(self.text, count, self.shown, self.source)

    def flag(self, tag: str) -> bool:
        """In the child of that tag; false without one."""
        found = self.child(tag)
        if found is None:
            return False
        if found.text.lower() not in _TRUTH:
            raise found.error(f"is {found.text[:80]!r}; give true or false")
        return _TRUTH[found.text.lower()]

    def _inner(self, element: Any) -> SdfElement:
        name = element.get("name")
        shown = "" if name and self.tag in ("model", "world", "sdf") else (
            f"{self.shown}: <{element.tag}>"
        )  # fmt: skip
        return SdfElement(element, self._file, shown)
