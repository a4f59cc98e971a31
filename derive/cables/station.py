"""Stations of a cable's route: one record a kind, found by the word of its place.

A station is told by the word of its kind, which names the point where it stands::

    { pulley = { body = "jib", xyz = [8, 0, 0] }, axis = [0, 1, 0], radius = 0.2, sense = 1 }
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform

from eomc.derive.cables.end import End
from eomc.derive.elements import fields
from eomc.derive.elements.fields import FieldKind, fields_of
from eomc.derive.elements.scope import FORCE, Scope
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, symbols_of
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene

if TYPE_CHECKING:
    from eomc.derive.elements.carrier import Carrier

__all__ = ["Route", "Station", "station"]

_KINDS: dict[str, type[Station]] = {}
Kind = TypeVar("Kind", bound="Station")


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(fields.number, fields.direction, fields.point, fields.of_kind),
)
@dataclass(frozen=True)
class Station:
    """Where a cable is fastened, slides, turns or is wound up."""

    word: ClassVar[str]
    #: True if the cable may begin or end here.
    fastens: ClassVar[bool] = True
    #: True if the cable may pass.
    passes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for entry in dataclasses.fields(self):
            value, kind = getattr(self, entry.name), entry.metadata["kind"]
            if not (value is None and entry.default is None):
                object.__setattr__(self, entry.name, kind.read(value, entry.name))

    @property
    def place(self) -> Point:
        """The point where it stands."""
        point: Point = getattr(self, self.word)
        return point

    def direction(self) -> int:
        """+1 if the cable, followed along its route, turns about the axis by the right hand."""
        return 1

    def whole_turns(self) -> int:
        """Turns of the cable beyond the one that the route shows."""
        return 0

    def rubbing(self) -> Scalar:
        """Coefficient of friction between the cable and what it slides over."""
        return 0

    def wound(self) -> Scalar | None:
        """The angle by which a winch has turned; None if nothing is wound up."""
        return None

    def end(self, scene: Scene) -> End:
        """Its geometry on the graph."""
        raise NotImplementedError

    def check(self, values: Mapping[str, float]) -> None:
        """Raise `ModelError` for fields that do not go together."""

    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies that its fields refer to."""
        return tuple(
            body for word, kind in fields_of(type(self)).items()
            if (value := getattr(self, word)) is not None for body in kind.bodies(value)
        )  # fmt: skip

    def carried(self, carrier: Carrier) -> Station:
        """The same on the bodies that are left when bodies merge."""
        kinds = fields_of(type(self)).items()
        given = {word: kind for word, kind in kinds if getattr(self, word) is not None}
        return dataclasses.replace(
            self, **{w: k.carried(getattr(self, w), self, carrier) for w, k in given.items()}
        )

    def moving_names(self) -> Iterator[tuple[str, FieldKind, str]]:
        """Field, its kind and each name in its expressions."""
        for word, kind in fields_of(type(self)).items():
            value = getattr(self, word)
            if value is not None and not isinstance(value, Point):
                scalars = value if isinstance(value, tuple) else (value,)
                yield from ((word, kind, name) for name in symbols_of(*scalars))


def station(word: str) -> Callable[[type[Kind]], type[Kind]]:
    """Decorator: the class is the record of a kind of station, with a point of that name."""

    def made(kind: type[Kind]) -> type[Kind]:
        made = dataclass(frozen=True)(kind)
        made.word = word
        _KINDS[word] = made
        return made

    return made


@dataclass(frozen=True)
class Route(FieldKind):
    """A field of stations in order; a point alone stands for one where the cable is fastened or
    slides."""

    scope: Scope = FORCE

    def read(self, value: Any, word: str) -> tuple[Station, ...]:
        """Stations, points, names of bodies, or mappings as in model files."""
        if isinstance(value, str | Mapping | Point) or not hasattr(value, "__iter__"):
            raise ModelError(f"{word}: give a list of stations")
        stations = tuple(_read(entry, f"{word}[{k}]") for k, entry in enumerate(value))
        if len(stations) < 2:
            raise ModelError(f"{word} has {len(stations)} stations; a cable has two ends")
        for k, entry in enumerate(stations):
            inner = 0 < k < len(stations) - 1
            if not (entry.passes if inner else entry.fastens):
                says = "passes no" if inner else "does not end at a"
                raise ModelError(f"{word}[{k}]: a cable {says} {entry.word}")
        return stations

    def bodies(self, value: Any) -> tuple[str, ...]:
        """Those of all stations."""
        return tuple(body for entry in value for body in entry.bodies())

    def carried(self, value: Any, element: Any, carrier: Carrier) -> Any:
        """Every station carried."""
        return tuple(entry.carried(carrier) for entry in value)


def _read(value: Any, where: str) -> Station:
    try:
        if isinstance(value, Station):
            return value
        if isinstance(value, str | Point) or (isinstance(value, Mapping) and "body" in value):
            return _KINDS["at"](value)  # type: ignore[call-arg]
        if not isinstance(value, Mapping):
            raise ModelError(f"give a station, not {type(value).__name__}")
        words = [word for word in _KINDS if word in value]
        if len(words) != 1:
            raise ModelError(f"give the place of one of {', '.join(map(repr, _KINDS))}")
        kind = _KINDS[words[0]]
        for key in value:
            if key not in fields_of(kind):
                raise ModelError(f"unknown key {key!r}; {near_names(str(key), fields_of(kind))}")
        for entry in dataclasses.fields(kind):
            if entry.default is dataclasses.MISSING and entry.name not in value:
                raise ModelError(f"a {kind.word} needs {entry.name}")
        return kind(**value)
    except ModelError as error:
        raise error.within(where, None) from None


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
