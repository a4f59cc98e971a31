"""Visual shapes: records of sizes, which say themselves in numbers.

Boxes, cylinders, ... stand about the origin of their placement; what has an axis has it along z.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from eomc.derive.fields.field import SCALAR, FieldKind, Given, rows_of
from eomc.derive.fields.part import Part, positive
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import Registry
from eomc.derive.language.scalar import Scalar, vector
from eomc.derive.language.value import value_of

__all__ = ["VISUAL_SHAPES", "Corners", "Triple", "VisualShape"]

#: Every kind by its word.
VISUAL_SHAPES: Registry[type[VisualShape]] = Registry("visual_shape", "eomc.derive.visuals")

#: Rows of two or three numbers or expressions.
Corners = Given[Sequence[Sequence[Any]], tuple[tuple[Scalar, ...], ...]]


class VisualShape(Part):
    """Sizes of a shape; a kind is a class under `visual_shape` with its fields."""

    kinds = VISUAL_SHAPES

    def check(self, values: Mapping[str, float]) -> None:
        """Every single number is a size."""
        for word, kind, value in self.given():
            if kind.units == "m" and not isinstance(value, tuple):
                positive(value, word, values)

    def numbers(self, values: Mapping[str, float]) -> dict[str, Any]:
        """Its fields in numbers, by the words that pictures have for them."""
        return {word: numbers(value, values) for word, _, value in self.given()}


Kind = TypeVar("Kind", bound=VisualShape)


def numbers(value: Any, values: Mapping[str, float]) -> Any:
    """A scalar, or rows of them, as doubles; text stays."""
    if isinstance(value, tuple):
        return [numbers(entry, values) for entry in value]
    return value if isinstance(value, str) else value_of(value, values)


@dataclass(frozen=True)
class PointRows(FieldKind):
    """At least so many points of `width` coordinates."""

    width: int = 3
    fewest: int = 2

    def schema(self) -> dict[str, Any]:
        """Rows of scalars."""
        return {"type": "array", "items": rows_of(SCALAR, self.width), "minItems": self.fewest}

    def read(self, value: Any, word: str) -> tuple[tuple[Scalar, ...], ...]:
        """As tuples."""
        try:
            rows = tuple(tuple(vector(row, self.width, word)) for row in value)
        except TypeError:
            raise ModelError(f"{word}: give rows of {self.width} numbers") from None
        if len(rows) < self.fewest:
            raise ModelError(f"{word} has {len(rows)} points, needs {self.fewest} or more")
        return rows


@dataclass(frozen=True)
class Sizes(FieldKind):
    """Three lengths, all above zero."""

    def schema(self) -> dict[str, Any]:
        """Three scalars."""
        return rows_of(SCALAR, 3)

    def read(self, value: Any, word: str) -> tuple[Scalar, ...]:
        """As a tuple."""
        return tuple(vector(value, 3, word))


#: Three lengths.
Triple = Given[Sequence[Any], tuple[Scalar, ...]]


def check_sizes(sizes: Sequence[Scalar], word: str, values: Mapping[str, float]) -> None:
    """Raise `ModelError` unless all of them are above zero."""
    for size in sizes:
        positive(size, word, values)
