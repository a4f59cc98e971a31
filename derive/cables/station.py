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
from eomc.derive.elements.fields import FieldKind, Fields
from eomc.derive.elements.part import not_negative, positive
from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar, Vector3, symbols_of
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene

if TYPE_CHECKING:
    from eomc.derive.elements.carrier import Carrier

__all__ = ["KINDS", "CableStation", "not_negative", "positive", "station"]

#: Every kind by its word.
KINDS: dict[str, type[CableStation]] = {}
Kind = TypeVar("Kind", bound="CableStation")


@dataclass_transform(
    frozen_default=True,
    field_specifiers=(fields.number, fields.direction, fields.point, fields.of_kind),
)
@dataclass(frozen=True)
class CableStation(Fields):
    """A place on the route of a cable, at which it is fastened, slides, turns or is wound up."""

    word: ClassVar[str]
    #: True if the cable may begin or end here.
    fastens: ClassVar[bool] = True
    #: True if the cable may pass.
    passes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.read_fields()

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

    def turned(self) -> Scalar | None:
        """An angle in coordinates that the one of the cable is never half a turn away from."""
        return None

    def rubs(self) -> bool:
        """True if friction acts on a cable that passes."""
        return False

    def gain(self, scene: Scene, bend: Expression, sliding: Expression) -> Expression:
        """Tension behind over that before, where the cable turns by the angle `bend`; `sliding`
        is from -1 to 1, positive where it is drawn towards what is before."""
        raise NotImplementedError

    def wound(self) -> Scalar | None:
        """The angle by which a winch has turned; None if nothing is wound up."""
        return None

    def size(self) -> Scalar | None:
        """The radius of what it turns about; None of a point."""
        return None

    def normal(self) -> Vector3 | None:
        """The axis of a circle that is fixed in its body; None of others."""
        return None

    def turns_about(self) -> Vector3 | None:
        """The axis about which a block swivels, in its body; None of others."""
        return None

    def swivels(self) -> bool:
        """True if its plane follows the cable."""
        return self.turns_about() is not None

    def follows_next(self) -> int:
        """Of a block between others, +1 if it turns to the next station, -1 to the one before."""
        return 1

    def end(self, scene: Scene) -> End:
        """Its geometry on the graph."""
        raise NotImplementedError

    def check(self, values: Mapping[str, float]) -> None:
        """Raise `ModelError` for fields that do not go together."""

    def transformed(self, carrier: Carrier) -> CableStation:
        """The same on the bodies that are left when bodies merge."""
        return dataclasses.replace(self, **self.transformed_fields(carrier))

    def moving_names(self) -> Iterator[tuple[str, FieldKind, str]]:
        """Field, its kind and each name in its expressions."""
        for word, kind, value in self.given():
            if not isinstance(value, Point):
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
