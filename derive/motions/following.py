"""Motions that follow coordinates of another link: the place of an attachment on a deformed body.

The displacement and the turns of an attachment are functions of the body's internal coordinates
(and of a station that may be a coordinate itself). Each is one massless link whose coordinates are
those of the body, so that the wrench it carries reaches them through its subspace, and whose
subspace depends on them: S = dp/dxi, S' u = xi'^T (d2p/dxi2) xi'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

import sympy

from eomc.derive.geometry import PlaneRotation, Rotation, SpatialMotion, Vector, unit
from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar
from eomc.derive.motions.motion import Straight


class ScalarReader(Protocol):
    """Reads a scalar with the names in `variables` resolved."""

    def __call__(
        self, value: object, variables: Mapping[str, Expression] | None = None
    ) -> Expression: ...


class ScalarFunction:
    """A scalar function of some coordinates, with its first and second derivatives."""

    def __init__(
        self, value: Scalar, symbols: Sequence[sympy.Symbol], reader: ScalarReader
    ) -> None:
        self.value = sympy.sympify(value)
        self.symbols = tuple(symbols)
        self._reader = reader

    def _at(self, value: object, q: Sequence[Expression]) -> Expression:
        names = {symbol.name: entry for symbol, entry in zip(self.symbols, q, strict=True)}
        return self._reader(sympy.sympify(value), names)

    def __call__(self, q: Sequence[Expression]) -> Expression:
        """f(q)"""
        return self._at(self.value, q)

    @cached_property
    def _slopes(self) -> list[sympy.Expr]:
        return [sympy.diff(self.value, symbol) for symbol in self.symbols]

    @cached_property
    def _curvatures(self) -> list[list[sympy.Expr]]:
        return [[sympy.diff(slope, symbol) for symbol in self.symbols] for slope in self._slopes]

    def gradient(self, q: Sequence[Expression]) -> list[Expression]:
        """df/dq"""
        return [self._at(slope, q) for slope in self._slopes]

    def rate(self, q: Sequence[Expression], u: Sequence[Expression]) -> Expression:
        """(df/dq) u"""
        total = u[0] * 0
        for slope, speed in zip(self.gradient(q), u, strict=True):
            total = total + slope * speed
        return total

    def curvature(self, q: Sequence[Expression], u: Sequence[Expression]) -> Expression:
        """u^T (d2f/dq2) u"""
        total = u[0] * 0
        for i, row in enumerate(self._curvatures):
            for j, entry in enumerate(row[: i + 1]):
                if entry != 0:
                    share = self._at(entry, q) * u[i] * u[j]
                    total = total + (share if i == j else 2 * share)
        return total


class Following(Straight):
    """Shared by both motions: their coordinates are those of another link."""

    def __init__(self, count: int) -> None:
        self.coordinates = self.speeds = count


class Shift(Following):
    """R = 1, p = r(q), S = (dr/dq, 0)."""

    def __init__(self, displacement: Sequence[ScalarFunction]) -> None:
        super().__init__(len(displacement[0].symbols))
        self.displacement = tuple(displacement)

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """Translation by r(q)."""
        return Rotation(), Vector(*(part(q) for part in self.displacement))

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Linear parts dr/dq_j."""
        zero = q[0] * 0
        still = Vector(zero, zero, zero)
        columns = zip(*(part.gradient(q) for part in self.displacement), strict=True)
        return [SpatialMotion(linear=Vector(*column), angular=still) for column in columns]

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion | None:
        """Linear part u^T (d2r/dq2) u."""
        zero = q[0] * 0
        linear = Vector(*(part.curvature(q, u) for part in self.displacement))
        return SpatialMotion(linear=linear, angular=Vector(zero, zero, zero))


class TurnBy(Following):
    """R = rotation by angle(q) about a coordinate axis n, S = (0, n dangle/dq)."""

    def __init__(self, axis: str, angle: ScalarFunction) -> None:
        super().__init__(len(angle.symbols))
        self.axis = "xyz".index(axis)
        self.angle = angle

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """Rotation by the angle, no translation."""
        angle = self.angle(q)
        zero = q[0] * 0
        plane = PlaneRotation(angle.cos(), angle.sin(), self.axis)
        return Rotation([plane]), Vector(zero, zero, zero)

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Angular parts n dangle/dq_j."""
        zero = q[0] * 0
        still, n = Vector(zero, zero, zero), unit(zero, self.axis)
        slopes = self.angle.gradient(q)
        return [SpatialMotion(linear=still, angular=n * slope) for slope in slopes]

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion | None:
        """Angular part n u^T (d2angle/dq2) u."""
        zero = q[0] * 0
        curvature = self.angle.curvature(q, u)
        angular = unit(zero, self.axis) * curvature
        return SpatialMotion(linear=Vector(zero, zero, zero), angular=angular)
