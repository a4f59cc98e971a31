"""Residuals of constraints in numbers, each kind stated a second time on purpose.

With the points p of two bodies, rotations R and velocities v of material points, of a the first
and b the second side, all written in the axes of b's body:

    d = R_b^T (p_a - p_b),    e = R_b^T R_a e_a.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness import contact_reader
from eomc.verifier.witness.contact_surface import SURFACES
from eomc.verifier.witness.mechanism import MovingPose

Values = Iterator[tuple[str, float]]
Residuals = Callable[[Mapping[int, MovingPose], Mapping[str, float]], Values]


class _PointPair:
    """Points a and b of two bodies, placed and moving."""

    def __init__(self, reader: Any, element: Any) -> None:
        self.bodies = tuple(reader.places[side.body] for side in (element.a, element.b))
        self.points = tuple(reader.numbers.vector(side.xyz) for side in (element.a, element.b))

    def apart(self, motions: Mapping[int, MovingPose]) -> Array:
        """d"""
        a, b = (motions[body].x for body in self.bodies)
        away = a[:3, :3] @ self.points[0] + a[:3, 3] - (b[:3, :3] @ self.points[1] + b[:3, 3])
        found: Array = b[:3, :3].T @ away
        return found

    def turned(self, motions: Mapping[int, MovingPose], direction: Array) -> Array:
        """e"""
        a, b = (motions[body].rotation for body in self.bodies)
        found: Array = b.T @ (a @ direction)
        return found


def _velocity(motion: MovingPose, place: Array) -> Array:
    """Of the material point that is at a place of the world."""
    found: Array = motion.rate[:3, 3] + np.cross(motion.angular_velocity, place - motion.x[:3, 3])
    return found


def _coincident(reader: Any, element: Any) -> Residuals:
    pair = _PointPair(reader, element)
    return lambda motions, named: zip("xyz", map(float, pair.apart(motions)), strict=True)


def _point_location(reader: Any, element: Any) -> Residuals:
    pair, r = _PointPair(reader, element), [reader.numbers.law(x) for x in element.position]
    return lambda motions, named: (
        (label, float(d) - at(named))
        for label, d, at in zip("xyz", pair.apart(motions), r, strict=True)
    )


def _orientation(reader: Any, element: Any) -> Residuals:
    """Cayley's transform of R = C^T R_b^T R_a F: 2 (R - 1) (R + 1)^-1 is skew, of 2 tan(x/2) e."""
    bodies = [reader.places[name] for name in (element.a, element.b)]
    own = np.array([reader.numbers.vector(row) for row in element.frame_a.matrix])
    entries = [[reader.numbers.law(x) for x in row] for row in element.rotation.matrix]

    def found(motions: Mapping[int, MovingPose], named: Mapping[str, float]) -> Values:
        a, b = (motions[body].rotation for body in bodies)
        prescribed = np.array([[entry(named) for entry in row] for row in entries])
        turned, one = prescribed.T @ b.T @ a @ own, np.eye(3)
        skew = 2 * (turned - one) @ np.linalg.inv(turned + one)
        return zip("xyz", map(float, (skew[2, 1], skew[0, 2], skew[1, 0])), strict=True)

    return found


def _distance(reader: Any, element: Any) -> Residuals:
    pair, length = _PointPair(reader, element), reader.numbers.law(element.length)

    def found(motions: Mapping[int, MovingPose], named: Mapping[str, float]) -> Values:
        d, rod = pair.apart(motions), length(named)
        yield "distance", (float(d @ d) - rod**2) / (2 * rod)

    return found


def _on_line(reader: Any, element: Any) -> Residuals:
    pair, across = _PointPair(reader, element), contact_reader.across(reader, element.axis_b)
    return lambda motions, named: (
        (f"across_{k}", float(n @ pair.apart(motions))) for k, n in enumerate(across, 1)
    )


def _on_plane(reader: Any, element: Any) -> Residuals:
    pair, n = _PointPair(reader, element), reader.unit(element.axis_b)
    height = reader.numbers.law(element.offset)
    return lambda motions, named: iter([("height", float(n @ pair.apart(motions)) - height(named))])


def _on_surface(reader: Any, element: Any) -> Residuals:
    pair, f = _PointPair(reader, element), reader.numbers.law(element.expression)

    def found(motions: Mapping[int, MovingPose], named: Mapping[str, float]) -> Values:
        d = pair.apart(motions)
        yield "surface", f({**named, **dict(zip("xyz", map(float, d), strict=True))})

    return found


def _parallel(reader: Any, element: Any) -> Residuals:
    pair, across = _PointPair(reader, element), contact_reader.across(reader, element.axis_b)
    e = reader.unit(element.axis_a)
    return lambda motions, named: (
        (f"across_{k}", float(n @ pair.turned(motions, e))) for k, n in enumerate(across, 1)
    )


def _perpendicular(reader: Any, element: Any) -> Residuals:
    pair = _PointPair(reader, element)
    a, b = reader.unit(element.axis_a), reader.unit(element.axis_b)
    return lambda motions, named: iter([("along", float(b @ pair.turned(motions, a)))])


def _knife_edge(reader: Any, element: Any) -> Residuals:
    body, at = reader.places[element.a.body], reader.numbers.vector(element.a.xyz)
    across = reader.unit(element.axis_a)

    def found(motions: Mapping[int, MovingPose], named: Mapping[str, float]) -> Values:
        motion = motions[body]
        velocity = motion.rate[:3, :3] @ at + motion.rate[:3, 3]
        yield "slip", float(motion.rotation @ across @ velocity)

    return found


def _rolling(reader: Any, element: Any) -> Residuals:
    """The lowest point of a disc is c - R d/|d|, d = m - (m.n) n; of a sphere c - R m."""
    pair, radius = _PointPair(reader, element), reader.numbers.law(element.length)
    normal, across = reader.unit(element.axis_b), contact_reader.across(reader, element.axis_b)
    axis = None if element.axis_a is None else reader.unit(element.axis_a)

    def found(motions: Mapping[int, MovingPose], named: Mapping[str, float]) -> Values:
        wheel, ground = (motions[body] for body in pair.bodies)
        m, length, down = ground.rotation @ normal, radius(named), ground.rotation @ normal
        if axis is not None:
            n = wheel.rotation @ axis
            down = m - n * (m @ n)
            down = down / np.linalg.norm(down)
        yield "height", float(normal @ pair.apart(motions)) - length * float(m @ down)
        place = wheel.x[:3, :3] @ pair.points[0] + wheel.x[:3, 3] - length * down
        slip = _velocity(wheel, place) - _velocity(ground, place)
        for k, t in enumerate(across, 1):
            yield f"slip_{k}", float(ground.rotation @ t @ slip)

    return found


def _rolling_contact(reader: Any, element: Any) -> Residuals:
    """Gap and, of what rolls, slips: along a plane's directions, along and round a cylinder, or on
    a sphere."""
    shape, surface = element.shape, element.surface
    outline, placed = contact_reader.sites(reader, shape), contact_reader.surface(reader, surface)
    bodies = [reader.places[side.at.body] for side in (shape, surface)]
    fixed = contact_reader.directions(reader, surface)

    def found(motions: Mapping[int, MovingPose], named: Mapping[str, float]) -> Values:
        wheel, ground = (motions[body] for body in bodies)
        at, sites = placed(ground.x), outline(wheel.x)
        sites = [sites[element.site - 1]] if element.site else sites
        for k, site in enumerate(sites, 1):
            place = f"_{k}" if len(sites) > 1 else ""
            met = SURFACES[surface.word](at, site)
            yield f"gap{place}", met.gap
            if element.kind == "touching_contact":
                continue
            slip = _velocity(wheel, met.point) - _velocity(ground, met.point)
            along = [at.axis, np.cross(met.normal, at.axis)]
            if fixed is not None:
                along = [ground.rotation @ t for t in fixed]
            if surface.word == "sphere":  # east, and north; about x near the poles
                pole = ground.rotation[
                    :, 0 if (met.normal @ ground.rotation[:, 2]) ** 2 > 0.5 else 2
                ]
                north = pole - met.normal * (met.normal @ pole)
                north = north / np.linalg.norm(north)
                along = [np.cross(north, met.normal), north]
            for label, t in zip("12", along, strict=True):
                yield f"slip_{label}{place}", float(t @ slip)

    return found


def _law(label: str) -> Callable[[Any, Any], Residuals]:
    """An expression in coordinates, speeds and time; less than a coordinate, if it has one."""

    def made(reader: Any, element: Any) -> Residuals:
        value, first = reader.numbers.law(element.expression), getattr(element, "first", None)
        if first is None:
            return lambda motions, named: iter([(label, value(named))])
        return lambda motions, named: iter([(label, named[first] - value(named))])

    return made


def _coupling(reader: Any, element: Any) -> Residuals:
    ratio, offset = reader.numbers(element.ratio), reader.numbers.law(element.offset)
    return lambda motions, named: iter(
        [("coupling", named[element.first] - ratio * named[element.second] - offset(named))]
    )


_KINDS: dict[str, Callable[[Any, Any], Residuals]] = {
    "coincident": _coincident,
    "point_location": _point_location,
    "orientation": _orientation,
    "distance": _distance,
    "point_on_line": _on_line,
    "point_on_plane": _on_plane,
    "point_on_surface": _on_surface,
    "parallel": _parallel,
    "perpendicular": _perpendicular,
    "knife_edge": _knife_edge,
    "rolling": _rolling,
    "rolling_contact": _rolling_contact,
    "touching_contact": _rolling_contact,
    "expression": _law("expression"),
    "velocity": _law("velocity"),
    "coupling": _coupling,
    "driver": _law("driver"),
}


def residuals(reader: Any, element: Any) -> tuple[str, Residuals] | None:
    """Name of a constraint and its rows, if it is of a kind known here."""
    if element.kind not in _KINDS:
        return None
    if element.kind.endswith("_contact") and not contact_reader.is_known(element):
        return None
    return element.name, _KINDS[element.kind](reader, element)
