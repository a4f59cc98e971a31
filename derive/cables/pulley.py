"""A pulley over which a cable turns: its groove is a circle in a plane of its carrier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eomc.derive.cables.end import Circle, PulleyCircle, Swivel
from eomc.derive.cables.friction import over_bearing, over_edge
from eomc.derive.cables.station import CableStation, not_negative, positive
from eomc.derive.fields.field import (
    FieldKind,
    Number,
    OptionalDirection,
    OptionalNumber,
    choice,
    direction,
    number,
    of_kind,
    whole,
)
from eomc.derive.fields.scope import PLACE
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar, Vector3, is_zero
from eomc.derive.language.value import value_of
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene


class Sense(FieldKind):
    """+1 or -1."""

    def schema(self) -> dict[str, Any]:
        """One of the two."""
        return {"enum": [1, -1]}

    def read(self, value: Any, word: str) -> int:
        """The sign."""
        if isinstance(value, bool) or value not in (1, -1):
            raise ModelError(
                f"{word} is {value!r}; give 1 if the cable, followed along its route, turns about "
                "the axis by the right hand, else -1"
            )
        return int(value)


SENSE = Sense("1 if the cable turns about the axis by the right hand, else -1")


def circle(scene: Scene, at: Point, axis: Any, radius: Scalar, zero: Any = None) -> Circle:
    """A circle about a point of a body; angles count from `zero`, as far as it is in the plane."""
    n = unit_vector(axis, "axis")
    first, second = normal_directions(n)
    carrier = scene.point(at.body, at.xyz)
    _, rotation, _ = scene.tree.pose_of[at.body]

    def world(v: Vector) -> Vector:
        return carrier.axes.to_parent(rotation.to_parent(v))

    normal = scene.scalars.vector(n)
    a, b = scene.scalars.vector(first), scene.scalars.vector(second)
    if zero is not None:
        given = scene.scalars.vector(zero)
        flat = given - normal * normal.dot(given)
        a = flat * (1 / flat.norm())
        b = normal.cross(a)
    return Circle(scene, carrier, scene.scalars(radius), world(a), world(b), world(normal))


def block(
    scene: Scene, at: Point, swivel: Any, radius: Scalar, offset: Scalar, height: Scalar
) -> Swivel:
    """A circle in a block that swivels about an axis through a point of a body."""
    n = unit_vector(swivel, "swivel")
    carrier = scene.point(at.body, at.xyz)
    _, rotation, _ = scene.tree.pose_of[at.body]
    u, v, axis = (
        carrier.axes.to_parent(rotation.to_parent(scene.scalars.vector(given)))
        for given in (*normal_directions(n), n)
    )
    sizes = (scene.scalars(size) for size in (radius, offset, height))
    return Swivel(scene, carrier, next(sizes), axis, next(sizes), next(sizes), (u, v))


@kind("pulley")
class Pulley(CableStation):
    """A massless pulley that turns freely or in a `bearing`, or a fixed bolt with `friction`.

    It is in the plane across `axis`, or sits in a block without mass that swivels freely about
    `swivel`, through the point, to where the cable is shortest: the plane of the radial direction
    e_r and the swivel axis n, with the pulley's axis e_r x n. Such places are found from the
    direction to the neighbour that the block `follows`.

    The cable turns about `axis` by the angle that its neighbours leave, between -45 and 315
    degrees, and by `turns` more. Where a neighbour is carried round the pulley, `near` tells the
    angle to within half a turn, an expression in coordinates.
    """

    radius: Number = number("m")
    sense: int = of_kind(SENSE)
    axis: OptionalDirection = direction("of the pulley, in its body", of="at", default=None)
    turns: int = whole(meaning="turns beyond the one that shows", default=0)
    near: OptionalNumber = number(
        "rad", "angle that the cable's is never half a turn away from", scope=PLACE, default=None
    )
    friction: Number = number("", "coefficient, where the cable slides over it", default=0)
    bearing: Number = number(
        "", "coefficient of the bearing, times its radius over that of the pulley", default=0
    )
    swivel: OptionalDirection = direction("axis of the block, in its body", of="at", default=None)
    offset: Number = number("m", "of the center from the swivel axis", default=0)
    height: Number = number("m", "of the center along the swivel axis", default=0)
    follows: str = choice("next", "before", default="next")

    fastens = False

    def end(self, scene: Scene) -> PulleyCircle:
        """The groove, in its plane or in its block."""
        if self.swivel is None:
            return circle(scene, self.at, self.axis, self.radius)
        return block(scene, self.at, self.swivel, self.radius, self.offset, self.height)

    def normal(self) -> Vector3 | None:
        """Its axis."""
        return self.axis

    def turns_about(self) -> Vector3 | None:
        """That of its block."""
        return self.swivel

    def follows_next(self) -> int:
        """As it was given."""
        return 1 if self.follows == "next" else -1

    def size(self) -> Scalar:
        """Its radius."""
        return self.radius

    def direction(self) -> int:
        """Its sense."""
        return self.sense

    def whole_turns(self) -> int:
        """Those that were given."""
        return self.turns

    def turned(self) -> Scalar | None:
        """As it was given."""
        return self.near

    def rubs(self) -> bool:
        """In the groove or in the bearing."""
        return not (is_zero(self.friction) and is_zero(self.bearing))

    def gain(self, scene: Scene, bend: Expression, sliding: Expression) -> Expression:
        """Of a bolt, or of a pulley that turns."""
        if is_zero(self.bearing):
            return over_edge(scene.scalar(self.friction), bend, sliding)
        return over_bearing(scene.scalar(self.bearing) * sliding, bend)

    def check(self, values: Mapping[str, float]) -> None:
        """A radius, and friction that brakes."""
        positive(self.radius, "radius", values)
        if (self.axis is None) == (self.swivel is None):
            raise ModelError(
                "give the axis of a pulley in a fixed plane, or swivel, that of its block"
            )
        if self.swivel is None and not (is_zero(self.offset) and is_zero(self.height)):
            raise ModelError("offset and height are those of a block; give its swivel axis")
        if self.swivel is not None and self.rubs():
            raise ModelError(
                "a cable rubs on pulleys in fixed planes; in a block leave out friction and bearing"
            )
        not_negative(self.friction, "friction", values)
        if not 0 <= value_of(self.bearing, values) < 1:
            raise ModelError("bearing is outside of [0, 1): the pulley would not turn")
        if not (is_zero(self.friction) or is_zero(self.bearing)):
            raise ModelError("a cable slides, friction, or its pulley turns, bearing; give one")
        if self.turns and self.near is not None:
            raise ModelError("turns and near are both given; near counts turns by itself")
