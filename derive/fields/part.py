"""Parts of elements that come in kinds of their own: one record a kind, found by its word.

Files and calls give the kind and its fields::

    { kind = "sphere", at = { body = "ball", xyz = [0, 0, 1] }, radius = 0.2 }
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast, dataclass_transform

from eomc.derive.fields import field as fields
from eomc.derive.fields.field import FieldKind, Fields, check_given, fields_of
from eomc.derive.fields.scope import PARAMETERS, Scope
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import Registry
from eomc.derive.language.scalar import Scalar
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Point

if TYPE_CHECKING:
    from eomc.derive.fields.carrier import FieldCarrier

__all__ = ["OneOf", "Part", "check_parts", "not_negative", "positive", "record_of", "upgraded_kind"]


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(
        fields.number,
        fields.direction,
        fields.point,
        fields.choice,
        fields.of_kind,
        fields.whole,
        fields.position,
    ),
)
@dataclass(frozen=True)
class Part(Fields):
    """A record of fields that say what they hold, as those of elements do."""

    kinds: ClassVar[Registry[type[Any]]]
    word: ClassVar[str]

    def __post_init__(self) -> None:
        self.read_fields()

    @staticmethod
    def named(made: type[Any], word: str) -> None:
        """Remember the word of a kind."""
        made.word = word

    def check(self, values: Mapping[str, float]) -> None:
        """Raise `ModelError` for fields that are no sizes or do not go together."""

    def held_points(self) -> tuple[Point, ...]:
        """Points of bodies that it holds."""
        return tuple(place for _, kind, value in self.given() for place in kind.points(value))

    def transformed(self, carrier: FieldCarrier) -> Self:
        """The same on the bodies that are left when bodies merge."""
        return dataclasses.replace(self, **self.transformed_fields(carrier))


def record_of(kinds: Registry[Any], value: Mapping[Any, Any]) -> Any:
    """The record of a mapping of its `kind` and its fields.

    Raises `ModelError` for an unknown kind, unknown fields, and fields that are missing.
    """
    if "kind" not in value:
        renamed: dict[str, str] = {}
        upgraded_kind(kinds, value, renamed)
        for old, new in renamed.items():
            raise ModelError(f"{old} is now {new}")
        raise ModelError(f"needs kind; {near_names('', kinds)}")
    given = {key: entry for key, entry in value.items() if key != "kind"}
    kind = kinds.find(value["kind"])
    check_given(kind, kind.word, given)
    return kind(**given)


def upgraded_kind(kinds: Registry[Any], value: Any, renamed: dict[str, str]) -> Any:
    """A mapping of version 1 of model files, where the word of the kind is the key of its first
    field, with its kind; all else as it is. `renamed` gets the old words and the new ones."""
    if not isinstance(value, Mapping) or "kind" in value:
        return value
    for old in value:
        if (word := "eyelet" if old == "at" else old) in kinds:
            first = next(iter(fields_of(kinds[word])))
            renamed[f"{old} = ..."] = f"kind = {word!r}, {first} = ..."
            rest = {key: entry for key, entry in value.items() if key != old}
            return {"kind": word, first: value[old], **rest}
    return value


@dataclass(frozen=True)
class OneOf(FieldKind):
    """A field that holds one record out of `kinds`."""

    scope: Scope = PARAMETERS
    kinds: Registry[Any] = dataclasses.field(default_factory=lambda: Registry("kind"))

    def read(self, value: Any, word: str) -> Part:
        """A record, or a mapping as in model files."""
        try:
            return self._read(value)
        except ModelError as error:
            raise error.within(word, None) from None

    def _read(self, value: Any) -> Part:
        if isinstance(value, Part) and value.kinds is self.kinds:
            return value
        if not isinstance(value, Mapping):
            raise ModelError(
                f"give {{kind, ...}} with the fields of the kind; {near_names('', self.kinds)}"
            )
        return cast(Part, record_of(self.kinds, value))

    def schema(self) -> dict[str, Any]:
        """A reference to the kinds of the family."""
        return {"$ref": f"#/$defs/{self.kinds.family}"}

    def upgraded(self, value: Any, renamed: dict[str, str]) -> Any:
        """The part with its kind."""
        return upgraded_kind(self.kinds, value, renamed)

    def bodies(self, value: Any) -> tuple[str, ...]:
        """Those of the part."""
        found: tuple[str, ...] = value.bodies()
        return found

    def points(self, value: Any) -> tuple[Point, ...]:
        """Those of the part."""
        found: tuple[Point, ...] = value.held_points()
        return found

    def transformed(self, value: Any, element: Any, carrier: FieldCarrier) -> Any:
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
