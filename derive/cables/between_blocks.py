"""The straight part of a cable between two pulleys in blocks that swivel, each about its own axis.

The cable is on the line in which the planes of both blocks meet, and touches both circles. With the
second block at the radial direction e_r and slope gamma, its touching point and directions are

    p = o + rho e_r + (height + s r cos gamma) n        rho = offset - s r sin gamma
    e1 = e_r cos gamma + n sin gamma,  e2 = n cos gamma - e_r sin gamma,  t = n x e_r

From p the first block knows its own tangent in closed form, with the direction e. What is left are
two equations, e.t = 0 and e.e2 = 0, for the swivel beta and the slope gamma; they are solved by a
bounded number of Newton's steps, without angles. Where these do not come close enough, functions
fail with the code of a tangent that does not exist.

Where the bodies move with V, the velocity of the second against the first where p is, and w, their
relative angular velocity, both ends agree in p and in the direction -e1 = e (first end: index 1):

    (rho_p1 beta1', l gamma1') = (t1, e2_1).(V + beta' rho t)
    (cos gamma1 beta1', gamma1') = -(t1, e2_1).(cos gamma beta' t + gamma' e2 + w x e1)

which are linear in the rates; rho_p1 is the distance of p from the first axis.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.cables.end import CarrierPair, SpanSide, Swivel
from eomc.derive.cables.tangent import Tangent
from eomc.derive.geometry import SpatialForce, Vector
from eomc.derive.graph import Expression
from eomc.derive.scene.fixed_at import fixed_at
from eomc.derive.scene.loads import BodyPoint, Loads
from eomc.derive.tree.link import WORLD

__all__ = ["between_blocks"]

#: From the slopes toward the other block's axis; then residuals are at most _CLOSE, and one step
#: more takes them to rounding.
STEPS = 6
_CLOSE = 1e-4


@dataclass(frozen=True, eq=False)
class RateScrew(CarrierPair):
    """A quantity that changes at the rate along . (velocity of `end` - that of `start`) + moment .
    (angular velocity of the body of `end` - that of `start`)."""

    moment: Vector
    turning: Vector

    @property
    def rate(self) -> Expression:
        """Rate of what it is of."""
        return super().rate + self.moment.dot(self.turning)

    def pull(self, loads: Loads, tension: Expression) -> None:
        """Forces and moments that do the work -tension times the change."""
        super().pull(loads, tension)
        for point, sign in ((self.start, 1), (self.end, -1)):
            moment = point.axes.to_child(self.moment * (sign * tension))
            loads.add_wrench(point.link, SpatialForce(linear=moment * 0, angular=moment))


@dataclass(frozen=True, eq=False)
class _SecondBlock:
    """The second block at e_r and gamma, the first as it sees the touching point there."""

    block: Swivel
    s: int
    e_r: Vector
    cos: Expression
    sin: Expression
    first: Swivel
    s_first: int

    @property
    def rho(self) -> Expression:
        """Distance of the touching point from the axis of its block."""
        return self.block.offset - self.sin * (self.block.radius * self.s)

    @property
    def position(self) -> Vector:
        """The touching point."""
        along = self.block.height + self.cos * (self.block.radius * self.s)
        return self.block.carrier.position + self.e_r * self.rho + self.block.n * along

    @property
    def e1(self) -> Vector:
        """From the second block to the first."""
        return self.e_r * self.cos + self.block.n * self.sin

    @property
    def e2(self) -> Vector:
        """A quarter turn ahead of it."""
        return self.block.n * self.cos - self.e_r * self.sin

    @property
    def t(self) -> Vector:
        """To where a swivel turns e_r."""
        return self.block.n.cross(self.e_r)

    def sight(self, far: BodyPoint) -> tuple[SpanSide, Vector, Vector]:
        """The first end's side, with its t and e2."""
        side = self.first.side(far, self.s_first)
        e_r = self.first.radial(far)
        e2 = self.first.n * side.tangent.cos - e_r * side.tangent.sin
        return side, self.first.n.cross(e_r), e2

    def gaps(self, side: SpanSide) -> tuple[Expression, Expression]:
        """e.t and e.e2"""
        return side.direction.dot(self.t), side.direction.dot(self.e2)

    def improved(self) -> tuple[_SecondBlock, Expression]:
        """After a step of Newton's method, and the square of the gaps before it."""
        side, t1, e2_1 = self.sight(_at(self.block, self.position))
        e, t, e2 = side.direction, self.t, self.e2
        by_swivel, by_slope = t * self.rho, self.e1 * (-self.block.radius * self.s)
        turned = [
            t1 * (side.tangent.cos * t1.dot(moved) / self.first.reach(self.position))
            + e2_1 * (e2_1.dot(moved) / side.length)
            for moved in (by_swivel, by_slope)
        ]
        x, y = self.gaps(side)
        a, b = turned[0].dot(t) - e.dot(self.e_r), turned[1].dot(t)
        c, d = turned[0].dot(e2) - self.sin * x, turned[1].dot(e2) - e.dot(self.e1)
        det = a * d - b * c
        swivel, slope = (b * y - d * x) / det, (c * x - a * y) / det
        e_r, cos, sin = (
            self.e_r + t * swivel,
            self.cos - self.sin * slope,
            self.sin + self.cos * slope,
        )
        far, turn = 1 / e_r.norm(), 1 / (cos * cos + sin * sin).sqrt()
        better = _SecondBlock(
            self.block, self.s, e_r * far, cos * turn, sin * turn, self.first, self.s_first
        )
        return better, x * x + y * y


def between_blocks(first: Swivel, second: Swivel, s1: int, s2: int) -> tuple[SpanSide, SpanSide]:
    """The span seen from both; `s1` and `s2` as each sees the other."""
    start = second.side(first.carrier, s2).tangent
    found = _SecondBlock(second, s2, second.radial(first.carrier), start.cos, start.sin, first, s1)
    for _ in range(STEPS):
        found, gap = found.improved()
    settled = (_CLOSE * _CLOSE - gap).binary("min", second.reach(_touched(found)))
    zero = settled * 0
    # All that follows depends on it.
    cos = settled.if_less(zero, zero, found.cos)
    found = _SecondBlock(second, s2, found.e_r, cos, found.sin, first, s1)
    return _sides(found, settled)


def _touched(found: _SecondBlock) -> Vector:
    """The point at which the cable leaves the first block."""
    side, _, _ = found.sight(_at(found.block, found.position))
    return found.position - side.direction * side.length


def _sides(found: _SecondBlock, settled: Expression) -> tuple[SpanSide, SpanSide]:
    first, second = found.first, found.block
    far = _at(second, found.position)
    side, t1, e2_1 = found.sight(far)
    here = fixed_at(first.scene, first.carrier, far.position)
    w = _angular_velocity(second) - _angular_velocity(first)

    def screw(along: Vector, moment: Vector) -> RateScrew:
        return RateScrew(along, here, far, moment, w)

    # The equations above for beta' and gamma', right sides as parts of V and of w.
    lean = side.tangent.cos / first.reach(far.position)
    a, b = found.t.dot(t1), found.t.dot(e2_1)
    c, d = found.e2.dot(t1), found.e2.dot(e2_1)
    over, beside = found.rho * lean + found.cos, found.rho / side.length + found.cos
    det = a * d * over - b * c * beside
    of_v = t1 * (-lean), e2_1 * (-1 / side.length)
    of_w = t1.cross(found.e1), e2_1.cross(found.e1)
    swivel = [(x * d - y * c) * (1 / det) for x, y in (of_v, of_w)]
    slope = [(y * (a * over) - x * (b * beside)) * (1 / det) for x, y in (of_v, of_w)]
    share = found.rho * b / side.length
    first_swing = screw(e2_1 * (1 / side.length) + swivel[0] * share, swivel[1] * share)
    stretch = CarrierPair(side.direction, here, far)
    leaving = SpanSide(
        side.length, side.direction, side.tangent, stretch, first_swing, far, side.clear
    )
    back = Tangent(side.length, found.cos, found.sin, side.tangent.square)
    touched = _at(first, far.position - side.direction * side.length)
    return leaving, SpanSide(
        side.length, -side.direction, back, stretch.reversed(), screw(*slope), touched, settled
    )


def _at(block: Swivel, position: Vector) -> BodyPoint:
    return fixed_at(block.scene, block.carrier, position)


def _angular_velocity(block: Swivel) -> Vector:
    """Of the carrier, in the world."""
    if block.carrier.link == WORLD:
        return block.scene.tree.zero_vector()
    return block.carrier.axes.to_parent(block.scene.twists[block.carrier.link].angular)
