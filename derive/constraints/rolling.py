"""Constraints of blades and wheels: the knife edge, rolling without slip.

A disc of radius R with the axis n touches the plane with the unit normal m at

    c - R d / abs(d),    d = m - (m.n) n,

a sphere at c - R m. Its material point there has no velocity along the plane; that the centre keeps
its height is a holonomic row. Reference: Neimark and Fufaev, *Dynamics of Nonholonomic Systems*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from eomc.derive.elements.constraint import Constraint, check_length
from eomc.derive.elements.element import Mechanism
from eomc.derive.elements.rows import Row
from eomc.derive.fields.field import (
    AtPoint,
    Direction,
    Number,
    OptionalDirection,
    direction,
    number,
    point,
)
from eomc.derive.fields.scope import TIMED
from eomc.derive.language.naming import WORLD
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.scene.loads import Scene
from eomc.derive.scene.pair import body_frames


@kind("knife_edge")
class KnifeEdge(Constraint):
    """A point does not move along a direction of its body: a blade, a skate, a wheel's hub."""

    a: AtPoint = point("of the blade")
    axis_a: Direction = direction("across the blade", of="a")

    def rows(self, scene: Scene) -> Iterator[Row]:
        """The point a does not move along axis_a, a direction of its body."""
        across = scene.scalars.vector(unit_vector(self.axis_a, "axis_a"))
        _, blade = body_frames(scene, (WORLD, self.a.body))
        velocity = blade.velocity(scene.scalars.vector(self.a.xyz))
        slip = across.dot(blade.axes.to_child(velocity))
        yield Row(self.name, "slip", slip, holonomic=False)


@kind("rolling")
class Rolling(Constraint):
    """A disc (`axis_a` given) or a sphere of radius `length` rolls on a plane without slip.

    `axis_b` is the normal that points from the plane to the side of the wheel: the centre stands
    on that side, and a state is assembled so that it does. The sign of `axis_a` is of no matter.
    """

    a: AtPoint = point("centre of the wheel")
    b: AtPoint = point("of the plane")
    axis_b: Direction = direction("normal of the plane, towards the wheel, in b's body", of="b")
    length: Number = number("m", "radius", scope=TIMED)
    axis_a: OptionalDirection = direction("of the disc, in a's body", of="a", default=None)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """The radius is positive."""
        check_length(self.length, values)

    def rows(self, scene: Scene) -> Iterator[Row]:
        """Height of the centre over the plane, and both slips."""
        wheel, ground = body_frames(scene, (self.a.body, self.b.body))
        m_local = unit_vector(self.axis_b, "axis_b")
        m = ground.direction(scene.scalars.vector(m_local))
        radius = scene.scalar(self.length)
        centre = scene.scalars.vector(self.a.xyz)
        foot = scene.scalars.vector(self.b.xyz)
        down = m
        if self.axis_a is not None:
            n = wheel.direction(scene.scalars.vector(unit_vector(self.axis_a, "axis_a")))
            upright = m - n * m.dot(n)
            down = upright * (1 / upright.dot(upright).sqrt())
        height = m.dot(wheel.point(centre) - ground.point(foot)) - radius * m.dot(down)
        yield Row(self.name, "height", height)
        contact = wheel.point(centre) - down * radius
        slip = wheel.velocity_at(contact) - ground.velocity_at(contact)
        for label, t in zip(("1", "2"), normal_directions(m_local), strict=True):
            along = ground.direction(scene.scalars.vector(t))
            yield Row(self.name, f"slip_{label}", along.dot(slip), holonomic=False)
