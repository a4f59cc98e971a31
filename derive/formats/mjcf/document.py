"""The text of an MJCF file, made ready for MuJoCo's own compiler.

Files that it includes are put in their places, what has no part in the mechanics and could cost
memory is taken out, elements without a name get one, so that everything has a place that can be
told. The document is data: what it asks to be loaded are models and meshes, nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eomc.derive.formats.model_file import read_bytes
from eomc.derive.formats.xml_file import xml_root
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.naming import MOST_LETTERS

__all__ = ["MjcfDocument"]

#: Taken out: pictures, signals, and sizes of MuJoCo's memory.
_NO_PART = ("size", "statistic", "visual", "sensor", "skin", "custom", "keyframe", "contact")
#: Left as small as can be, because other elements may name them.
_SMALL = {
    "texture": {"builtin": "flat", "width": "1", "height": "1"},
    "hfield": {"nrow": "2", "ncol": "2"},
}
_SMALL_KEEPS = ("name", "type", "size")
#: Bodies of particles and shells, code from outside, many copies of what would be read.
_REFUSED = {
    "composite": "a body of many parts",
    "flexcomp": "a soft body",
    "flex": "a soft body",
    "plugin": "code from outside",
    "extension": "code from outside",
    "attach": "another model",
    "model": "another model",
}
_NAMED = {
    "worldbody": ("body", "geom", "joint", "freejoint", "site"),
    "equality": None,
    "tendon": ("fixed", "spatial"),
    "actuator": None,
}
#: Copies of one element that <replicate> may make, of all of them, and files that may be included.
_COPIES, _ALL_COPIES, _INCLUDED = 10_000, 200_000, 64
_PLACE = re.compile(r"\bline (\d+)(?:, column \d+)?")


class MjcfDocument:
    """The document in `file`, as it will be compiled, with the place of each of its elements."""

    def __init__(self, data: bytes, file: str) -> None:
        self.file = file
        self._folder = Path(file).parent
        self._places: dict[Any, Source] = {}
        self._files = 0
        self.root = self._parsed(data, file)
        if self.root.tag != "mujoco":
            self._wrong_root()
        self._include(self.root, (file,))
        self._check()
        self._strip()
        self._name()
        self.text = self._compiled()

    def element(self, kind: str, name: str) -> Any:
        """The element of a named part: "body", "joint", "geom", "site", ...; None if none is."""
        found = self._by_name.get((kind, name))
        # Copies bear the name of what they copy, and a number.
        return self._by_name.get((kind, name.rstrip("0123456789"))) if found is None else found

    def source(self, kind: str, name: str) -> Source:
        """Place of a named part in the file."""
        element = self.element(kind, name)
        return Source(self.file) if element is None else self._places[element]

    def error(self, message: str) -> ModelError:
        """MuJoCo's message about the compiled text as a `ModelError`, told of its place."""
        place = _PLACE.search(message)
        named = re.search(r"name '([^']*)'", message)
        source = Source(self.file)
        if place:
            source = self._lines.get(int(place[1]), source)
        elif named:
            source = next(
                (self._places[e] for (_, n), e in self._by_name.items() if n == named[1]), source
            )
        text = " ".join(_PLACE.sub("", message).split()).strip(" ,")
        return ModelError(f"no valid MJCF: {text[:300]}", source)

    def _parsed(self, data: bytes, file: str) -> Any:
        root = xml_root(data, file, "mjcf")
        for element in root.iter():
            self._places[element] = Source(file, element.sourceline or 0)
        return root

    def _wrong_root(self) -> None:
        tag = str(self.root.tag)[:80]
        better = {"robot": ".urdf", "sdf": ".sdf"}.get(tag)
        advice = f"; give the file the suffix {better}" if better else ""
        raise ModelError(
            f"the root element is <{tag}>, not <mujoco>{advice}", self._places[self.root]
        )

    def _include(self, parent: Any, stack: tuple[str, ...]) -> None:
        """Put the children of included files in the places of <include>."""
        for element in list(parent):
            if element.tag != "include":
                self._include(element, stack)
                continue
            source, name = self._places[element], element.get("file", "")
            path = str(self._folder / name)
            self._files += 1
            if not name or path in stack or self._files > _INCLUDED:
                raise ModelError(
                    f"<include file={name[:80]!r}>: give a file that does not include itself, and "
                    f"at most {_INCLUDED} of them",
                    source,
                )
            try:
                root = self._parsed(regular_file(path), path)
            except ModelError as error:
                raise ModelError(f"<include>: {error}", source) from None
            self._include(root, (*stack, path))
            at = parent.index(element)
            parent.remove(element)
            for k, child in enumerate(list(root)):
                parent.insert(at + k, child)

    def _check(self) -> None:
        """Refuse what is no mechanics of rigid bodies, and what would cost memory without end."""
        made, copies = 0, {self.root: 1}
        for element in self.root.iter():
            source = self._places[element]
            if element.tag in _REFUSED:
                raise ModelError(
                    f"<{element.tag}> ({_REFUSED[element.tag]}) is not read; "
                    "bodies, joints, geoms, sites, tendons, actuators and equalities are",
                    source,
                )
            if len(element.get("name", "")) > MOST_LETTERS:
                raise ModelError(f"<{element.tag}>: its name is too long", source)
            for word, value in element.attrib.items():
                # MuJoCo's reader fails on some of them in a way from which it does not recover.
                if not value.strip() and word != "name":
                    raise ModelError(f"<{element.tag}>: {word} is empty; give a value", source)
            copies[element] = copies[element.getparent()] if element is not self.root else 1
            if element.tag == "replicate":
                count = element.get("count", "").strip()
                copies[element] *= int(count) if re.fullmatch(r"\+?[0-9]{1,6}", count) else 0
                if not 0 < copies[element] <= _COPIES:
                    raise ModelError(
                        f"<replicate count={count[:80]!r}>: give a number from 1 to {_COPIES}, "
                        "which it makes together with those around it",
                        source,
                    )
            elif copies[element] > 1:
                made += copies[element]
                if made > _ALL_COPIES:
                    raise ModelError(
                        f"<{element.tag}>: <replicate> makes more than {_ALL_COPIES} "
                        "elements up to here",
                        source,
                    )

    def _strip(self) -> None:
        for element in list(self.root.iter(*_NO_PART)):
            parent = element.getparent()
            if parent is not None and (element.tag == "skin" or parent is self.root):
                parent.remove(element)
        for element in list(self.root.iter(*_SMALL)):
            if element.getparent().tag == "default":
                element.getparent().remove(element)
                continue
            kept = {word: element.get(word) for word in _SMALL_KEEPS if word in element.attrib}
            if "name" not in kept and (file := element.get("file")):
                kept["name"] = Path(file).stem
            element.attrib.clear()
            element.attrib.update(kept | _SMALL[element.tag])
        for element in self.root.iter("compiler"):
            for word in ("meshdir", "assetdir"):
                if word in element.attrib:
                    element.set(word, str((self._folder / element.get(word)).resolve()))
            element.attrib.pop("texturedir", None)
        if not any(
            "meshdir" in e.attrib or "assetdir" in e.attrib for e in self.root.iter("compiler")
        ):
            folder = self.root.makeelement("compiler", {"meshdir": str(self._folder.resolve())})
            self.root.insert(0, folder)
            self._places[folder] = self._places[self.root]

    def _name(self) -> None:
        """Names for what has none, made of the body's."""
        self._by_name: dict[tuple[str, str], Any] = {}
        taken = {e.get("name") for e in self.root.iter() if e.get("name")}
        for section, tags in _NAMED.items():
            for top in self.root.findall(section):
                for element in top.iterdescendants():
                    if tags is not None and element.tag not in tags:
                        continue
                    if tags is None and element.getparent() is not top:
                        continue
                    if not element.get("name"):
                        element.set("name", _new_name(element, section, taken))
                    kind = {"freejoint": "joint"}.get(element.tag, element.tag)
                    self._by_name[kind if tags else section, element.get("name")] = element

    def _compiled(self) -> str:
        from lxml import etree

        text: str = etree.tostring(self.root, encoding="unicode")
        again = etree.fromstring(
            text, etree.XMLParser(huge_tree=False, resolve_entities=False, recover=True)
        )
        self._lines: dict[int, Source] = {}
        for element, place in zip(again.iter(), self._in_order(), strict=True):
            self._lines.setdefault(element.sourceline or 0, place)
        return text

    def _in_order(self) -> Iterator[Source]:
        return (self._places[element] for element in self.root.iter())


def regular_file(path: str) -> bytes:
    """Content of a file that is one, no device or pipe. Raises `ModelError`."""
    if Path(path).exists() and not Path(path).is_file():
        raise ModelError("is no regular file", Source(path))
    return read_bytes(path)


def _new_name(element: Any, section: str, taken: set[str]) -> str:
    """Of the body that holds the element, or its section, and a number where that is taken."""
    parent = element.getparent()
    while parent is not None and parent.tag not in ("body", section):
        parent = parent.getparent()
    holder = parent.get("name") if parent is not None and parent.tag == "body" else None
    tag = {"freejoint": "root"}.get(element.tag, element.tag)
    stem = f"{holder}_{tag}" if holder else tag
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    taken.add(name)
    return name
