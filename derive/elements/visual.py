"""Visual shapes that bodies carry: what pictures show of them, without any mechanics."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eomc.derive.elements.element import Element, Mechanism
from eomc.derive.fields.field import (
    FieldKind,
    Given,
    Number,
    Placed,
    body,
    number,
    of_kind,
    placement,
    rows_of,
)
from eomc.derive.fields.part import OneOf, check_parts
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Placement
from eomc.derive.visuals.visual_shape import VISUAL_SHAPES, VisualShape

__all__ = ["Visual"]

_HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)

#: A colour as "#rrggbb" or three numbers from 0 to 1.
Colour = Given[str | Sequence[float] | None, str]


@dataclass(frozen=True)
class _Colour(FieldKind):
    def schema(self) -> dict[str, Any]:
        """Text, or three numbers."""
        return {
            "anyOf": [
                {"type": "string", "pattern": "^(#[0-9a-fA-F]{6})?$"},
                rows_of({"type": "number"}, 3),
            ]
        }

    def read(self, value: Any, word: str) -> str:
        """As text "#rrggbb"."""
        if value == "":
            return ""
        if isinstance(value, str):
            if not _HEX.fullmatch(value):
                raise ModelError(f'{word} is {value[:80]!r}; give it as "#4c86c6"')
            return value.lower()
        try:
            parts = [float(part) for part in value]
        except (TypeError, ValueError):
            parts = []
        if len(parts) != 3 or not all(0 <= part <= 1 for part in parts):
            raise ModelError(f'{word}: give "#4c86c6", or red, green and blue from 0 to 1')
        return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


@kind("visual")
class Visual(Element):
    """A shape that pictures show of `body` (or "world") at `placement`, in the body's axes.

    It has no part in the mechanics. A body with visual shapes is drawn by them alone, any other by
    shapes that its joints and its inertia suggest.
    """

    body: str = body("that carries it")
    shape: Given[VisualShape | Mapping[str, object], VisualShape] = of_kind(
        OneOf("one of the kinds of shape", kinds=VISUAL_SHAPES)
    )
    placement: Placed = placement("in the body's frame", of="body", default=Placement())
    color: Colour = of_kind(_Colour("as #rrggbb; that of the body by default"), default="")
    roughness: Number = number("", "of the surface, 0 to 1", default=0.5)
    metalness: Number = number("", "of the surface, 0 to 1", default=0.1)
    opacity: Number = number("", "0 to 1", default=1)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Sizes, and shares from 0 to 1."""
        check_parts(self, values)
        for word in ("roughness", "metalness", "opacity"):
            share = value_of(getattr(self, word), values)
            if not 0 <= share <= 1:
                raise ModelError(f"{word} is {share:g}; give a number from 0 to 1")

    def drawn_at(self) -> tuple[()]:
        """It is no line between points."""
        return ()
