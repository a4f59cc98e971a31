"""Outlines of bodies that touch, in numbers: balls, ellipsoids and rings.

An ellipsoid with semi-axes a_i along its axes holds the points p with sum (p_i/a_i)^2 = 1. The
points of it whose normals pass through a place y, in its axes, are

    x_i = a_i^2 y_i/(t + a_i^2),    sum (a_i y_i/(t + a_i^2))^2 = 1,

the nearest at the largest root t, the furthest at the least one, between ends that SciPy is given.
Seen along a line it is an ellipse, found by a singular value decomposition, with the same roots. A
ring is a circle thick by a tube, which `flat` keeps apart from 0/0 as declared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import brentq

from eomc.binding.arrays import Array


@dataclass(frozen=True)
class BallOutline:
    """A ball about a place in the world."""

    centre: Array
    radius: float

    def lowest(self, n: Array) -> tuple[float, Array]:
        """h(u) at u = -n, and from the centre to the point that is lowest along n."""
        return self.radius, -self.radius * n


@dataclass(frozen=True)
class OvalOutline:
    """An ellipsoid of `sizes` along the columns of `axes`, thick by `tube`; with `flat` it is a
    ring about the last of them, of the radius that is its first size."""

    centre: Array
    axes: Array
    sizes: Array
    tube: float = 0.0
    flat: float | None = None

    def lowest(self, n: Array) -> tuple[Any, Array]:
        """As of a ball, for a vector n of any numbers."""
        if self.flat is None:
            along = self.sizes * (self.axes.T @ n)
            h = np.sqrt(along @ along)
            return h, -self.axes @ (self.sizes * along) / h
        e, radius = self.axes[:, 2], self.sizes[0]
        across = n - e * (e @ n)
        size = np.sqrt(across @ across + self.flat**2)
        return self.tube + radius * size, -self.tube * n - radius / size * across

    def support(self, n: Array) -> tuple[Any, Array]:
        """h(n), and the furthest point along a unit vector n, of what is thin by `flat`."""
        half = self._halves()
        along = half * (self.axes.T @ n)
        h = np.sqrt(along @ along)
        return self.tube + h, self.axes @ (half * along) / h + self.tube * n

    def distance(self, place: Array, *, far: bool = False) -> tuple[float, Array]:
        """From its nearest, or furthest, point to a place, and the unit vector along that."""
        away = place - self.centre
        if self.flat is None:
            y = self.axes.T @ away
            t = _root(self.sizes, y, far)
            w = y / (t + self.sizes**2)
            size = float(np.linalg.norm(w))
            return (-t if far else t) * size, self.axes @ w / size * (-1 if far else 1)
        e, radius = self.axes[:, 2], self.sizes[0]
        across = away - e * (e @ away)
        length = np.sqrt(across @ across + (radius * self.flat) ** 2)
        off = away + (radius if far else -radius) / length * across
        size = float(np.linalg.norm(off))
        return size + (self.tube if far else -self.tube), off / size

    def beside_line(
        self, place: Array, line: Array, *, far: bool = False
    ) -> tuple[float, Array, Array]:
        """Distance from a line through a place, the unit vector to it from the nearest, or
        furthest, point of what is seen along the line, and that point from the centre."""
        across = np.linalg.svd(line[None])[2][1:]
        seen = across @ self.axes * self._halves()
        u, sizes, _ = np.linalg.svd(seen)
        y = u.T @ across @ (place - self.centre)
        t = _root(sizes, y, far)
        w = across.T @ (u @ (y / (t + sizes**2)))
        size = float(np.linalg.norm(w))
        inner = self.axes @ (self._halves() ** 2 * (self.axes.T @ w))
        if far:
            return self.tube - t * size, -w / size, inner + w / size * self.tube
        sign = -1 if self.flat is not None and t < 0 else 1
        n = sign * w / size
        return sign * t * size - self.tube, n, inner + n * self.tube

    def _halves(self) -> Array:
        """Semi-axes; a ring is thin by `flat` of its radius, and wider by the square of that."""
        if self.flat is None:
            return self.sizes
        radius, delta = self.sizes[0], self.flat
        wide = radius * np.sqrt(1 + delta**2)
        return np.array([wide, wide, radius * delta])


Site: TypeAlias = BallOutline | OvalOutline


def _root(sizes: Array, y: Array, far: bool) -> float:
    """t of sum (a_i y_i/(t + a_i^2))^2 = 1: the least or the largest."""
    shares = np.abs(sizes * y)
    whole = float(np.linalg.norm(shares))

    def value(t: float) -> float:
        return float(np.linalg.norm(shares / (t + sizes**2))) - 1

    if far:
        ends = -whole - float((sizes**2).max()), float((-(sizes**2) - shares).min())
    else:
        ends = float((shares - sizes**2).max()), whole - float((sizes**2).min())
    low, high = (value(end) for end in ends)
    if not low * high < 0:
        near = ends[0] if abs(low) < abs(high) else ends[1]
        return near if np.isfinite(near) else float("nan")
    return float(brentq(value, *ends, xtol=1e-300, rtol=9e-16))


def boxed(centre: Array, axes: Array, halves: Array) -> list[BallOutline]:
    """Corners of a box as points, the first ones at + all sides."""
    signs = [(x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)]
    return [BallOutline(centre + axes @ (np.array(sign) * halves), 0.0) for sign in signs]
