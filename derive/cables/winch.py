"""A winch, on which an end of a cable is wound: with its turn the cable gets longer or shorter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eomc.derive.cables.end import PulleyCircle
from eomc.derive.cables.pulley import SENSE, block, circle
from eomc.derive.cables.station import CableStation, positive
from eomc.derive.fields.field import (
    Number,
    OptionalDirection,
    OptionalNumber,
    direction,
    number,
    of_kind,
    point,
)
from eomc.derive.fields.scope import GIVEN, PLACE
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar, Vector3
from eomc.derive.scene.loads import Scene


@kind("winch")
class Winch(CableStation):
    """A drum on a carrier, turned by `turn`: a coordinate, or an expression in inputs and time.

    The drum is fixed in the plane across `axis`, or sits in a block that swivels about `swivel`
    so that its plane follows the cable: the plane of the radial direction e_r and the swivel axis
    n, with the drum's axis e_r x n. The angle of the cable's direction counts from `zero` (any
    direction across the axis; e_r in a block) and jumps half a turn away from `near`, which is 0
    or an expression in coordinates: for an anchor that is carried round the drum.
    """

    at: Any = point("center, or a point of the swivel axis")
    radius: Number = number("m")
    sense: int = of_kind(SENSE)
    turn: Number = number(
        "rad", "of the drum about the axis, from its carrier", scope=GIVEN, default=0
    )
    axis: OptionalDirection = direction("of the drum, in its body", of="at", default=None)
    zero: OptionalDirection = direction(
        "of the cable where its angle is zero", of="at", default=None
    )
    near: OptionalNumber = number(
        "rad", "angle that the cable's is never half a turn away from", scope=PLACE, default=None
    )
    swivel: OptionalDirection = direction("axis of the block, in its body", of="at", default=None)
    offset: Number = number("m", "of the center from the swivel axis", default=0)
    height: Number = number("m", "of the center along the swivel axis", default=0)

    passes = False

    def normal(self) -> Vector3 | None:
        """Its axis."""
        return self.axis

    def size(self) -> Scalar:
        """Its radius."""
        return self.radius

    def turns_about(self) -> Vector3 | None:
        """That of its block."""
        return self.swivel

    def direction(self) -> int:
        """Its sense."""
        return self.sense

    def wound(self) -> Scalar:
        """Its turn."""
        return self.turn

    def turned(self) -> Scalar | None:
        """As it was given."""
        return self.near

    def end(self, scene: Scene) -> PulleyCircle:
        """The drum, in its plane or in its block."""
        if self.swivel is None:
            return circle(scene, self.at, self.axis, self.radius, self.zero)
        return block(scene, self.at, self.swivel, self.radius, self.offset, self.height)

    def check(self, values: Mapping[str, float]) -> None:
        """A radius, and one of axis and swivel."""
        positive(self.radius, "radius", values)
        if (self.axis is None) == (self.swivel is None):
            raise ModelError(
                "give the axis of a drum in a fixed plane, or swivel, that of its block"
            )
        if self.swivel is not None and self.zero is not None:
            raise ModelError("angles in a block count from its radial direction; leave out zero")
