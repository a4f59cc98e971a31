"""Nested and included models of SDF files, made part of the model that holds them.

A thing `x` of a nested model `n` is called `n::x`, and `n` is the frame of the model itself. With
`merge` the things keep their names. References in poses, joints and axes follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path, PurePosixPath
from typing import Any

from eomc.derive.formats.model_file import read_bytes
from eomc.derive.formats.sdf.element import FILE, place_of
from eomc.derive.formats.sdf.poses import MODEL
from eomc.derive.formats.sdf.versions import modernized, version_of
from eomc.derive.formats.xml_file import xml_root
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.naming import WORLD

__all__ = ["SdfFiles", "flattened"]

_DEEPEST, _MOST = 16, 1000
_THINGS = ("link", "joint", "frame")


class SdfFiles:
    """Files that a file includes, in its own folder and in folders of models."""

    def __init__(self, file: str, folders: Sequence[str | Path]) -> None:
        self.file = file
        self.folders = [Path(file).parent, *map(Path, folders)]
        self._count = 0

    def included(self, include: Any, depth: int) -> Any:
        """The element <model> that an <include> stands for, with its name, pose and base."""
        source = place_of(include, self.file)
        self._count += 1
        if depth > _DEEPEST or self._count > _MOST:
            raise ModelError("<include>: too many files, or they include each other", source)
        uri = (include.findtext("uri") or "").strip()
        path = self._path(uri, source)
        root = xml_root(read_bytes(path), str(path), "sdf")
        models = root.findall("model") if root.tag == "sdf" else []
        if len(models) != 1:
            raise ModelError(f"<include>: {uri[:80]!r} holds {len(models)} models, not one", source)
        model = modernized(models[0], version_of(root, Source(str(path), 1)), Source(str(path)))
        model.set(FILE, str(path))
        if include.find("placement_frame") is not None:
            raise ModelError("<include>: <placement_frame> is not read", source)
        if name := (include.findtext("name") or "").strip():
            model.set("name", name)
        for word in ("pose", "static"):
            if (given := include.find(word)) is not None:
                for old in model.findall(word):
                    model.remove(old)
                model.append(deepcopy(given))
        return model

    def _path(self, uri: str, source: Source) -> Path:
        """Raises `ModelError` for a name that leads out of the folders."""
        scheme, _, rest = uri.rpartition("://")
        inner = PurePosixPath(rest)
        if scheme not in ("", "model", "package") or not rest:
            raise ModelError(f"<include>: uri is {uri[:80]!r}; give model://name or a file", source)
        if inner.is_absolute() or ".." in inner.parts or "\\" in rest or ":" in rest:
            raise ModelError(f"<include>: uri {uri[:80]!r} leads out of the folder", source)
        for folder in self.folders:
            named = folder.name == inner.parts[0]
            for path in (folder / inner, *([folder.parent / inner] if named else [])):
                for file in (path, path / "model.sdf"):
                    if file.is_file():
                        return file
        searched = ", ".join(map(str, self.folders))[:200]
        raise ModelError(
            f"<include>: {uri[:80]!r} is not in {searched}; name folders by packages", source
        )


def flattened(model: Any, files: SdfFiles, depth: int = 0) -> Any:
    """The element <model>, whose nested and included models have become part of it."""
    for element in list(model):
        merge = element.tag == "include" and element.get("merge", "").strip() in ("1", "true")
        if element.tag == "include":
            inner = files.included(element, depth + 1)
        elif element.tag == "model":
            inner = element
        else:
            continue
        _take_in(model, element, flattened(inner, files, depth + 1), merge, files.file)
    return model


def _take_in(model: Any, place: Any, inner: Any, merge: bool, file: str) -> None:
    """Put the things of `inner` into `model` in the place of the element `place`."""
    name, source = str(inner.get("name") or "").strip(), place_of(inner, file)
    links = [str(link.get("name")) for link in inner.findall("link")]
    if not name or not links:
        raise ModelError("a nested model has no name or no link", source)
    if (inner.findtext("static") or "").strip() in ("1", "true"):
        raise ModelError(f"model {name[:80]!r}: <static> of a nested model is not read", source)
    if inner.get("placement_frame"):
        raise ModelError(f"model {name[:80]!r}: placement_frame is not read", source)
    frame = f"_merged__{name}__model__" if merge else name
    prefix = "" if merge else f"{name}::"

    def renamed(word: str | None) -> str:
        text = (word or "").strip()
        if not text or text == WORLD:
            return text
        return frame if text == MODEL else f"{prefix}{text}"

    canonical = renamed(inner.get("canonical_link") or links[0])
    own = model.makeelement("frame", {"name": frame, "attached_to": canonical})
    pose = inner.find("pose")
    own.append(deepcopy(pose) if pose is not None else model.makeelement("pose", {}))
    if not own[0].get("relative_to"):
        own[0].set("relative_to", MODEL)
    own.sourceline = inner.sourceline
    own.set(FILE, source.file)
    place.addnext(own)
    for thing in [child for child in inner if child.tag in _THINGS]:
        thing.set(FILE, place_of(thing, file).file)
        _follow(thing, renamed, frame)
        model.append(thing)
    model.remove(place)


def _follow(thing: Any, renamed: Callable[[str | None], str], frame: str) -> None:
    """Rename a link, joint or frame, and everything that it refers to."""
    thing.set("name", renamed(thing.get("name")))
    if thing.tag == "frame":
        thing.set("attached_to", renamed(thing.get("attached_to")) or frame)
    if thing.tag == "link":
        pose = thing.find("pose")
        if pose is None:
            pose = thing.makeelement("pose", {})
            thing.insert(0, pose)
        if not pose.get("relative_to"):
            pose.set("relative_to", MODEL)
    for part in thing.iter():
        for word in ("relative_to", "expressed_in"):
            if part.get(word):
                part.set(word, renamed(part.get(word)))
        if part.tag in ("parent", "child") and thing.tag == "joint":
            part.text = renamed(part.text)
        if part.tag == "mimic" and part.get("joint"):
            part.set("joint", renamed(part.get("joint")))
