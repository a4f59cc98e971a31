"""An element of an SDF file with its place: what may stand in it, its numbers and words."""

from __future__ import annotations

from typing import Any

from eomc.derive.formats.xml_file import finite_numbers
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.near_names import near_names

__all__ = ["FILE", "SdfElement", "place_of"]

#: Attribute of elements that came from a file of their own.
FILE = "{eomc}file"

_TRUTH = {"true": True, "1": True, "false": False, "0": False}
#: Attributes that are read, or name what has no part in the mechanics.
_ATTRIBUTES = {
    "model": ("name", "canonical_link", "placement_frame", "namespace"),
    "world": ("name",),
    "link": ("name",),
    "joint": ("name", "type"),
    "frame": ("name", "attached_to"),
    "inertial": ("auto",),
    "pose": ("relative_to", "rotation_format", "degrees"),
    "xyz": ("expressed_in",),
    "mimic": ("joint", "axis"),
}


def place_of(element: Any, file: str) -> Source:
    """The file, unless it or what holds it came from another one, and the line of an element."""
    holders = (element, *element.iterancestors())
    found = next((holder.get(FILE) for holder in holders if holder.get(FILE)), file)
    return Source(found, element.sourceline or 0)


class SdfElement:
    """An element, called "link 'arm'" in errors."""

    def __init__(
        self, element: Any, file: str, shown: str = "", notes: list[str] | None = None
    ) -> None:
        self._element, self._file = element, file
        #: Sentences about what is left out, of the whole file.
        self.notes: list[str] = [] if notes is None else notes
        self.tag = str(element.tag)
        self.name = str(element.get("name") or "").strip()
        self.source = place_of(element, file)
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
        """Raise `ModelError` if another element stands in it; those of other namespaces may.
        Attributes that no one reads are among the notes."""
        self.only_attributes()
        for element in self._element:
            tag = str(element.tag)
            if tag not in tags and ":" not in tag and not tag.startswith("{"):
                raise ModelError(
                    f"{self.shown}: <{tag[:80]}> is not read; {near_names(tag[:80], tags)}",
                    place_of(element, self._file),
                )

    def only_attributes(self) -> None:
        """Tell of attributes that no one reads."""
        known = _ATTRIBUTES.get(self.tag, ())
        for word in (word for word in self._element.attrib if word not in known):
            if ":" not in word and not word.startswith("{"):
                self.leave_out(f"attribute {word[:80]!r}", "no one reads it")

    def leave_out(self, what: str, why: str) -> None:
        """Told when the model is read."""
        self.notes.append(f"{self.source}: {self.shown}: {what} is left out: {why}")

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

    def truth(self, word: str) -> bool:
        """In the attribute of that name; false without one."""
        text = self.attribute(word, "false").lower()
        if text not in _TRUTH:
            raise self.error(f"{word} is {text[:80]!r}; give true or false")
        return _TRUTH[text]

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
        shown = (
            ""
            if name and self.tag in ("model", "world", "sdf")
            else (f"{self.shown}: <{element.tag}>")
        )
        return SdfElement(element, self._file, shown, self.notes)
