"""Ends of the straight spans of a cable: points, and circles that it leaves along a tangent.

A span changes its length with the places of its two carriers only. What follows from that is a
`CarrierPair`: a unit of tension in the span is a force along a line, on one carrier and against it
on the other, and the same line gives the rate of the length. So virtual work needs no derivative of
the tangent points, which move along the cable.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.cables.tangent import Tangent, tangent
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.scene.fixed_at import fixed_at
from eomc.derive.scene.loads import BodyPoint, Loads, Scene


class LengthChange:
    """A quantity that changes as bodies move, and the forces of a tension that works on it."""

    @property
    def rate(self) -> Expression:
        """Its rate."""
        raise NotImplementedError

    def reversed(self) -> LengthChange:
        """The same, told from the other end."""
        raise NotImplementedError

    def pull(self, loads: Loads, tension: Expression) -> None:
        """Forces that do the work -tension times the change."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class CarrierPair(LengthChange):
    """A line through points of two carriers, all in world axes, along which a length changes at
    the rate along . (velocity of `end` - velocity of `start`)."""

    along: Vector
    start: BodyPoint
    end: BodyPoint

    @property
    def rate(self) -> Expression:
        """Rate of the length [m/s per unit of `along`]."""
        return self.along.dot(self.end.velocity - self.start.velocity)

    def reversed(self) -> CarrierPair:
        """The same length, told from the other end."""
        return CarrierPair(-self.along, self.end, self.start)

    def pull(self, loads: Loads, tension: Expression) -> None:
        """Forces that do the work -tension times the change of the length."""
        force = self.along * tension
        loads.add_force(self.start, force)
        loads.add_force(self.end, -force)


@dataclass(frozen=True, eq=False)
class SpanSide:
    """A span seen from a pulley: length, direction from it and that in the plane of the pulley, the
    pair of the length with what the pulley winds up, that of the direction's angle gamma, the point
    seen, and what is above zero beside the square of the tangent's length."""

    length: Expression
    direction: Vector
    tangent: Tangent
    stretch: LengthChange
    swing: LengthChange
    far: BodyPoint
    clear: Expression | None = None


@dataclass(frozen=True, eq=False)
class End:
    """A point of a body where a cable is fastened or slides."""

    scene: Scene
    carrier: BodyPoint


@dataclass(frozen=True, eq=False)
class PulleyCircle(End):
    """A circle of a radius, on a carrier, in a plane that knows where a point is."""

    radius: Expression

    def side(self, far: BodyPoint, s: int) -> SpanSide:
        """The span to a point; it leaves at center + s r e2."""
        raise NotImplementedError

    def plane(self, far: BodyPoint) -> tuple[Vector, Vector, Vector]:
        """Center and directions a, b of the circle in the world, the cable going to a point."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Circle(PulleyCircle):
    """A circle in a plane fixed on its carrier, about the carrier's point; a x b = n.

    A point at the height h over the plane is reached by l = sqrt(l_p^2 + h^2) with the tangent l_p
    in the plane: the cable leaves the groove at an angle, and the work is that of this length.
    """

    a: Vector
    b: Vector
    n: Vector

    def side(self, far: BodyPoint, s: int) -> SpanSide:
        """In the plane e1 and e2; across it h."""
        away = far.position - self.carrier.position
        sr = s * self.radius
        at = tangent(self.a.dot(away), self.b.dot(away), sr)
        e1, e2 = self.directions(at)
        h = self.n.dot(away)
        length, direction, stretch = at.length, e1, e1
        if not h.is_zero:
            length = (at.length * at.length + h * h).sqrt()
            direction = (e1 * at.length + self.n * h) * (1 / length)
            stretch = direction + e2 * (sr / length - sr / at.length)
        here = fixed_at(self.scene, self.carrier, far.position)
        swing = e2 * (1 / at.length)
        return SpanSide(
            length,
            direction,
            at,
            CarrierPair(stretch, here, far),
            CarrierPair(swing, here, far),
            far,
        )

    def plane(self, far: BodyPoint) -> tuple[Vector, Vector, Vector]:
        """The same for every point."""
        return self.carrier.position, self.a, self.b

    def directions(self, at: Tangent) -> tuple[Vector, Vector]:
        """e1 and e2 in the world."""
        return self.a * at.cos + self.b * at.sin, self.b * at.cos - self.a * at.sin

    def between(self, other: Circle, s1: int, s2: int) -> tuple[SpanSide, SpanSide]:
        """The span to another circle of the same plane, seen from both."""
        away = other.carrier.position - self.carrier.position
        k = s1 * self.radius - s2 * other.radius
        at = tangent(self.a.dot(away), self.b.dot(away), k)
        e1, e2 = self.directions(at)
        ends = [
            fixed_at(self.scene, c.carrier, c.carrier.position + e2 * (s * c.radius))
            for c, s in ((self, s1), (other, s2))
        ]
        stretch = CarrierPair(e1, ends[0], ends[1])
        back = Tangent(at.length, -e1.dot(other.a), -e1.dot(other.b), at.square)
        swing = e2 * (1 / at.length)
        # Lines along e2, on which each carrier's own turn takes gamma back.
        ahead = fixed_at(self.scene, self.carrier, self.carrier.position + e1 * at.length)
        behind = fixed_at(self.scene, other.carrier, other.carrier.position - e1 * at.length)
        return (
            SpanSide(
                at.length, e1, at, stretch, CarrierPair(swing, ahead, other.carrier), other.carrier
            ),
            SpanSide(
                at.length,
                -e1,
                back,
                stretch.reversed(),
                CarrierPair(swing, self.carrier, behind),
                self.carrier,
            ),
        )


@dataclass(frozen=True, eq=False)
class Swivel(PulleyCircle):
    """A pulley in a block that swivels about the axis n through the carrier's point, so that its
    plane follows the cable; its center is `offset` out from the axis and `height` along it.

    With w from the axis' point to the cable's, z = n.w, rho = |w - z n|, the plane is spanned by
    e_r = (w - z n)/rho and n, and has the pulley's center at (offset, height). `across` are two
    directions with the cross product n.
    """

    n: Vector
    offset: Expression
    height: Expression
    across: tuple[Vector, Vector]

    def side(self, far: BodyPoint, s: int) -> SpanSide:
        """In the plane of the block, which holds the point."""
        z, clear, rho, e_r = self._seen(far)
        at = tangent(rho - self.offset, z - self.height, s * self.radius)
        e1 = e_r * at.cos + self.n * at.sin
        e2 = self.n * at.cos - e_r * at.sin
        here = fixed_at(self.scene, self.carrier, far.position)
        swing = e2 * (1 / at.length)
        return SpanSide(
            at.length, e1, at, CarrierPair(e1, here, far), CarrierPair(swing, here, far), far, clear
        )

    def plane(self, far: BodyPoint) -> tuple[Vector, Vector, Vector]:
        """That of the block."""
        _, _, _, e_r = self._seen(far)
        return self.carrier.position + e_r * self.offset + self.n * self.height, e_r, self.n

    def radial(self, far: BodyPoint) -> Vector:
        """e_r, towards a point."""
        return self._seen(far)[3]

    def reach(self, position: Vector) -> Expression:
        """rho, the distance of a place from the axis."""
        return self._seen(fixed_at(self.scene, self.carrier, position))[2]

    def _seen(self, far: BodyPoint) -> tuple[Expression, Expression, Expression, Vector]:
        """z, rho^2, rho and e_r of a point."""
        w = far.position - self.carrier.position
        z = self.n.dot(w)
        out = w - self.n * z
        clear = out.dot(out)
        rho = clear.sqrt()
        return z, clear, rho, out * (1 / rho)
