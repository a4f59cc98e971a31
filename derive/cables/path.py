"""The way of a cable over its stations: lengths, wraps, and what a tension does along it.

The cable off its winches has the length

    L = sum of spans + sum of r wrap over the pulleys between

and, from what the winches have paid out, the rest length

    L0 = length + sum of s r (gamma - theta)

with gamma the angle at which the cable leaves a winch, theta the turn of its drum, s = -1 where the
route begins with a drum that it leaves by the right hand, and +1 where it ends on one. The strain
is eps = L/L0 - 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from eomc.derive.cables.end import Circle, End, Pair, Round, Side
from eomc.derive.cables.station import Station
from eomc.derive.cables.tangent import wrap
from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar
from eomc.derive.scene.loads import Scene


@dataclass(frozen=True, eq=False)
class Span:
    """The straight part between two stations: its length, the pair of its stretch together with
    the wraps beside it, and how it looks from the round ones of its ends."""

    length: Expression
    stretch: Pair
    leaving: Side | None
    arriving: Side | None


@dataclass(frozen=True, eq=False)
class Winding:
    """What a winch adds to the rest length: s r (gamma - theta), with s r, gamma and its pair, and
    the turn theta as it is declared; `first` if the route begins with it."""

    lever: Expression
    gamma: Expression
    swing: Pair
    turn: Scalar
    first: bool


def span(start: End, end: End, senses: tuple[int, int]) -> Span:
    """The tangent from a station to the next; `senses` are those of the cable's turn there."""
    s1, s2 = (-sense for sense in senses)
    if isinstance(start, Circle) and isinstance(end, Circle):
        leaving, arriving = start.between(end, s1, s2)
        return Span(leaving.length, leaving.stretch, leaving, arriving)
    if isinstance(start, Round):
        leaving = start.side(end.carrier, s1)
        return Span(leaving.length, leaving.stretch, leaving, None)
    if isinstance(end, Round):
        arriving = end.side(start.carrier, -s2)
        return Span(arriving.length, arriving.stretch.reversed(), None, arriving)
    d = end.carrier.position - start.carrier.position
    length = d.norm()
    return Span(length, Pair(d * (1 / length), start.carrier, end.carrier), None, None)


class Path:
    """The spans, wraps and windings of a route in a scene."""

    def __init__(self, scene: Scene, route: Sequence[Station]) -> None:
        self.scene, self.route = scene, route
        ends = [station.end(scene) for station in route]
        self.ends = ends
        senses = [station.direction() for station in route]
        self.spans = [
            span(ends[k], ends[k + 1], (senses[k], senses[k + 1])) for k in range(len(route) - 1)
        ]

    @cached_property
    def wraps(self) -> list[Expression]:
        """Angle by which the cable turns at each station between the ends; 0 at points."""
        zero, angles = self.scene.tree.zero, []
        for k, station in enumerate(self.route[1:-1], 1):
            before, after = self.spans[k - 1].arriving, self.spans[k].leaving
            if before is None or after is None:
                angles.append(zero)
                continue
            turned = wrap(before.tangent, after.tangent, station.direction())
            angles.append(turned + 6.283185307179586 * station.whole_turns())
        return angles

    @cached_property
    def bends(self) -> list[Expression]:
        """The angles over which friction acts: wraps, and at points the angle between spans."""
        bends = []
        for k, angle in enumerate(self.wraps):
            if not isinstance(self.ends[k + 1], Round):
                a, b = (self.spans[j].stretch.along for j in (k, k + 1))
                angle = a.cross(b).norm().binary("atan2", a.dot(b))
            bends.append(angle)
        return bends

    @cached_property
    def windings(self) -> list[Winding]:
        """Those of the winches at the ends."""
        found = []
        ends = ((0, self.spans[0].leaving, -1), (-1, self.spans[-1].arriving, 1))
        for k, side, outward in ends:
            turn, end = self.route[k].wound(), self.ends[k]
            if turn is not None and side is not None and isinstance(end, Round):
                lever = outward * self.route[k].direction() * end.radius
                gamma = side.tangent.sin.binary("atan2", side.tangent.cos)
                found.append(Winding(lever, gamma, side.swing, turn, k == 0))
        return found

    @cached_property
    def length(self) -> Expression:
        """L: spans and wraps."""
        total = self.scene.tree.zero
        for part in self.spans:
            total = total + part.length
        for end, angle in zip(self.ends[1:-1], self.wraps, strict=True):
            if isinstance(end, Round):
                total = total + end.radius * angle
        return total

    @cached_property
    def rate(self) -> Expression:
        """L': the stretches, and what the directions at the winches leave of them."""
        total = self.scene.tree.zero
        for part in self.spans:
            total = total + part.stretch.rate
        for winding in self.windings:
            total = total + winding.lever * winding.swing.rate
        return total
