"""Surfaces that outlines touch, in numbers: gap, normal and point of contact by definition.

Every function takes a pose's surface in world axes and an outline. Where two convex bodies have no
closed form their common normal is the root of

    (c - o) + lowest point of the one along n - furthest point of the other along n = g n

by Newton's method with a Jacobian of complex steps, from the best of many directions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.contact_outline import BallOutline, OvalOutline, Site

if TYPE_CHECKING:
    from eomc.verifier.witness.numbers import WitnessLevel

_STEP = 1e-30
_MOST = 60
_LEAST, _SETTLED = 1e-3, 1e-10
"""Of a step, and of the place: beyond it one more step reaches rounding."""


@dataclass(frozen=True)
class ContactPoint:
    """Gap, its gradient by the shape's place, and the shape's point of contact."""

    gap: float
    normal: Array
    point: Array

    @property
    def has_no_normal(self) -> bool:
        """True where the distance is a number and has no direction: of a place in the middle of
        something round."""
        return bool(np.isfinite(self.gap) and not np.isfinite(self.normal).all())


@dataclass(frozen=True)
class PlacedSurface:
    """A surface in the world: a point of it, its axes as columns, its sizes."""

    origin: Array
    axes: Array
    sizes: Array
    inside: bool = False
    level: WitnessLevel | None = None
    algebraic: bool = False

    @property
    def axis(self) -> Array:
        """The last of its axes."""
        along: Array = self.axes[:, 2]
        return along


def _ball(site: BallOutline, distance: float, normal: Array) -> ContactPoint:
    return ContactPoint(distance - site.radius, normal, site.centre - site.radius * normal)


def _from(site: BallOutline, away: Array, radius: float, inside: bool = False) -> ContactPoint:
    """Of something round, `away` from its middle."""
    size = float(np.linalg.norm(away))
    if inside:
        return _ball(site, radius - size, -away / size)
    return _ball(site, size - radius, away / size)


def plane(surface: PlacedSurface, site: Site) -> ContactPoint:
    """n.(c - o) - h."""
    n = surface.axis
    height, arm = site.lowest(n)
    return ContactPoint(float(n @ (site.centre - surface.origin)) - height, n, site.centre + arm)


def sphere(surface: PlacedSurface, site: Site) -> ContactPoint:
    """|c - o| - R, or by the distance of o from an oval."""
    radius, centre = float(surface.sizes[0]), surface.origin
    if isinstance(site, BallOutline):
        return _from(site, site.centre - centre, radius, surface.inside)
    distance, n = site.distance(centre, far=surface.inside)
    point = centre - n * distance
    if surface.inside:
        return ContactPoint(radius - distance, n, point)
    return ContactPoint(distance - radius, -n, point)


def cylinder(surface: PlacedSurface, site: Site) -> ContactPoint:
    """rho - R, or by the distance of its axis from an oval."""
    e, radius = surface.axis, float(surface.sizes[0])
    if isinstance(site, BallOutline):
        away = site.centre - surface.origin
        if len(surface.sizes) > 1:
            return _solid(site, away, surface)
        return _from(site, away - e * (e @ away), radius, surface.inside)
    distance, n, arm = site.beside_line(surface.origin, e, far=surface.inside)
    if surface.inside:
        return ContactPoint(radius - distance, n, site.centre + arm)
    return ContactPoint(distance - radius, -n, site.centre + arm)


def _solid(site: BallOutline, away: Array, surface: PlacedSurface) -> ContactPoint:
    """From the nearest place of a cylinder with ends; from inside by the nearer of both."""
    e, (radius, half) = surface.axis, surface.sizes
    z = float(e @ away)
    across = away - e * z
    rho = float(np.linalg.norm(across))
    if rho > radius or abs(z) > half:
        nearest = across * min(1.0, radius / rho if rho > 0 else 1.0) + e * np.clip(z, -half, half)
        return _from(site, away - nearest, 0.0)
    if abs(z) - half > rho - radius:
        return _ball(site, abs(z) - half, e * np.copysign(1.0, z))
    return _ball(site, rho - radius, across / np.float64(rho))


def capsule(surface: PlacedSurface, site: Site) -> ContactPoint:
    """The distance from the nearest place of its segment."""
    e, (radius, half) = surface.axis, surface.sizes[:2]
    if isinstance(site, BallOutline):
        away = site.centre - surface.origin
        along = min(max(float(e @ away), -half), half)
        return _from(site, away - e * along, float(radius))
    _, _, arm = site.beside_line(surface.origin, e)
    along = min(max(float(e @ (site.centre + arm - surface.origin)), -half), half)
    place = surface.origin + e * along
    distance, n = site.distance(place)
    return ContactPoint(distance - float(radius), -n, place - n * distance)


def torus(surface: PlacedSurface, site: Site) -> ContactPoint:
    """The distance from the nearest place of its circle."""
    assert isinstance(site, BallOutline)
    e, (radius, tube) = surface.axis, surface.sizes[:2]
    away = site.centre - surface.origin
    across = away - e * (e @ away)
    return _from(site, away - across * (radius / np.linalg.norm(across)), float(tube))


def ellipsoid(surface: PlacedSurface, site: Site) -> ContactPoint:
    """By the nearest point of it, or on a common normal."""
    own = OvalOutline(surface.origin, surface.axes, surface.sizes)
    if isinstance(site, BallOutline):
        return _ball(site, *own.distance(site.centre))
    away = site.centre - surface.origin
    tried = _directions()
    gaps = [float(n @ away) - site.support(n)[0] - own.support(n)[0] for n in tried]

    def apart(x: Array) -> Array:
        # The furthest point of the shape against n is its centre less that along n.
        n, g = x[:3], x[3]
        r = away - site.support(n)[1] - own.support(n)[1]
        return np.array([*(r - g * n), n @ n - 1])

    best = int(np.argmax(gaps))
    n, g = np.split(newton(apart, np.array([*tried[best], gaps[best]])), [3])
    return ContactPoint(float(g[0]), n, site.centre - site.support(n)[1])


def face(surface: PlacedSurface, site: Site) -> ContactPoint:
    """Of a rectangle with edges."""
    origin, axes, n = surface.origin, surface.axes, surface.axis
    if isinstance(site, BallOutline):
        x, y, z = axes.T @ (site.centre - origin)
        over = np.array(
            [v - np.clip(v, -a, a) for v, a in zip((x, y), surface.sizes, strict=False)]
        )
        if not over.any():
            return _ball(site, float(z), n)
        return _from(site, axes @ np.array([*over, max(z, 0.0)]), 0.0)
    gap, arm = site.lowest(n)
    lowest = site.centre + arm
    found = [ContactPoint(float(n @ (site.centre - origin)) - gap, n, lowest)]
    for k in (0, 1):
        x, half = float(axes[:, k] @ (lowest - origin)), float(surface.sizes[k])
        if abs(x) > half:
            end = origin + axes[:, k] * np.copysign(half, x)
            found.append(_edge(site, end, axes[:, 1 - k], float(surface.sizes[1 - k])))
    return found[0] if len(found) == 1 else min(found[1:], key=lambda met: met.gap)


def _edge(site: OvalOutline, end: Array, e: Array, half: float) -> ContactPoint:
    """Of a segment about `end`: its line, or the corner before that."""
    gap, n, arm = site.beside_line(end, e)
    along = float(e @ (site.centre + arm - end))
    if abs(along) <= half:
        return ContactPoint(gap, -n, site.centre + arm)
    corner = end + e * np.copysign(half, along)
    distance, n = site.distance(corner)
    return ContactPoint(distance, -n, corner - n * distance)


def implicit(surface: PlacedSurface, site: Site) -> ContactPoint:
    """f/|grad f| at the centre, or the distance from the nearest zero of f."""
    level, axes, origin = surface.level, surface.axes, surface.origin
    assert level is not None
    place = axes.T @ (site.centre - origin)
    if isinstance(site, BallOutline) and surface.algebraic:
        f, slope, bend = level(place)
        steep = np.linalg.norm(slope)
        slopes = slope / steep - f / steep**3 * (bend @ slope)
        return _ball(site, float(f / steep), axes @ slopes)

    def rest(x: Array) -> Array:
        """c + lowest point along n - x = g n at f(x) = 0."""
        f, slope, _ = level(x[:3])
        n = slope / np.sqrt(slope @ slope)
        arm = 0.0 if isinstance(site, BallOutline) else axes.T @ site.lowest(axes @ n)[1]
        return np.array([*(place + arm - x[:3] - x[3] * n), f])

    f, slope, _ = level(place)
    n = slope / np.linalg.norm(slope)
    low = place if isinstance(site, BallOutline) else place + axes.T @ site.lowest(axes @ n)[1]
    f, slope, _ = level(low)
    start = np.array([*(low - slope * f / (slope @ slope)), f / np.linalg.norm(slope)])
    x = newton(rest, start)
    slope = level(x[:3])[1]
    normal = axes @ (slope / np.linalg.norm(slope))
    if isinstance(site, BallOutline):
        return _ball(site, float(x[3]), normal)
    return ContactPoint(float(x[3]), normal, site.centre + site.lowest(normal)[1])


SURFACES: dict[str, Callable[[PlacedSurface, Any], ContactPoint]] = {
    "plane": plane,
    "sphere": sphere,
    "cylinder": cylinder,
    "capsule": capsule,
    "torus": torus,
    "ellipsoid": ellipsoid,
    "face": face,
    "implicit": implicit,
}


def newton(f: Callable[[Array], Array], start: Array) -> Array:
    """A root of f, whose Jacobian is that of complex steps; NaN if none is found."""
    x: Array = np.asarray(start, dtype=float)
    units = 1j * _STEP * np.eye(len(x))
    for _ in range(_MOST):
        value = np.real(f(x))
        jacobian = np.array([f(x + unit).imag for unit in units]).T / _STEP
        try:
            step = np.linalg.solve(jacobian, value)
        except np.linalg.LinAlgError:
            break
        share, most = 1.0, max(1.0, float(np.abs(x).max()))
        while share > _LEAST and not _size(f(x - share * step)) <= _size(value):
            share /= 2
        # At the root itself rounding decides whether a step is one towards it.
        if float(np.abs(step).max()) <= _SETTLED * most:
            return np.asarray(x - step, dtype=float)
        x = x - share * step
    return np.full(len(x), np.nan)


def _size(value: Array) -> float:
    return float(np.abs(value).max())


def _directions() -> Array:
    """Unit vectors spread over the sphere, along a spiral of golden angles."""
    count = 400
    z = 1 - (2 * np.arange(count) + 1) / count
    angle = np.arange(count) * np.pi * (3 - np.sqrt(5))
    across = np.sqrt(1 - z * z)
    return np.array([across * np.cos(angle), across * np.sin(angle), z]).T
