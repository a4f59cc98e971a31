"""Stations of a cable's route: one record a kind, found by the word of its place.

A station is told by the word of its kind, which names the point where it stands::

    { pulley = { body = "jib", xyz = [8, 0, 0] }, axis = [0, 1, 0], radius = 0.2, sense = 1 }
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar, dataclass_transform

from eomc.derive.cables.end import End
from eomc.derive.elements import fields
from eomc.derive.elements.fields import FieldKind, fields_of
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, symbols_of
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene

if TYPE_CHECKING:
    from eomc.derive.elements.carrier import Carrier

__all__ = ["KINDS", "Station", "not_negative", "positive", "station"]

#: Every kind by its word.
KINDS: dict[str, type[Station]] = {}
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

    def size(self) -> Scalar | None:
        """The radius of what it turns about; None of a point."""
        return None

    def swivels(self) -> bool:
        """True if its plane follows the cable."""
        return False

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
        KINDS[word] = made
        return made

    return made


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
