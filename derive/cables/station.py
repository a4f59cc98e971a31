"""Stations of a cable's route: one record a kind, found by its word.

Files and calls give the kind, the point where it stands, and the other fields::

    { kind = "pulley", at = { body = "jib", xyz = [8, 0, 0] }, axis = [0, 1, 0], radius = 0.2,
      sense = 1 }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from eomc.derive.cables.end import End
from eomc.derive.fields.field import FieldKind, point, record
from eomc.derive.fields.part import Part, not_negative, positive
from eomc.derive.graph import Expression
from eomc.derive.language.registry import Registry
from eomc.derive.language.scalar import Scalar, Vector3, symbols_of
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene

__all__ = ["STATIONS", "CableStation", "not_negative", "positive"]

#: Every kind by its word.
STATIONS: Registry[type[CableStation]] = Registry("station", "eomc.derive.cables")


@record
class CableStation(Part):
    """A place on the route of a cable, at which it is fastened, slides, turns or is wound up."""

    kinds = STATIONS

    at: Any = point("where it stands")

    #: True if the cable may begin or end here.
    fastens: ClassVar[bool] = True
    #: True if the cable may pass.
    passes: ClassVar[bool] = True

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

    def moving_names(self) -> Iterator[tuple[str, FieldKind, str]]:
        """Field, its kind and each name in its expressions."""
        for word, kind, value in self.given():
            if not isinstance(value, Point):
                scalars = value if isinstance(value, tuple) else (value,)
                yield from ((word, kind, name) for name in symbols_of(*scalars))
