r"""The way of a cable between two points over circles that it turns in space, found all at once.

A block in the middle of a cable swivels to where the cable is shortest, as a block without mass and
friction does; a span between two circles that share no plane touches each where it is normal to
the radius. With the swivels beta, the angles phi of the touching points and, of a span from p1 to
p2, the length that it has together with the wraps beside it,

    S = l + sense1 r1 phi1 - sense2 r2 phi2,     (p2 - p1).o1 = 0,     (p2 - p1).o2 = 0

all spans together are stationary for every swivel, along the conditions for phi:

    sum dS/dbeta = 0,    dS/dbeta = S_beta - S_phi R_phi^-1 R_beta

These equations R(x, y) = 0 are solved for x, told by sines and cosines, by steps of Newton's method
as those of `eomc.derive.system.unknowns`; the pivots of the swivels are above zero where the cable
is shortest, not longest. As the carriers move, told by y,

    dS = (S_y - S_x R_x^-1 R_y) dy

is a force and a moment on each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from eomc.derive.cables.end import Circle, End, LengthChange, PulleyCircle, SpanSide, Swivel
from eomc.derive.cables.tangent import Tangent, tangent
from eomc.derive.dynamics.elimination import eliminate
from eomc.derive.geometry import SpatialForce, Vector
from eomc.derive.graph import Expression, reverse_gradient, symbols
from eomc.derive.graph.columns import Columns, substituted, swept
from eomc.derive.scene.fixed_at import fixed_at
from eomc.derive.scene.loads import BodyPoint, Loads, Scene
from eomc.derive.tree.link import WORLD

__all__ = ["StationTurn", "between_points", "is_tied"]

#: Of Newton's method, before the two that are differentiated.
STEPS = 6
#: The last of these steps [rad]: the next is below rounding.
_SETTLED = 1e-6
#: Largest step [rad].
_FAR = 0.8


@dataclass(frozen=True)
class StationTurn:
    """A station on the graph: its end, the sense of the cable, and, of a block, from which
    neighbour it is found: +1 the next, -1 the one before."""

    end: End
    sense: int = 1
    follows: int = 1


@dataclass(frozen=True, eq=False)
class Wrenches(LengthChange):
    """A change at the rate sum of force . velocity + moment . angular velocity over carriers."""

    scene: Scene
    parts: tuple[tuple[BodyPoint, Vector, Vector], ...]

    @property
    def rate(self) -> Expression:
        """As the sum says."""
        total = self.scene.tree.zero
        for point, force, moment in self.parts:
            total = total + force.dot(point.velocity)
            if point.link != WORLD:
                turning = point.axes.to_parent(self.scene.twists[point.link].angular)
                total = total + moment.dot(turning)
        return total

    def reversed(self) -> Wrenches:
        """The same."""
        return self

    def pull(self, loads: Loads, tension: Expression) -> None:
        """Against the change."""
        for point, force, moment in self.parts:
            loads.add_force(point, force * -tension)
            local = point.axes.to_child(moment * -tension)
            loads.add_wrench(point.link, SpatialForce(linear=local * 0, angular=local))


def is_tied(turns: Sequence[StationTurn]) -> bool:
    """True if no closed form leads over the stations: a block between others, or beside a circle
    that is fixed on its carrier."""
    inner = any(isinstance(turn.end, Swivel) for turn in turns[1:-1])
    beside = any({type(a.end), type(b.end)} == {Swivel, Circle} for a, b in pairwise(turns))
    return inner or beside


@dataclass(frozen=True, eq=False)
class _Angle:
    """An unknown, by the symbols of its cosine and sine."""

    cos: Expression
    sin: Expression

    @property
    def seed(self) -> dict[int, int]:
        """Derivatives of its cosine and sine by the angle, for sweeps along it."""
        return {self.cos.node: (-self.sin).node, self.sin.node: self.cos.node}

    @property
    def value(self) -> Expression:
        """To be differentiated only."""
        return self.sin.binary("atan2", self.cos)


@dataclass(frozen=True, eq=False)
class _StationPlane:
    """The center of a station, and of a circle the directions in which it lies."""

    center: Vector
    a: Vector
    b: Vector
    radius: Expression | None

    def out(self, angle: _Angle) -> Vector:
        """The unit radius."""
        return self.a * angle.cos + self.b * angle.sin


@dataclass(frozen=True, eq=False)
class _StationSymbols:
    """A station by symbols of its place and of two directions on its carrier, and their values."""

    end: End
    place: Vector
    u: Vector
    v: Vector
    values: dict[int, int] = field(default_factory=dict)

    def plane(self, swivel: _Angle | None) -> _StationPlane:
        """That of a circle, or of a block after its turn."""
        radius = self.end.radius if isinstance(self.end, PulleyCircle) else None
        if swivel is None or not isinstance(self.end, Swivel):
            return _StationPlane(self.place, self.u, self.v, radius)
        n = self.u.cross(self.v)
        e_r = self.u * swivel.cos + self.v * swivel.sin
        center = self.place + e_r * self.end.offset + n * self.end.height
        return _StationPlane(center, e_r, n, radius)

    def wrench(self, gradient: dict[int, Expression]) -> tuple[BodyPoint, Vector, Vector]:
        """The carrier, and the force and moment on it that a gradient by the symbols makes."""
        force, by_u, by_v = (
            Vector(*(gradient[x.node] for x in vector)) for vector in (self.place, self.u, self.v)
        )
        u, v = (self._value(vector) for vector in (self.u, self.v))
        return self.end.carrier, force, u.cross(by_u) + v.cross(by_v)

    def _value(self, vector: Vector) -> Vector:
        return Vector(*(Expression(x.graph, self.values[x.node]) for x in vector))


def _directions(end: End) -> tuple[Vector, Vector]:
    """Two directions on the carrier, in the world: of a circle, or across the axis of a block."""
    if isinstance(end, Circle):
        return end.a, end.b
    if isinstance(end, Swivel):
        return end.across
    zero = end.scene.tree.zero_vector()
    return zero, zero


class _StationWay:
    """Everything of the stations by symbols; then their values."""

    def __init__(self, scene: Scene, turns: Sequence[StationTurn], code: str) -> None:
        self.scene, self.turns, self.code = scene, turns, code
        self.graph, count = scene.tree.graph, len(turns)
        self.one = scene.tree.zero + 1
        self._names = 0
        self.stations = [self._station(turn.end) for turn in turns]
        self.known = {k: v for station in self.stations for k, v in station.values.items()}
        self.swivels = [self._angle() if isinstance(t.end, Swivel) else None for t in turns]
        self.planes = [s.plane(b) for s, b in zip(self.stations, self.swivels, strict=True)]
        self.touching: dict[tuple[int, int], _Angle] = {}
        self.conditions: list[Expression] = []
        self.tangents: dict[tuple[int, int], Tangent] = {}
        self.spans = [self._span(k) for k in range(count - 1)]
        self._rest()
        self.values = self._solved()

    # -- what is to vanish -----------------------------------------------------------------------

    def _fresh(self, count: int) -> list[Expression]:
        self._names += 1
        return symbols(self.graph, f"way{self._names}", count)

    def _angle(self) -> _Angle:
        return _Angle(*self._fresh(2))

    def _station(self, end: End) -> _StationSymbols:
        u, v = _directions(end)
        values: dict[int, int] = {}
        found = []
        for vector in (end.carrier.position, u, v):
            free = self._fresh(3)
            values |= {x.node: value.node for x, value in zip(free, vector, strict=True)}
            found.append(Vector(*free))
        place, first, second = found
        return _StationSymbols(end, place, first, second, values)

    def _span(self, k: int) -> tuple[Expression, Expression]:
        """(length, S) of the span from station k."""
        first, second = self.planes[k : k + 2]
        senses = self.turns[k].sense, self.turns[k + 1].sense
        if first.radius is None or second.radius is None:
            place = k if second.radius is None else k + 1
            return self._to_point(place, 2 * k + 1 - place, -senses[0] if place == k else senses[1])
        phi = self._angle(), self._angle()
        self.touching[k, k + 1], self.touching[k + 1, k] = phi
        o1, o2 = first.out(phi[0]), second.out(phi[1])
        d = second.center + o2 * second.radius - first.center - o1 * first.radius
        length = d.norm()
        self.conditions += [d.dot(o1), d.dot(o2)]
        for place, other, side, angle in (
            (k, k + 1, -senses[0], phi[0]),
            (k + 1, k, senses[1], phi[1]),
        ):
            sine, cosine = angle.sin * side, -angle.cos * side
            self.tangents[place, other] = Tangent(length, sine, cosine, d.dot(d))
        stretch = length + senses[0] * first.radius * phi[0].value
        return length, stretch - senses[1] * second.radius * phi[1].value

    def _to_point(self, place: int, other: int, s: int) -> tuple[Expression, Expression]:
        plane, away = self.planes[place], self.planes[other].center - self.planes[place].center
        at, height = self._seen(plane, away, s)
        length = (at.length * at.length + height * height).sqrt()
        assert plane.radius is not None
        self.tangents[place, other] = at
        return length, length - s * plane.radius * at.sin.binary("atan2", at.cos)

    @staticmethod
    def _seen(plane: _StationPlane, away: Vector, s: int) -> tuple[Tangent, Expression]:
        """The tangent in the plane to a point, and the point's height over it."""
        assert plane.radius is not None
        at = tangent(plane.a.dot(away), plane.b.dot(away), s * plane.radius)
        return at, plane.a.cross(plane.b).dot(away)

    def _rest(self) -> None:
        """The conditions of the swivels, after those of the touching points."""
        own = list(self.conditions)
        self.unknowns = list(self.touching.values())
        for k, swivel in enumerate(self.swivels):
            if swivel is None:
                continue
            total = self.scene.tree.zero
            for j in (k - 1, k):
                if 0 <= j < len(self.spans):
                    total = total + self._slope(j, swivel, own)
            self.conditions.append(total)
            self.unknowns.append(swivel)

    def _slope(self, j: int, swivel: _Angle, own: Sequence[Expression]) -> Expression:
        """dS/dbeta of span j, its touching points going along."""
        s = self.spans[j][1]
        if (j, j + 1) not in self.touching:
            return swept(self.graph, [s], [swivel.seed])[0][0]
        place = list(self.touching).index((j, j + 1))
        phi = [self.touching[j, j + 1], self.touching[j + 1, j]]
        rows = [s, *own[place : place + 2]]
        along, first, second = swept(self.graph, rows, [x.seed for x in (swivel, *phi)])
        x = eliminate([[first[1], second[1]], [first[2], second[2]]]).solve(along[1:])
        return along[0] - first[0] * x[0] - second[0] * x[1]

    # -- its solution ----------------------------------------------------------------------------

    @property
    def names(self) -> list[Expression]:
        """Symbols of the unknowns: a cosine, a sine, and so on."""
        return [x for angle in self.unknowns for x in (angle.cos, angle.sin)]

    def at(self, values: Sequence[Expression], columns: Columns) -> Columns:
        """The columns with the unknowns' cosines and sines, and the carriers where they are."""
        found = {x.node: v.node for x, v in zip(self.names, values, strict=True)}
        return substituted(self.graph, columns, self.known | found)

    def _solved(self) -> list[Expression]:
        slopes = swept(self.graph, self.conditions, [x.seed for x in self.unknowns])

        def step(x: Sequence[Expression]) -> tuple[list[Expression], list[Expression]]:
            values, *columns = self.at(x, [self.conditions, *slopes])
            factors = eliminate([list(row) for row in zip(*columns, strict=True)])
            pivots = factors.pivots[len(self.touching) :]
            return [-entry for entry in factors.solve(values)], list(pivots)

        x = self._start()
        moves: list[Expression] = []
        for _ in range(STEPS):
            moves, _ = step(x)
            x = _turned(x, [d.binary("max", -_FAR).binary("min", _FAR) for d in moves])
        change = sum((d * d for d in moves), self.scene.tree.zero)
        settled = (_SETTLED**2 - change).required(self.code)
        x = [value.frozen_unless(settled) for value in x]
        for _ in range(2):
            moves, pivots = step(x)
            x = _turned(x, moves)
        for pivot in pivots:
            settled = pivot.required(self.code)
        # All that follows needs that nothing is longest.
        return [settled.if_less(0, 0, x[0]), *x[1:]]

    def _start(self) -> list[Expression]:
        """Blocks toward the neighbour that they follow, touching points as if toward centers."""
        found: dict[int, int] = dict(self.known)
        start: list[Expression] = []
        for k, swivel in enumerate(self.swivels):
            if swivel is None:
                continue
            end, station = self.turns[k].end, self.stations[k]
            other = k + self.turns[k].follows
            other = other if 0 <= other < len(self.turns) else k - self.turns[k].follows
            away = self.turns[other].end.carrier.position - end.carrier.position
            u, v = (station._value(x).dot(away) for x in (station.u, station.v))
            far = 1 / (u * u + v * v).required(self.code).sqrt()
            pair = [u * far, v * far]
            start += pair
            found |= {swivel.cos.node: pair[0].node, swivel.sin.node: pair[1].node}
        touching: list[Expression] = []
        for place, other in self.touching:
            s = -self.turns[place].sense if other > place else self.turns[place].sense
            plane = self.planes[place]
            seen, _ = self._seen(plane, self.planes[other].center - plane.center, s)
            touching += substituted(self.graph, [[-s * seen.sin, s * seen.cos]], found)[0]
        return touching + start

    # -- what it means ---------------------------------------------------------------------------

    def changes(self, of: Sequence[Expression]) -> list[Wrenches]:
        """Derivatives of expressions by the motion of the carriers, as wrenches on these."""
        slopes = swept(self.graph, [*of, *self.conditions], [x.seed for x in self.unknowns])
        slopes = self.at(self.values, slopes)
        rows = [column[len(of) :] for column in slopes]  # of the transposed matrix
        factors = eliminate(rows)
        return [
            self._change(number, factors.solve([column[i] for column in slopes]))
            for i, number in enumerate(of)
        ]

    def _change(self, number: Expression, weights: Sequence[Expression]) -> Wrenches:
        free = self._fresh(len(weights))
        for weight, condition in zip(free, self.conditions, strict=True):
            number = number - weight * condition
        inputs = list(self.known)
        gradient = [
            Expression(self.graph, x) for x in reverse_gradient(self.graph, number.node, inputs)
        ]
        held = {x.node: weight.node for x, weight in zip(free, weights, strict=True)}
        found = {x.node: v.node for x, v in zip(self.names, self.values, strict=True)}
        (gradient,) = substituted(self.graph, [gradient], self.known | found | held)
        by_symbol = dict(zip(inputs, gradient, strict=True))
        return Wrenches(self.scene, tuple(station.wrench(by_symbol) for station in self.stations))

    def tangent(self, place: int, other: int) -> Tangent:
        """As it is."""
        at = self.tangents[place, other]
        return Tangent(*self.at(self.values, [[at.length, at.cos, at.sin, at.square]])[0])

    def end(self, k: int) -> End:
        """The station; a block as the circle that it is now."""
        end = self.turns[k].end
        if not isinstance(end, Swivel):
            return end
        plane = self.planes[k]
        flat = [*plane.center, *plane.a, *plane.b]
        x = self.at(self.values, [flat])[0]
        center, a, b = (Vector(*x[i : i + 3]) for i in (0, 3, 6))
        return Circle(
            self.scene, fixed_at(self.scene, end.carrier, center), end.radius, a, b, a.cross(b)
        )


def _turned(x: Sequence[Expression], by: Sequence[Expression]) -> list[Expression]:
    """Cosines and sines after small turns."""
    found: list[Expression] = []
    for k, d in enumerate(by):
        c, s = x[2 * k : 2 * k + 2]
        c, s = c - s * d, s + c * d
        unit = 1 / (c * c + s * s).sqrt()
        found += [c * unit, s * unit]
    return found


@dataclass(frozen=True, eq=False)
class Found:
    """A span of the way: its length, direction and S, and how it looks from the circles."""

    length: Expression
    direction: Vector
    stretch: Wrenches
    leaving: SpanSide | None
    arriving: SpanSide | None
    square: Expression


def between_points(
    scene: Scene, turns: Sequence[StationTurn], code: str
) -> tuple[list[End], list[Found]]:
    """The stations, blocks as the circles that they are now, and the spans between them."""
    way = _StationWay(scene, turns, code)
    ends = [way.end(k) for k in range(len(turns))]
    stretches = way.changes([s for _, s in way.spans])
    swings = _swings(way, turns)
    return ends, [_found(way, ends, k, stretch, swings) for k, stretch in enumerate(stretches)]


def _swings(way: _StationWay, turns: Sequence[StationTurn]) -> dict[tuple[int, int], Wrenches]:
    """Of the directions at circles that are the ends of the cable."""
    last = len(turns) - 1
    ends = [pair for pair in ((0, 1), (last, last - 1)) if pair in way.tangents]
    angles = [way.tangents[pair].sin.binary("atan2", way.tangents[pair].cos) for pair in ends]
    return dict(zip(ends, way.changes(angles), strict=True)) if ends else {}


def _found(
    way: _StationWay,
    ends: Sequence[End],
    k: int,
    stretch: Wrenches,
    swings: dict[tuple[int, int], Wrenches],
) -> Found:
    (length,) = way.at(way.values, [[way.spans[k][0]]])[0]
    none = Wrenches(way.scene, ())
    sides: list[SpanSide | None] = []
    touched: list[Vector] = []
    for place, other, s in ((k, k + 1, -way.turns[k].sense), (k + 1, k, way.turns[k + 1].sense)):
        end = ends[place]
        if (place, other) not in way.tangents or not isinstance(end, Circle):
            sides.append(None)
            touched.append(end.carrier.position)
            continue
        at = way.tangent(place, other)
        e1, e2 = end.directions(at)
        touched.append(end.carrier.position + e2 * (s * end.radius))
        far = ends[other].carrier
        sides.append(SpanSide(length, e1, at, stretch, swings.get((place, other), none), far))
    direction = (touched[1] - touched[0]) * (1 / length)
    squares = [side.tangent.square for side in sides if side is not None]
    return Found(length, direction, stretch, sides[0], sides[1], squares[0])
