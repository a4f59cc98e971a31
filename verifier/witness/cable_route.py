"""The way of a cable over its stations, from the condition that a span touches its circles.

A span between p1 and p2 touches a circle with the center c at p = c + r o(phi) where it is normal
to the radius,

    (p2 - p1).o(phi) = 0,

on the side from which the cable turns with its sense. The angles phi are roots that SciPy finds; no
closed form of a tangent is used. Where the bodies are displaced along a complex direction, Newton's
steps in complex numbers follow, so that slopes of lengths are those of a complex step, exact to
rounding.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import root

from eomc.verifier.witness.mechanism import WitnessCableStation

Poses = Mapping[int, Any]
_TURN = 2 * math.pi
# Parts of the right angle by which a touching point is ahead of, or behind, the other end.
_STARTS = (1.0, 0.8, 0.5, 0.2, 1.2)
_CLOSE = 1e-9
# Sixth-order differences.
_SIDES, _WEIGHTS = (-3, -2, -1, 1, 2, 3), (-1 / 60, 3 / 20, -3 / 4, 3 / 4, -3 / 20, 1 / 60)
_TURNS, _STILL = 300, 1e-14


@dataclass(frozen=True)
class StationCircle:
    """Circle of a station: a center, and the plane a, b in which the cable turns about it."""

    center: Any
    a: Any
    b: Any
    radius: float
    sense: int

    def out(self, phi: Any) -> Any:
        """The unit radius."""
        return np.cos(phi) * self.a + np.sin(phi) * self.b

    def ahead(self, phi: Any) -> Any:
        """do/dphi"""
        return np.cos(phi) * self.b - np.sin(phi) * self.a

    def at(self, phi: Any) -> Any:
        """The point of the circle."""
        return self.center + self.radius * self.out(phi)


class CableRoute:
    """Spans, wraps and angles of a route with its bodies at `poses`, which may be complex.

    `near` is the way at the real poses beside them. Lengths are no numbers where there is none.
    """

    def __init__(
        self,
        stations: Sequence[WitnessCableStation],
        poses: Poses,
        near: CableRoute | None = None,
        swivels: Mapping[int, Any] | None = None,
        turned: Mapping[int, float] | None = None,
    ) -> None:
        self.stations = stations
        #: By the place of a station, the angle near which that of the cable is, if one is given.
        self.turned: Mapping[int, float] = turned or (near.turned if near else {})
        count = len(stations)
        self.leaves: list[Any] = [0.0] * count
        self.arrives: list[Any] = [0.0] * count
        self.spans: list[Any] = []
        #: By the place of a block that other circles or spans hold, its swivel.
        self.swivels = _swivels(stations, poses, near) if swivels is None else swivels
        #: By the place of the first, how far two circles are out of one plane: see `_apart`.
        self.apart: dict[int, float] = {}
        for k in range(count - 1):
            ends = _placed(stations, k, poses, self.swivels)
            blocks = [station.block for station in stations[k : k + 2]]
            if all(end.radius for end in ends) and not any(blocks):
                self.apart[k] = _apart(*ends)
            start = None if near is None else [near.leaves[k], near.arrives[k + 1]]
            angles = _touching(ends) if start is None else start
            for _ in range(3):
                angles = angles - _newton(ends, angles)
            if all(blocks) and k not in self.swivels:
                ends, angles = _in_turn(stations[k : k + 2], poses, ends, angles)
            self.leaves[k], self.arrives[k + 1] = angles
            self.spans.append(_between(ends, angles))

    @property
    def lengths(self) -> list[Any]:
        """Of the spans [m]."""
        return [np.sqrt(np.sum(span * span)) for span in self.spans]

    @property
    def wraps(self) -> list[Any]:
        """Angle by which the cable turns on each circle between its ends; 0 at points."""
        return [self._wrap(k) for k in range(1, len(self.stations) - 1)]

    def _wrap(self, k: int) -> Any:
        station = self.stations[k]
        if not station.radius:
            return 0.0
        angle = station.sense * (self.leaves[k] - self.arrives[k])
        if k in self.turned:
            return angle - _TURN * np.round((np.real(angle) - self.turned[k]) / _TURN)
        least = -math.pi / 4
        angle = angle - _TURN * np.floor((np.real(angle) - least) / _TURN)
        return angle + _TURN * station.turns

    @property
    def bends(self) -> list[Any]:
        """Angles over which friction acts: wraps, and at points the angle between the spans."""
        found = []
        for k, wrap in enumerate(self.wraps):
            before, after = self.spans[k : k + 2]
            cross = float(np.linalg.norm(np.cross(before, after)))
            is_point = not self.stations[k + 1].radius
            found.append(math.atan2(cross, float(before @ after)) if is_point else wrap)
        return found

    @property
    def length(self) -> Any:
        """L: spans and arcs [m]."""
        inner = zip(self.stations[1:-1], self.wraps, strict=True)
        return sum(self.lengths) + sum(station.radius * wrap for station, wrap in inner)

    @property
    def parts(self) -> list[Any]:
        """Lengths from station to station, on pulleys from the point at the angle 0 of the groove:
        with whole turns and an arc more or less, which do not change as the cable moves."""
        found = self.lengths
        for k in range(1, len(self.stations) - 1):
            station = self.stations[k]
            found[k - 1] = found[k - 1] - station.radius * station.sense * self.arrives[k]
            found[k] = found[k] + station.radius * station.sense * self.leaves[k]
        return found

    @property
    def windings(self) -> list[tuple[int, float, Any]]:
        """(station, s r, gamma) of each drum: s = -sense at the start of the route, +sense at its
        end; gamma is the angle from `zero` of the direction away from the drum."""
        found = []
        last = len(self.stations) - 1
        for k, phi, outward in ((0, self.leaves[0], -1), (last, self.arrives[last], 1)):
            station = self.stations[k]
            if station.turn is not None:
                gamma = phi - outward * station.sense * math.pi / 2
                middle = self.turned.get(k, 0.0)
                gamma = gamma - _TURN * np.round((np.real(gamma) - middle) / _TURN)
                found.append((k, outward * station.sense * station.radius, gamma))
        return found


def _held(stations: Sequence[WitnessCableStation]) -> list[int]:
    """Blocks in the middle, and those beside a circle in a fixed plane or such a block."""
    held = {k for k, station in enumerate(stations) if station.block}
    last = len(stations) - 1
    alone: set[int] = set()
    for k in held & {0, last}:
        other = 1 if k == 0 else last - 1
        if not stations[other].radius or (other in {0, last} and stations[other].block):
            alone.add(k)
    return sorted(held - alone)


def _swivels(
    stations: Sequence[WitnessCableStation], poses: Poses, near: CableRoute | None
) -> dict[int, Any]:
    """Swivel angles by which the lengths together have no slope, by station."""
    places = _held(stations)
    if not places:
        return {}
    count = len(places)

    def lengths(swivels: Any, at: Poses, shift: Any = 0.0) -> Any:
        """All parts, less what drums pay out."""
        turned = dict(zip(places, np.asarray(swivels) + shift, strict=True))
        way = CableRoute(stations, at, None, turned)
        return sum(way.parts) - sum(lever * gamma for _, lever, gamma in way.windings)

    real = {body: np.real(pose) for body, pose in poses.items()}

    def slopes(swivels: Any, at: Poses = real) -> Any:
        units = np.eye(count) * 1e-40j
        return np.array([np.imag(lengths(swivels, at, unit)) for unit in units]) / 1e-40

    h = 1e-3

    def curvature(x: Any) -> Any:
        units = h * np.eye(count)
        sides = zip(_SIDES, _WEIGHTS, strict=True)
        return sum(w * np.array([slopes(x + f * unit) for unit in units]) for f, w in sides) / h

    if near is None:
        found = root(slopes, [_toward(stations, k, real) for k in places])
        if np.abs(found.fun).max() > _CLOSE:
            return dict.fromkeys(places, math.nan)
        x = found.x
        for _ in range(2):
            x = x - np.linalg.solve(curvature(x), slopes(x))
        return dict(zip(places, x, strict=True))
    x = np.array([near.swivels[k] for k in places])
    along = {body: np.imag(pose) for body, pose in poses.items()}
    size = max(float(np.abs(rate).max()) for rate in along.values())
    if not size:
        return dict(near.swivels)
    moved = [
        {body: real[body] + f * h / size * rate for body, rate in along.items()} for f in _SIDES
    ]
    by_pose = sum(w * slopes(x, at) for w, at in zip(_WEIGHTS, moved, strict=True)) * size / h
    return dict(zip(places, x - 1j * np.linalg.solve(curvature(x), by_pose), strict=True))


def _toward(stations: Sequence[WitnessCableStation], k: int, poses: Poses) -> float:
    """The swivel that looks to the neighbour."""
    other = k + stations[k].follows
    other = other if 0 <= other < len(stations) else k - stations[k].follows
    here, away = _point(stations[k], poses), _point(stations[other], poses)
    rotation, n, zero = poses[stations[k].at.body][:3, :3], stations[k].axis, stations[k].zero
    assert n is not None and zero is not None
    u, v = (float((rotation @ x) @ (away - here)) for x in (zero, np.cross(n, zero)))
    return math.atan2(v, u)


def _placed(
    stations: Sequence[WitnessCableStation], k: int, poses: Poses, swivels: Mapping[int, Any]
) -> list[StationCircle]:
    """Both ends of a span; the plane of a drum in a block depends on the point at the other."""
    first, second = stations[k : k + 2]
    if swivels:
        return [
            _turned(stations[j], poses, swivels[j])
            if j in swivels
            else _round(
                stations[j],
                poses[stations[j].at.body][:3, :3],
                _point(stations[j], poses),
                _point(stations[i], poses),
            )
            for j, i in ((k, k + 1), (k + 1, k))
        ]
    points = [_point(s, poses) for s in (first, second)]
    pairs = zip((first, second), points, reversed(points), strict=True)
    return [_round(s, poses[s.at.body][:3, :3], here, other) for s, here, other in pairs]


def _round(station: WitnessCableStation, rotation: Any, here: Any, other: Any) -> StationCircle:
    if station.axis is None:
        return StationCircle(here, np.zeros(3), np.zeros(3), 0.0, 1)
    n = rotation @ station.axis
    if station.block is None:
        a = rotation @ station.zero
        return StationCircle(here, a, np.cross(n, a), station.radius, station.sense)
    offset, height = station.block
    out = other - here - n * (n @ (other - here))
    out = out / np.sqrt(np.sum(out * out))
    return StationCircle(here + offset * out + height * n, out, n, station.radius, station.sense)


def _turned(station: WitnessCableStation, poses: Poses, swivel: Any) -> StationCircle:
    """A block that looks in a direction."""
    rotation, (offset, height) = poses[station.at.body][:3, :3], station.block or (0.0, 0.0)
    n, zero = rotation @ station.axis, rotation @ station.zero
    out = np.cos(swivel) * zero + np.sin(swivel) * np.cross(n, zero)
    center = _point(station, poses) + offset * out + height * n
    return StationCircle(center, out, n, station.radius, station.sense)


def _in_turn(
    stations: Sequence[WitnessCableStation], poses: Poses, ends: list[StationCircle], angles: Any
) -> tuple[list[StationCircle], Any]:
    """Two blocks that follow one another: each turns to where the cable touches the other, again
    and again, until neither moves."""
    for _ in range(_TURNS):
        touched = [end.at(angle) for end, angle in zip(ends, angles, strict=True)]
        ends = [
            _round(s, poses[s.at.body][:3, :3], _point(s, poses), other)
            for s, other in zip(stations, reversed(touched), strict=True)
        ]
        step = _newton(ends, angles)
        angles = angles - step
        if np.abs(np.real(step)).max() < _STILL and np.abs(np.imag(step)).max() < _STILL * 1e-40:
            return ends, angles
    return ends, angles * np.nan


def _point(station: WitnessCableStation, poses: Poses) -> Any:
    pose = poses[station.at.body]
    return pose[:3, :3] @ station.at.xyz + pose[:3, 3]


def _apart(first: StationCircle, second: StationCircle) -> float:
    """Sine of the angle between two planes, or of that of the centers to the first: the larger."""
    (center, n), (other, m) = (
        (np.real(end.center), np.cross(np.real(end.a), np.real(end.b))) for end in (first, second)
    )
    away = other - center
    tilt = float(np.linalg.norm(np.cross(n, m)))
    return max(tilt, abs(float(n @ away)) / (float(np.linalg.norm(away)) or 1.0))


def _between(ends: Sequence[StationCircle], angles: Any) -> Any:
    return ends[1].at(angles[1]) - ends[0].at(angles[0])


def _newton(ends: Sequence[StationCircle], angles: Any) -> Any:
    """The step of both angles, that of a point zero."""
    span = _between(ends, angles)
    gaps, slopes = np.zeros(2, dtype=complex), np.eye(2, dtype=complex)
    for i, end in enumerate(ends):
        if not end.radius:
            continue
        out = end.out(angles[i])
        gaps[i] = span @ out
        for j, (other, sign) in enumerate(zip(ends, (-1, 1), strict=True)):
            slopes[i, j] = sign * other.radius * (other.ahead(angles[j]) @ out)
        slopes[i, i] += span @ end.ahead(angles[i])
    step = np.linalg.solve(slopes, gaps)
    return step if np.iscomplexobj(span) else step.real


def _touching(ends: Sequence[StationCircle]) -> Any:
    """The angles at real poses; not a number where no span touches both."""
    ends = [
        StationCircle(np.real(end.center), np.real(end.a), np.real(end.b), end.radius, end.sense)
        for end in ends
    ]
    away = ends[1].center - ends[0].center
    seen = [math.atan2(away @ e.b * s, away @ e.a * s) for e, s in zip(ends, (1, -1), strict=True)]
    behind = np.array([-ends[0].sense, ends[1].sense]) * (math.pi / 2)

    def gaps(angles: Any) -> Any:
        span = _between(ends, angles)
        return [span @ e.out(x) if e.radius else x for e, x in zip(ends, angles, strict=True)]

    size = float(np.linalg.norm(away)) + sum(end.radius for end in ends)
    for share in _STARTS:
        found = root(gaps, np.array(seen) + share * behind)
        angles = np.where([end.radius > 0 for end in ends], found.x, 0.0)
        span = _between(ends, angles)
        forward = [e.sense * (e.ahead(x) @ span) for e, x in zip(ends, angles, strict=True)]
        if np.abs(gaps(angles)).max() < _CLOSE * size and min(forward) >= 0:
            return angles
    return np.full(2, np.nan)
