"""The two sides of a contact as fields of elements: which there are, and which go together."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from eomc.derive.contacts.pairs.form import form_of
from eomc.derive.contacts.shapes import SHAPES, Shape
from eomc.derive.contacts.surfaces import SURFACES, Surface
from eomc.derive.fields.field import Given
from eomc.derive.fields.part import OneOf, Part
from eomc.derive.fields.scope import PARAMETERS
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import Registry
from eomc.derive.language.scalar import vector3
from eomc.derive.placement.placement import Point, placement
from eomc.derive.placement.rotation import rotate


class _Side(OneOf):
    """A shape or surface, whose point may be given with an orientation, as placements are."""

    def _read(self, value: Any) -> Part:
        return super()._read(_turned(self.kinds, value) if isinstance(value, Mapping) else value)


def _turned(kinds: Registry[type[Part]], value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """The same in the axes of the body: its directions turned."""
    at = value.get("at")
    if not isinstance(at, Mapping) or not at.keys() & {"rpy", "rotation", "quaternion"}:
        return value
    if "body" not in at:
        raise ModelError("at: give a body beside its orientation")
    kind = kinds.find(value.get("kind"))
    place = placement({key: entry for key, entry in at.items() if key != "body"})
    found = {**value, "at": Point(at["body"], place.xyz)}
    fields = {f.name: f for f in dataclasses.fields(kind)}
    names = [name for name in ("axis", "first", "normal") if name in fields]
    if not names and kind.word == "implicit":
        raise ModelError(
            "an implicit surface is an expression in x, y, z of its body; write the turn into "
            "it, or give xyz alone"
        )
    for name in names:
        given = vector3(value.get(name, fields[name].default), name)
        found[name] = rotate(place.matrix, given)
    if "vertices" in fields and "vertices" in value:
        rows = value["vertices"]
        found["vertices"] = [rotate(place.matrix, vector3(row, "vertices")) for row in rows]
    return found


SHAPE = _Side("of the first body", "", PARAMETERS.with_own("shape", "x"), SHAPES)
SURFACE = _Side("of the second", "", PARAMETERS.with_own("surface", "x", "y", "z"), SURFACES)

OfShape = Given[Shape | Mapping[str, object], Shape]
OfSurface = Given[Surface | Mapping[str, object], Surface]


def check_pair(shape: Shape, surface: Surface) -> None:
    """Raise `ModelError` for one body alone, and for a pair that has no form."""
    if shape.at.body == surface.at.body:
        raise ModelError(f"shape and surface are both of body {shape.at.body!r}; name two bodies")
    if not surface.takes_round or form_of(shape, surface) is not None:
        return
    shape.check_smooth()
    if shape.is_round:
        return
    if surface.word in shape.meets or (shape.is_oval and meets_convex(type(surface))):
        surface.check_convex(shape)
        return
    rest = sorted(word for word, kind in SHAPES.items() if kind.is_round)
    others = sorted(
        w
        for w, k in SURFACES.items()
        if not k.takes_round or w in shape.meets or (shape.is_oval and meets_convex(k))
    )
    raise ModelError(
        f"no form for the pair {shape.word} and {surface.word}; there is one with the shapes "
        f"{', '.join(rest)}, or with the surfaces {', '.join(others)}"
    )


def meets_convex(surface: type[Surface]) -> bool:
    """True if a kind of curved surface has a form for ovals, not for balls alone."""
    return surface.touch_convex is not Surface.touch_convex


def has_directions(surface: Surface) -> bool:
    """True if a surface has directions that stay with it, as what is curved has not."""
    return type(surface).tangents is not Surface.tangents
