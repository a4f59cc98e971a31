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

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from eomc.derive.cables.between_blocks import between_blocks
from eomc.derive.cables.between_points import StationTurn, between_points, is_tied
from eomc.derive.cables.end import (
    CarrierPair,
    Circle,
    End,
    LengthChange,
    PulleyCircle,
    SpanSide,
    Swivel,
)
from eomc.derive.cables.station import CableStation
from eomc.derive.cables.tangent import angle, wrap
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar
from eomc.derive.scene.loads import Scene


@dataclass(frozen=True, eq=False)
class CableSpan:
    """The straight part between two stations: its length and direction, the pair of its stretch
    together with the wraps beside it, and how it looks from the round ones of its ends."""

    length: Expression
    direction: Vector
    stretch: LengthChange
    leaving: SpanSide | None
    arriving: SpanSide | None
    square: Expression

    def required(self, code: str) -> None:
        """Fail with the code where it has no direction."""
        self.square.required(code)
        for side in (self.leaving, self.arriving):
            if side is not None and side.clear is not None:
                side.clear.required(code)


@dataclass(frozen=True, eq=False)
class Winding:
    """Share of a winch in the rest length: s r (gamma - theta), with s r, gamma and its pair, and
    the turn theta as it is declared; `first` if the route begins with it."""

    lever: Expression
    gamma: Expression
    swing: LengthChange
    turn: Scalar
    first: bool


def span(start: End, end: End, senses: tuple[int, int]) -> CableSpan:
    """The tangent from a station to the next; `senses` are those of the cable's turn there."""
    s1, s2 = (-sense for sense in senses)
    sides = None
    if isinstance(start, Circle) and isinstance(end, Circle):
        sides = start.between(end, s1, s2)
    elif isinstance(start, Swivel) and isinstance(end, Swivel):
        sides = between_blocks(start, end, s1, -s2)
    if sides is not None:
        leaving, arriving = sides
        stretch, square = leaving.stretch, leaving.tangent.square
        return CableSpan(leaving.length, leaving.direction, stretch, leaving, arriving, square)
    if isinstance(start, PulleyCircle):
        leaving = start.side(end.carrier, s1)
        stretch, square = leaving.stretch, leaving.tangent.square
        return CableSpan(leaving.length, leaving.direction, stretch, leaving, None, square)
    if isinstance(end, PulleyCircle):
        arriving = end.side(start.carrier, -s2)
        stretch, square = arriving.stretch.reversed(), arriving.tangent.square
        return CableSpan(arriving.length, -arriving.direction, stretch, None, arriving, square)
    d = end.carrier.position - start.carrier.position
    square = d.dot(d)
    length = square.sqrt()
    along = d * (1 / length)
    return CableSpan(
        length, along, CarrierPair(along, start.carrier, end.carrier), None, None, square
    )


class Path:
    """The spans, wraps and windings of the route of a cable in a scene.

    Where a span has no direction, as its ends meet or one is within the circle of the other,
    functions fail with the code ``no_tangent_of_<name>``.
    """

    def __init__(self, scene: Scene, name: str, route: Sequence[CableStation]) -> None:
        self.scene, self.route = scene, route
        self.code_name = re.sub("[^A-Za-z0-9_]", "_", name)
        turns = [StationTurn(s.end(scene), s.direction(), s.follows_next()) for s in route]
        self.ends: list[End] = [turns[0].end]
        self.spans: list[CableSpan] = []
        points = [k for k, turn in enumerate(turns) if not isinstance(turn.end, PulleyCircle)]
        bounds = sorted({0, *points, len(turns) - 1})
        for first, last in pairwise(bounds):
            ends, spans = self._between(turns[first : last + 1])
            self.ends += ends[1:]
            if first == 0:
                self.ends[0] = ends[0]
            self.spans += spans
        for part in self.spans:
            part.required(self._code)

    @property
    def _code(self) -> str:
        return f"no_tangent_of_{self.code_name}"

    def _between(self, turns: Sequence[StationTurn]) -> tuple[list[End], list[CableSpan]]:
        """The part of the way between points."""
        if is_tied(turns):
            ends, found = between_points(self.scene, turns, self._code)
            return ends, [
                CableSpan(s.length, s.direction, s.stretch, s.leaving, s.arriving, s.square)
                for s in found
            ]
        spans = [span(a.end, b.end, (a.sense, b.sense)) for a, b in pairwise(turns)]
        return [turn.end for turn in turns], spans

    @cached_property
    def wraps(self) -> list[Expression]:
        """Angle by which the cable turns at each station between the ends; 0 at points."""
        zero, angles = self.scene.tree.zero, []
        for k, station in enumerate(self.route[1:-1], 1):
            before, after = self.spans[k - 1].arriving, self.spans[k].leaving
            if before is None or after is None:
                angles.append(zero)
                continue
            near = self._near(station)
            if near is None:  # from -45 to 315 degrees, and whole turns
                near = zero + (2.356194490192345 + 6.283185307179586 * station.whole_turns())
            angles.append(wrap(before.tangent, after.tangent, station.direction(), near))
        return angles

    @cached_property
    def bends(self) -> list[Expression]:
        """The angles over which friction acts: wraps, and at points the angle between spans."""
        bends = []
        for k, bend in enumerate(self.wraps):
            if not isinstance(self.ends[k + 1], PulleyCircle):
                a, b = (self.spans[j].direction for j in (k, k + 1))
                bend = a.cross(b).norm().binary("atan2", a.dot(b))
            bends.append(bend)
        return bends

    @cached_property
    def windings(self) -> list[Winding]:
        """Those of the winches at the ends."""
        found = []
        ends = ((0, self.spans[0].leaving, -1), (-1, self.spans[-1].arriving, 1))
        for k, side, outward in ends:
            turn, end = self.route[k].wound(), self.ends[k]
            if turn is not None and side is not None and isinstance(end, PulleyCircle):
                lever = outward * self.route[k].direction() * end.radius
                gamma = angle(side.tangent.sin, side.tangent.cos, self._near(self.route[k]))
                found.append(Winding(lever, gamma, side.swing, turn, k == 0))
        return found

    def _near(self, station: CableStation) -> Expression | None:
        near = station.turned()
        return None if near is None else self.scene.scalar(near)

    @cached_property
    def length(self) -> Expression:
        """L: spans and wraps."""
        total = self.scene.tree.zero
        for part in self.spans:
            total = total + part.length
        for end, turned in zip(self.ends[1:-1], self.wraps, strict=True):
            if isinstance(end, PulleyCircle):
                total = total + end.radius * turned
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
