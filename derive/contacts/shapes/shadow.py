"""The distance of a point from an ellipse: what an oval seen along a line and the line are.

From y the points of the ellipse x^T A^-1 x = 1, A = B B^T, whose normals pass through y are

    x = A w,    w = (A + t)^-1 y,    |p| = 1 of p = B^T w,    y - x = t w

the nearest by the largest root t, the furthest by the least one. Newton's method for 1/|p| = 1,
that comes to these roots from |p| >= 1 and never passes them, begins where a term of p along an
axis of the ellipse is 1, or for a circle at the root. Between several nearest points nothing
settles: a return code. A thin ellipse is why B and det A are told apart: A has lost what is small.
References: Eberly, *Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid*; Conn,
Gould and Toint, *Trust-Region Methods*, sec. 7.3.3, for 1/|p|; Krantz and Parks, *The Implicit
Function Theorem*, sec. 3.3, for derivatives: those of the last two steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.graph import Expression

#: Settles 10^4 random places about ellipses of all kinds, before the two that are differentiated.
STEPS = 10
_SETTLED = 1e-6
_ROUND = 1e-15

Two = tuple[Expression, Expression]


@dataclass(frozen=True, eq=False)
class Shadow:
    """The place y [m], the columns of B^T [m], and det A [m^4]."""

    y: Two
    columns: Sequence[Two]
    area: Expression

    def root(self, far: bool, code: str) -> Expression:
        """t [m^2], or the code."""
        a, _, c = self._entries
        t, step, w = self._start(far), self.area, self.y
        for _ in range(STEPS):
            w, step = self._step(t)
            t = t + step
        settled = (a + c) * _SETTLED**2 - step * step * (w[0] * w[0] + w[1] * w[1])
        t = t.frozen_unless(settled.required(code))
        for _ in range(2):
            t = t + self._step(t)[1]
        return t

    def normal(self, t: Expression) -> Two:
        """w [1/m], out of the ellipse."""
        return self._by_inverse(t, self.y)

    @property
    def _entries(self) -> tuple[Expression, Expression, Expression]:
        """11, 12 and 22 of A."""
        zero = self.area * 0
        return (
            sum((x * x for x, _ in self.columns), zero),
            sum((x * y for x, y in self.columns), zero),
            sum((y * y for _, y in self.columns), zero),
        )

    def _by_inverse(self, t: Expression, y: Two) -> Two:
        """(A + t)^-1 y"""
        a, b, c = self._entries
        whole = 1 / (self.area + t * (a + c + t))
        return ((c + t) * y[0] - b * y[1]) * whole, ((a + t) * y[1] - b * y[0]) * whole

    def _along(self, w: Two) -> list[Expression]:
        """B^T w"""
        return [x * w[0] + y * w[1] for x, y in self.columns]

    def _step(self, t: Expression) -> tuple[Two, Expression]:
        """w, and what Newton's method adds to t."""
        w = self.normal(t)
        p, q = self._along(w), self._along(self._by_inverse(t, w))
        square = _dot(p, p)
        return w, square * (square.sqrt() - 1) / _dot(p, q)

    def _start(self, far: bool) -> Expression:
        """Start of Newton's method at which |p| >= 1, beyond the poles of p."""
        (a, b, c), (x, y) = self._entries, self.y
        middle, half, zero = (a + c) / 2, (a - c) / 2, self.area * 0
        apart = (half * half + b * b).sqrt()
        square, along = x * x + y * y, self._along(self.y)
        mean = _dot(along, along)
        share = (a * x + b * y) * (a * x + b * y) + (b * x + c * y) * (b * x + c * y)
        large = middle + apart
        # The place along the axes, by the projections (A - other)/(this - other).
        gap = (2 * apart).binary("max", middle * _ROUND)
        long = (mean - (middle - apart) * square) / gap
        short = (large * square - mean) / gap
        axes = (large, long), (self.area / large, short)
        ends = [(s * u.binary("max", zero).binary("min", square)).sqrt() for s, u in axes]
        if far:
            first, second = (-s - end for (s, _), end in zip(axes, ends, strict=True))
            return first.binary("min", second).binary("min", -mean.sqrt() - share / mean)
        first, second = (end - s for (s, _), end in zip(axes, ends, strict=True))
        return first.binary("max", second).binary("max", mean.sqrt() - share / mean)


def _dot(a: Sequence[Expression], b: Sequence[Expression]) -> Expression:
    first, *rest = (x * y for x, y in zip(a, b, strict=True))
    for term in rest:
        first = first + term
    return first
