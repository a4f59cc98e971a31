"""A line that runs along a rod at an offset in its sections: its length, a function of strains.

A point at r(X) = (0, y, z) of the section moves from section to section by t dX,

    t = gamma + kappa x r + r',      l = integral of |t| dX,
    dl/dq_j = integral of (t/|t|) . (Phi_gamma,j + Phi_kappa,j x r) dX,

whatever the rod does as a whole: no pose stands in it. Reference: Rucker and Webster, *Statics and
dynamics of continuum robots with general tendon routing*, IEEE Transactions on Robotics 27 (2011).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.rods.bent_rod import RodOnGraph

__all__ = ["TendonPath"]

Offset = Callable[[float], tuple[Vector, Vector]]
"""r and dr/dX at the fraction s of the length."""


@dataclass(frozen=True, eq=False)
class TendonPath:
    """The line on a rod at coordinates q; `points` are (s, weight) of a quadrature over its part of
    the rod, the weights adding up to that part."""

    rod: RodOnGraph
    q: Sequence[Expression]
    points: Sequence[tuple[float, float]]
    offset: Offset

    @cached_property
    def _tangents(self) -> list[Vector]:
        """L t at every point."""
        found = []
        for s, _ in self.points:
            r, slope = self.offset(s)
            strain = self.rod.strain(s, self.q)
            found.append(strain.linear + strain.angular.cross(r) + slope * self.rod.length)
        return found

    @cached_property
    def _sizes(self) -> list[Expression]:
        return [tangent.norm() for tangent in self._tangents]

    @cached_property
    def length(self) -> Expression:
        """l [m]"""
        total = self.rod.length * 0
        for size, (_, weight) in zip(self._sizes, self.points, strict=True):
            total = total + size * weight
        return total

    @cached_property
    def slopes(self) -> list[Expression]:
        """dl/dq_j [m] of every free coordinate."""
        zero = self.rod.length * 0
        total = [zero] * len(self.rod.functions)
        for (s, weight), tangent, size in zip(
            self.points, self._tangents, self._sizes, strict=True
        ):
            r, _ = self.offset(s)
            along = tangent * (weight / size)
            # (a . gamma, a . (kappa x r)) by components of the strain: a, r x a
            feels = (*r.cross(along), *along)
            values = self.rod.values(s)
            for j, (active, function) in enumerate(self.rod.functions):
                component, unit = self.rod.units[active]
                total[j] = total[j] + feels[component] * unit * values[active][function]
        return total

    def rate(self, u: Sequence[Expression]) -> Expression:
        """l' = dl/dq . u [m/s]"""
        total = self.rod.length * 0
        for slope, speed in zip(self.slopes, u, strict=True):
            total = total + slope * speed
        return total
