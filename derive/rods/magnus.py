"""Magnus expansion of g' = g xi over a segment: Omega with g(b) = g(a) exp(Omega).

    order 2:  Omega = h xi(middle)
    order 4:  Omega = h (xi1 + xi2)/2 + sqrt(3)/12 h^2 [xi1, xi2], Gauss points 1/2 -+ sqrt(3)/6
    order 6:  a1 = h xi2, a2 = sqrt(15)/3 h (xi3 - xi1), a3 = 10/3 h (xi3 - 2 xi2 + xi1),
              C1 = {a1, a2}, C2 = -{a1, 2 a3 + C1}/60,
              Omega = a1 + a3/12 + {C1 - 20 a1 - a3, a2 + C2}/240, Gauss points 1/2 -+ sqrt(15)/10

with {A, B} = -[A, B]: the strain stands to the right of g, so that brackets change sign against the
usual g' = xi g. Reference: Blanes, Casas, Oteo and Ros, *The Magnus expansion and some of its
applications*, Physics Reports 470 (2009), sec. 5.4. Strains are `StrainJet`s: what is stated once
for Omega holds for its derivatives along any motion of the strains.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eomc.derive.geometry import SpatialMotion

__all__ = ["ORDERS", "StrainJet", "magnus", "nodes_of"]


@dataclass(frozen=True)
class StrainJet:
    """A strain with its first and second derivative along a motion."""

    value: SpatialMotion
    first: SpatialMotion
    second: SpatialMotion

    def __add__(self, other: StrainJet) -> StrainJet:
        return StrainJet(
            self.value + other.value, self.first + other.first, self.second + other.second
        )

    def __sub__(self, other: StrainJet) -> StrainJet:
        return StrainJet(
            self.value - other.value, self.first - other.first, self.second - other.second
        )

    def __mul__(self, factor: float) -> StrainJet:
        return StrainJet(self.value * factor, self.first * factor, self.second * factor)

    def bracket(self, other: StrainJet) -> StrainJet:
        """[A, B], and by the product rule its derivatives."""
        second = self.second.cross(other.value) + self.value.cross(other.second)
        mixed = self.first.cross(other.first)
        return StrainJet(
            self.value.cross(other.value),
            self.first.cross(other.value) + self.value.cross(other.first),
            second + mixed * 2,
        )


def still(value: SpatialMotion) -> StrainJet:
    """A strain that does not move."""
    rest = value * 0
    return StrainJet(value, rest, rest)


def _second(h: float, xi: Sequence[StrainJet]) -> StrainJet:
    return xi[0] * h


def _fourth(h: float, xi: Sequence[StrainJet]) -> StrainJet:
    return (xi[0] + xi[1]) * (h / 2) + xi[0].bracket(xi[1]) * (math.sqrt(3) / 12 * h * h)


def _sixth(h: float, xi: Sequence[StrainJet]) -> StrainJet:
    first, middle, last = xi
    a1 = middle * h
    a2 = (last - first) * (math.sqrt(15) / 3 * h)
    a3 = (last - middle * 2 + first) * (10 / 3 * h)
    c1 = a1.bracket(a2) * -1
    c2 = a1.bracket(a3 * 2 + c1) * (1 / 60)
    return a1 + a3 * (1 / 12) + (c1 - a1 * 20 - a3).bracket(a2 + c2) * (-1 / 240)


_GAUSS = {
    2: (0.5,),
    4: (0.5 - math.sqrt(3) / 6, 0.5 + math.sqrt(3) / 6),
    6: (0.5 - math.sqrt(15) / 10, 0.5, 0.5 + math.sqrt(15) / 10),
}
_EXPANSIONS: dict[int, Callable[[float, Sequence[StrainJet]], StrainJet]] = {
    2: _second,
    4: _fourth,
    6: _sixth,
}
ORDERS = tuple(_EXPANSIONS)


def nodes_of(order: int) -> tuple[float, ...]:
    """Gauss points in a segment, from 0 to 1, at which the strain is asked for."""
    return _GAUSS[order]


def magnus(order: int, h: float, xi: Sequence[StrainJet]) -> StrainJet:
    """Omega of a segment of length h from the strains at its `nodes_of` the order."""
    return _EXPANSIONS[order](h, xi)
