"""Parts of elements that come in kinds of their own: one record a kind, found by its word.

A part is told by the word of its kind. If that is a field it holds what the part is made of, often
a point of a body; the other fields follow::

    { sphere = { body = "ball", xyz = [0, 0, 1] }, radius = 0.2 }
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, dataclass_transform

from eomc.derive.elements import fields
from eomc.derive.elements.fields import FieldKind, Fields, fields_of
from eomc.derive.elements.scope import PARAMETERS, Scope
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Point

if TYPE_CHECKING:
    from eomc.derive.elements.carrier import Carrier

__all__ = ["OneOf", "Part", "check_parts", "not_negative", "part", "positive", "told"]

Kind = TypeVar("Kind", bound="Part")


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(
        fields.number,
        fields.direction,
        fields.point,
        fields.choice,
        fields.of_kind,
        fields.position,
    ),
)
@dataclass(frozen=True)
class Part(Fields):
    """A record of fields that say what they hold, as those of elements do."""

    word: ClassVar[str]

    def __post_init__(self) -> None:
        self.read_fields()

    def check(self, values: Mapping[str, float]) -> None:
        """Raise `ModelError` for fields that are no sizes or do not go together."""

    def points(self) -> tuple[Point, ...]:
        """Points of bodies that it holds."""
        return tuple(place for _, kind, value in self.given() for place in kind.points(value))

    def transformed(self, carrier: Carrier) -> Part:
        """The same on the bodies that are left when bodies merge."""
        return dataclasses.replace(self, **self.transformed_fields(carrier))


def part(word: str, kinds: dict[str, type[Any]]) -> Callable[[type[Kind]], type[Kind]]:
    """Decorator: the class is the record of a kind, known as `word` among `kinds`."""

    def made(kind: type[Kind]) -> type[Kind]:
        made = dataclass(frozen=True)(kind)
        made.word = word
        kinds[word] = made
        return made

    return made


def told(kinds: Mapping[str, type[Any]], value: Mapping[Any, Any], asked: str) -> Any:
    """The record that a mapping tells by the word of its kind; `asked` is what one has to give.

    Raises `ModelError` for no kind or several, unknown fields, and fields that are missing.
    """
    words = [word for word in kinds if word in value]
    if len(words) != 1:
        raise ModelError(f"give {asked} {', '.join(map(repr, kinds))}; there are {len(words)}")
    kind = kinds[words[0]]
    for key in value:
        if key not in fields_of(kind):
            raise ModelError(f"unknown key {key!r}; {near_names(str(key), fields_of(kind))}")
    for entry in dataclasses.fields(kind):
        if entry.default is dataclasses.MISSING and entry.name not in value:
            article = "an" if kind.word[0] in "aeiou" else "a"
            raise ModelError(f"{article} {kind.word} needs {entry.name}")
    return kind(**value)


@dataclass(frozen=True)
class OneOf(FieldKind):
    """A field that holds one record out of `kinds`."""

    scope: Scope = PARAMETERS
    kinds: Mapping[str, type[Part]] = field(default_factory=dict)

    def read(self, value: Any, word: str) -> Part:
        """A record, or a mapping as in model files."""
        try:
            return self._read(value)
        except ModelError as error:
            raise error.within(word, None) from None

    def _read(self, value: Any) -> Part:
        if isinstance(value, tuple(self.kinds.values())):
            return cast(Part, value)
        if not isinstance(value, Mapping):
            raise ModelError(f"give one of {', '.join(map(repr, self.kinds))}, and its fields")
        return cast(Part, told(self.kinds, value, "one of"))

    def bodies(self, value: Any) -> tuple[str, ...]:
        """Those of the part."""
        found: tuple[str, ...] = value.bodies()
        return found

    def points(self, value: Any) -> tuple[Point, ...]:
        """Those of the part."""
        found: tuple[Point, ...] = value.points()
        return found

    def transformed(self, value: Any, element: Any, carrier: Carrier) -> Any:
        """The part carried."""
        return value.transformed(carrier)


def positive(value: Scalar, word: str, values: Mapping[str, float]) -> None:
    """Raise `ModelError` unless a constant of the mechanism is above zero."""
    number = value_of(value, values)
    if not number > 0:
        raise ModelError(f"{word} is {number:g}; give a positive number")


def not_negative(value: Scalar, word: str, values: Mapping[str, float]) -> None:
    """Raise `ModelError` for a constant of the mechanism below zero."""
    number = value_of(value, values)
    if not number >= 0:
        raise ModelError(f"{word} is {number:g}; give a number that is not negative")


def check_parts(record: Fields, values: Mapping[str, float]) -> None:
    """Raise `ModelError` for parts with wrong fields, under the name of the part's field."""
    for word, kind in fields_of(type(record)).items():
        part = getattr(record, word)
        if isinstance(kind, OneOf) and part is not None:
            try:
                part.check(values)
            except ModelError as error:
                raise error.within(f"{word} ({part.word})", None) from None
