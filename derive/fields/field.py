"""Fields of elements: how each is read, what it names, what becomes of it when bodies merge.

A field is declared once, in the record of its element:

    at: AtPoint = point("where it acts")
    coefficient: Number = number("N s^2/m^2")

The annotation tells type checkers what is accepted and what is held.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, dataclass_transform

from eomc.derive.fields.scope import PARAMETERS, Scope
from eomc.derive.language.argument import flag, text
from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import WORLD
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, Vector3, is_number, scalar, vector3
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Placement, Point
from eomc.derive.placement.placement import placement as placed
from eomc.derive.placement.placement import point as point_of

if TYPE_CHECKING:
    from eomc.derive.fields.carrier import FieldCarrier

__all__ = [
    "AtPoint",
    "Direction",
    "FieldKind",
    "Fields",
    "Number",
    "Placed",
    "Position",
    "body",
    "check_given",
    "choice",
    "coordinate",
    "direction",
    "fields_of",
    "number",
    "placement",
    "point",
    "record",
]

Accepted = TypeVar("Accepted", contravariant=True)
Held = TypeVar("Held", covariant=True)
#: What every element has.
_OF_ALL = ("name", "source")
Record = TypeVar("Record")


class Given(Generic[Accepted, Held]):
    """For type checkers: a field that takes one type and holds another."""

    def __get__(self, instance: object, owner: type) -> Held:
        raise NotImplementedError

    def __set__(self, instance: object, value: Accepted) -> None:
        raise NotImplementedError


#: A number, an expression or its text; a scalar is held.
Number = Given[Any, Scalar]
#: The same, or nothing.
OptionalNumber = Given[Any, Scalar | None]
#: Three of them.
Direction = Given[Sequence[Any], Vector3]
OptionalDirection = Given[Sequence[Any] | None, Vector3 | None]
Position = Given[Sequence[Any], Vector3]
#: A point, the name of a body for its origin, or a mapping of `body` and `xyz`.
AtPoint = Given[Point | str | Mapping[str, Any], Point]
#: A placement, a position alone, a mapping of its fields, nothing for the body's own frame.
Placed = Given[Placement | Mapping[str, Any] | Sequence[Any] | None, Placement]


@dataclass(frozen=True)
class FieldKind:
    """A kind of field: its meaning, units, and the names that its expressions may hold."""

    meaning: str = ""
    units: str = ""
    scope: Scope = PARAMETERS

    def read(self, value: Any, word: str) -> Any:
        """`value` as it is held. Raises `ModelError` for anything else."""
        return text(value, word)

    def schema(self) -> dict[str, Any]:
        """JSON Schema of its values in model files."""
        return {"type": "string"}

    def upgraded(self, value: Any, renamed: dict[str, str]) -> Any:
        """A value of version 1 of model files in today's words; `renamed` gets old and new ones."""
        return value

    def bodies(self, value: Any) -> tuple[str, ...]:
        """Names of the bodies that it refers to."""
        return ()

    def points(self, value: Any) -> tuple[Point, ...]:
        """Points of bodies that it holds, between which pictures draw the element."""
        return ()

    def axes(self, element: Any) -> str:
        """Of a direction, the body in whose axes it is, or the world; nothing of any other."""
        return ""

    def transformed(self, value: Any, element: Any, carrier: FieldCarrier) -> Any:
        """The same on the bodies and coordinates that are left when bodies merge."""
        return value


#: Of a number, or an expression as text.
SCALAR: dict[str, Any] = {"type": ["number", "string"]}


def rows_of(entry: dict[str, Any], least: int, most: int | None = None) -> dict[str, Any]:
    """JSON Schema of a list of `least` to `most` entries, of `least` alone by default."""
    return {"type": "array", "items": entry, "minItems": least, "maxItems": most or least}


class _Number(FieldKind):
    def schema(self) -> dict[str, Any]:
        return SCALAR

    def read(self, value: Any, word: str) -> Scalar:
        return scalar(value, word)

    def transformed(self, value: Any, element: Any, carrier: FieldCarrier) -> Any:
        return carrier.within(value) if self.scope.moves else value


@dataclass(frozen=True)
class _Vector(FieldKind):
    of: str = ""
    frame: str = ""
    nonzero: bool = True

    def schema(self) -> dict[str, Any]:
        return rows_of(SCALAR, 3)

    def read(self, value: Any, word: str) -> Vector3:
        vector = vector3(value, word)
        if self.nonzero and all(is_number(entry) and not value_of(entry) for entry in vector):
            raise ModelError(f"{word} has zero length; give a nonzero 3-vector")
        return vector

    def axes(self, element: Any) -> str:
        if not self.of or (self.frame and getattr(element, self.frame) != "body"):
            return WORLD
        (owner,) = fields_of(type(element))[self.of].bodies(getattr(element, self.of))
        return owner

    def transformed(self, value: Any, element: Any, carrier: FieldCarrier) -> Any:
        owner = self.axes(element)
        return carrier.within(value if owner == WORLD else carrier.turned(value, owner))


@dataclass(frozen=True)
class _Point(FieldKind):
    turned: bool = False

    def schema(self) -> dict[str, Any]:
        place = {"$ref": f"#/$defs/{'turned_point' if self.turned else 'point'}"}
        return {"anyOf": [{"type": "string"}, place]}

    def read(self, value: Any, word: str) -> Point:
        return point_of(value)

    def bodies(self, value: Any) -> tuple[str, ...]:
        return (value.body,)

    def points(self, value: Any) -> tuple[Point, ...]:
        return (value,)

    def transformed(self, value: Any, element: Any, carrier: FieldCarrier) -> Any:
        return carrier.at(value)


@dataclass(frozen=True)
class _Body(FieldKind):
    words: tuple[str, ...] = ()

    def bodies(self, value: Any) -> tuple[str, ...]:
        return () if value in self.words else (value,)

    def transformed(self, value: Any, element: Any, carrier: FieldCarrier) -> Any:
        return value if value in self.words else carrier.place(value)[0]


@dataclass(frozen=True)
class _Placement(FieldKind):
    of: str = ""

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [rows_of(SCALAR, 3), {"$ref": "#/$defs/placement"}]}

    def read(self, value: Any, word: str) -> Placement:
        return placed(value)

    def transformed(self, value: Any, element: Any, carrier: FieldCarrier) -> Any:
        return carrier.place(getattr(element, self.of))[1] @ value


@dataclass(frozen=True)
class _Choice(FieldKind):
    words: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        return {"enum": [*self.words, *(float(word) for word in self.words if word.isdigit())]}

    def read(self, value: Any, word: str) -> str:
        """Words that are numerals may be given as numbers."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = f"{value:g}"
        if value not in self.words:
            valid = ", ".join(map(repr, self.words))
            raise ModelError(f"{word} is {value!r}; valid: {valid}")
        return str(value)


@dataclass(frozen=True)
class Whole(FieldKind):
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int | None = None

    def schema(self) -> dict[str, Any]:
        """A whole number within these bounds."""
        most = {} if self.most is None else {"maximum": self.most}
        return {"type": "integer", "minimum": self.least, **most}

    def read(self, value: Any, word: str) -> int:
        """The number."""
        if (
            isinstance(value, bool)
            or not isinstance(value, int)
            or not self.least <= value <= (value if self.most is None else self.most)
        ):
            upper = "on" if self.most is None else f"to {self.most}"
            raise ModelError(f"{word} is {value!r}; give a whole number from {self.least} {upper}")
        return value


@dataclass(frozen=True)
class Coordinate(FieldKind):
    """The name of a coordinate or speed; `sort` says which will do, `unknown` what others are."""

    sort: str = "coordinates"
    unknown: str = "no coordinate {!r}"


class _SelfRead(FieldKind):
    def schema(self) -> dict[str, Any]:
        return {}

    def read(self, value: Any, word: str) -> Any:
        return value


class _Flag(FieldKind):
    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def read(self, value: Any, word: str) -> bool:
        return flag(value, word)


def _field(kind: FieldKind, default: Any) -> Any:
    return dataclasses.field(default=default, metadata={"kind": kind})


def number(
    units: str = "", meaning: str = "", *, scope: Scope = PARAMETERS, default: Any = MISSING
) -> Any:
    """A number or an expression in the names of `scope`."""
    return _field(_Number(meaning, units, scope), default)


def words(meaning: str = "", *, default: Any = MISSING) -> Any:
    """A text."""
    return _field(FieldKind(meaning), default)


def truth(meaning: str = "", *, default: Any = MISSING) -> Any:
    """True or false."""
    return _field(_Flag(meaning), default)


def direction(
    meaning: str = "",
    *,
    of: str = "",
    frame: str = "",
    scope: Scope = PARAMETERS,
    default: Any = MISSING,
) -> Any:
    """A vector in the axes of the body that the field `of` names, or in those of the world where
    the field `frame` says so. It must not vanish."""
    return _field(_Vector(meaning, "", scope, of, frame), default)


def position(
    units: str = "m",
    meaning: str = "",
    *,
    of: str = "",
    scope: Scope = PARAMETERS,
    default: Any = MISSING,
) -> Any:
    """A vector that may vanish, in the axes of the body that the field `of` names, by default in
    those of the world."""
    return _field(_Vector(meaning, units, scope, of, nonzero=False), default)


def point(meaning: str = "", *, turned: bool = False, default: Any = MISSING) -> Any:
    """A point of a body, or of the world; `turned` if an orientation may be given with it."""
    return _field(_Point(meaning, turned=turned), default)


def body(meaning: str = "", *, words: tuple[str, ...] = (), default: Any = MISSING) -> Any:
    """The name of a body, of the world, or one of the words."""
    return _field(_Body(meaning, words=words), default)


def placement(
    meaning: str = "", *, of: str, scope: Scope = PARAMETERS, default: Any = MISSING
) -> Any:
    """A placement in the frame of the body that the field `of` names."""
    return _field(_Placement(meaning, "", scope, of), default)


def whole(
    least: int = 0, most: int | None = None, meaning: str = "", *, default: Any = MISSING
) -> Any:
    """A whole number from `least` to `most`."""
    return _field(Whole(meaning, least=least, most=most), default)


def choice(*words: str, default: Any = MISSING) -> Any:
    """One of a few words."""
    return _field(_Choice(words=words), default)


def coordinate(meaning: str = "", *, default: Any = MISSING) -> Any:
    """The name of a coordinate."""
    return _field(Coordinate(meaning), default)


def coordinate_with_rate(meaning: str = "", *, default: Any = MISSING) -> Any:
    """The name of a coordinate whose rate is a speed."""
    return _field(
        Coordinate(meaning, "", PARAMETERS, "rates", "{!r} is no coordinate with a rate"), default
    )


def speed(meaning: str = "", *, default: Any = MISSING) -> Any:
    """The name of a generalized speed."""
    return _field(Coordinate(meaning, "", PARAMETERS, "speeds", "unknown speed {!r}"), default)


def unread(units: str = "", meaning: str = "", *, default: Any = MISSING) -> Any:
    """A value that the record reads by itself."""
    return _field(_SelfRead(meaning, units), default)


def of_kind(kind: FieldKind, *, default: Any = MISSING) -> Any:
    """A field of a kind of one's own."""
    return _field(kind, default)


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(
        dataclasses.field,
        number,
        direction,
        position,
        point,
        body,
        placement,
        choice,
        words,
        truth,
        whole,
        coordinate,
        coordinate_with_rate,
        speed,
        unread,
        of_kind,
    ),
)
def record(made: type[Record]) -> type[Record]:
    """Decorator: the class is an immutable record with the fields of its body."""
    return dataclass(frozen=True)(made)


def fields_of(record: type) -> Mapping[str, FieldKind]:
    """The fields of a record by name, in order, but for its name and source."""
    known: dict[str, FieldKind] | None = record.__dict__.get("_field_kinds")
    if known is None:
        known = {f.name: f.metadata["kind"] for f in dataclasses.fields(record) if f.metadata}
        record._field_kinds = known  # type: ignore[attr-defined]
    return known


def is_required(entry: dataclasses.Field[Any]) -> bool:
    """True for a field without a default."""
    return entry.default is MISSING and entry.default_factory is MISSING


def check_given(made: type, word: str, given: Mapping[str, Any]) -> None:
    """Raise `ModelError` for fields that the record `made` of the kind `word` does not take, and
    for those that it lacks."""
    takes = {f.name: f for f in dataclasses.fields(made) if f.init and f.name not in _OF_ALL}
    for key in given:
        if key not in takes:
            raise ModelError(f"kind {word!r} takes no {key!r}; {near_names(str(key), takes)}")
    for name, entry in takes.items():
        if given.get(name) is None and is_required(entry):
            raise ModelError(f"kind {word!r} needs {name}")


@dataclass(frozen=True)
class Fields:
    """A record whose fields are read, listed and carried by their kinds."""

    def read_fields(self) -> None:
        """Put every field as it is held in the place of what was given.

        Raises `ModelError` for what a field does not hold.
        """
        for entry in dataclasses.fields(self):
            value = getattr(self, entry.name)
            if entry.metadata and not (value is None and entry.default is None):
                kind: FieldKind = entry.metadata["kind"]
                object.__setattr__(self, entry.name, kind.read(value, entry.name))

    def given(self) -> Iterator[tuple[str, FieldKind, Any]]:
        """Word, kind and value of the fields that hold something."""
        for word, kind in fields_of(type(self)).items():
            if (value := getattr(self, word)) is not None:
                yield word, kind, value

    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies that its fields refer to."""
        return tuple(body for _, kind, value in self.given() for body in kind.bodies(value))

    def transformed_fields(self, carrier: FieldCarrier) -> dict[str, Any]:
        """Its fields on the bodies and coordinates that are left when bodies merge."""
        return {word: kind.transformed(value, self, carrier) for word, kind, value in self.given()}
