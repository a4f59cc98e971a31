"""The two sides of a contact as fields of elements: which there are, and which go together."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes import SHAPES, Shape
from eomc.derive.contacts.surfaces import SURFACES, Surface
from eomc.derive.elements.fields import Given
from eomc.derive.elements.part import OneOf
from eomc.derive.elements.scope import PARAMETERS
from eomc.derive.language.errors import ModelError

SHAPE = OneOf("of the first body", "", PARAMETERS, SHAPES)
SURFACE = OneOf("of the second", "", PARAMETERS.with_own("surface", "x", "y", "z"), SURFACES)

OfShape = Given[Shape | Mapping[str, object], Shape]
OfSurface = Given[Surface | Mapping[str, object], Surface]


def check_pair(shape: Shape, surface: Surface) -> None:
    """Raise `ModelError` for one body alone, and for a pair that has no form."""
    if shape.place.body == surface.place.body:
        raise ModelError(
            f"shape and surface are both of body {shape.place.body!r}; name two bodies"
        )
    if shape.is_round or not surface.takes_round:
        return
    if shape.is_oval and meets_convex(type(surface)):
        surface.check_convex(shape)
        return
    rest = sorted(word for word, kind in SHAPES.items() if kind.is_round)
    others = sorted(
        w for w, k in SURFACES.items() if not k.takes_round or (shape.is_oval and meets_convex(k))
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
