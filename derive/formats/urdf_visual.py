"""Visual shapes of URDF links, and their collision shapes.

What pictures cannot show, such as a geometry of another kind, a size of zero or a mesh of an
unknown format, is left out: the link is then drawn as its joints suggest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from eomc.derive.contacts.collision import Collision, contact_shape, numbered
from eomc.derive.formats.xml_file import decimal_numbers
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.model.model import Model
from eomc.derive.placement.placement import Placement
from eomc.derive.visuals.shapes import FORMATS

__all__ = ["UrdfVisual", "declare_visuals", "urdf_collisions", "urdf_visuals"]

#: Attributes of geometries: the field of the shape and how many numbers it has.
_GEOMETRIES = {
    "box": {"size": ("size", 3)},
    "cylinder": {"radius": ("radius", 1), "length": ("length", 1)},
    "capsule": {"radius": ("radius", 1), "length": ("length", 1)},
    "sphere": {"radius": ("radius", 1)},
}


@dataclass(frozen=True)
class UrdfVisual:
    """One ``<visual>`` of a link, in the words of `Model.visual`."""

    link: str
    shape: dict[str, Any]
    source: Source
    more: dict[str, Any] = field(default_factory=dict)


def urdf_visuals(root: Any, file: str, notes: list[str]) -> list[UrdfVisual]:
    """Those of all links; `notes` gets a sentence about each that is left out for its numbers."""
    colors = {
        str(entry.get("name")): color
        for entry in root.iter("material")
        if (color := entry.find("color")) is not None
    }
    found: list[UrdfVisual] = []
    for link in root.findall("link"):
        for element in link.findall("visual"):
            try:
                visual = _visual(str(link.get("name")), element, colors, file)
            except ModelError as error:
                notes.append(f"{error}; it is not shown")
                continue
            found += [] if visual is None else [visual]
    return found


def urdf_collisions(root: Any, file: str, notes: list[str]) -> list[Collision]:
    """Those of all links, with Gazebo's coefficient of friction; `notes` gets a sentence about each
    that is left out for its geometry."""
    friction = {
        str(entry.get("reference")): mu[0]
        for entry in root.findall("gazebo")
        for part in entry.findall("mu1")
        if (mu := decimal_numbers(str(part.get("value") or part.text))) is not None
    }
    found: list[Collision] = []
    for link in root.findall("link"):
        name = str(link.get("name"))
        for element in link.findall("collision"):
            source = Source(file, element.sourceline or 0)
            shape = next(_shapes(name, element.find("geometry"), file), None)
            if shape is None:
                notes.append(
                    f"{source}: link {name[:80]!r}: a collision is left out: give a box, cylinder, "
                    f"sphere or capsule of sizes above zero, or a mesh ({', '.join(FORMATS)})"
                )
                continue
            place = Placement(**_origin(name, element, file))
            numbers = (numbered(name, found), name, contact_shape(shape), place, source)
            found.append(Collision(*numbers, friction.get(name)))
    return found


def declare_visuals(model: Model, visuals: list[UrdfVisual], notes: list[str]) -> None:
    """In the model, under the names of their links and a number."""
    counts: dict[str, int] = {}
    for visual in visuals:
        name = visual.link
        while name in model.visuals:
            counts[visual.link] = counts.get(visual.link, 1) + 1
            name = f"{visual.link}_{counts[visual.link]}"
        try:
            model.visual(
                name, body=visual.link, shape=visual.shape, source=visual.source, **visual.more
            )
        except ModelError as error:
            notes.append(f"{error}; it is not shown")


def _visual(link: str, element: Any, colors: dict[str, Any], file: str) -> UrdfVisual | None:
    source = Source(file, element.sourceline or 0)
    shape = next(_shapes(link, element.find("geometry"), file), None)
    if shape is None:
        return None
    more: dict[str, Any] = {}
    if element.find("origin") is not None:
        more["placement"] = _origin(link, element, file)
    material = element.find("material")
    if material is not None:
        color = material.find("color")
        color = colors.get(str(material.get("name"))) if color is None else color
        if color is not None:
            *rgb, opacity = (min(max(x, 0.0), 1.0) for x in _numbers(color, "rgba", 4, link, file))
            more |= {"color": rgb, "opacity": opacity}
    return UrdfVisual(link, shape, source, more)


def _origin(link: str, element: Any, file: str) -> dict[str, Any]:
    origin = element.find("origin")
    words = () if origin is None else ("xyz", "rpy")
    return {w: _numbers(origin, w, 3, link, file) for w in words if origin.get(w) is not None}


def _shapes(link: str, geometry: Any, file: str) -> Iterator[dict[str, Any]]:
    for kind in () if geometry is None else geometry:
        if kind.tag == "mesh":
            name = str(kind.get("filename", ""))
            scale = [1.0, 1.0, 1.0]
            if kind.get("scale") is not None:
                scale = _numbers(kind, "scale", 3, link, file)
            if PurePosixPath(name).suffix.lower() in FORMATS and all(scale):
                yield {"kind": "mesh", "file": name, "scale": scale}
        elif kind.tag in _GEOMETRIES:
            made: dict[str, Any] = {"kind": kind.tag}
            sizes: list[float] = []
            for attribute, (word, count) in _GEOMETRIES[kind.tag].items():
                found = _numbers(kind, attribute, count, link, file)
                sizes += found
                made[word] = found if count > 1 else found[0]
            if all(size > 0 for size in sizes):
                yield made


def _numbers(element: Any, attribute: str, count: int, link: str, file: str) -> list[float]:
    text = str(element.get(attribute, ""))
    numbers = decimal_numbers(text) or []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise ModelError(
            f"link {link[:80]!r}: {_holder(element)}: {element.tag} {attribute} is {text[:80]!r}; "
            f"give {count} finite number{'s' if count > 1 else ''}",
            Source(file, element.sourceline or 0),
        )
    return numbers


def _holder(element: Any) -> str:
    """The <visual> or <collision> around an element."""
    around = next(element.iterancestors("visual", "collision"), element)
    return str(around.tag)
