"""A segment of a rod: the motion from one section to the next, a function of the strains within.

Seen from the section before, the next one stands at exp(Omega) and moves with the twist
sigma = T Omega' in its own axes; sigma changes by T Omega'' + T' Omega'. A unit rate of component c
of the strain at the i-th node of the Magnus expansion moves it by the column

    s_ci = T dOmega/dxi_i e_c,

and every strain function by a combination of these: few columns, however many functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from eomc.derive.geometry import LinkPose, SpatialMotion, Vector
from eomc.derive.graph import Expression
from eomc.derive.rods.exponential import CODE, Exponential
from eomc.derive.rods.magnus import StrainJet, magnus, still

__all__ = ["Segment", "unit_strain"]


def unit_strain(zero: Expression, component: int, size: Expression) -> SpatialMotion:
    """`size` along a component: 0 to 2 curvatures about x, y, z; 3 to 5 stretch and shears."""
    entries = [zero] * 6
    entries[component] = size
    return SpatialMotion(linear=Vector(*entries[3:]), angular=Vector(*entries[:3]))


@dataclass(frozen=True)
class Segment:
    """From section to section, `h` of the rod's length apart.

    `strains` are those at the nodes of the expansion, times the rod's length; `units` the size of a
    unit of each active component in them; `code` says which segment turned by more than `reach`.
    """

    order: int
    h: float
    strains: tuple[SpatialMotion, ...]
    units: tuple[tuple[int, Expression], ...]
    reach: float
    code: str = CODE

    @cached_property
    def exponential(self) -> Exponential:
        """Of Omega."""
        jets = [still(value) for value in self.strains]
        return Exponential(magnus(self.order, self.h, jets).value, self.reach, self.code)

    @property
    def pose(self) -> LinkPose:
        """In the section before."""
        return self.exponential.pose

    @cached_property
    def columns(self) -> tuple[tuple[SpatialMotion, ...], ...]:
        """s_ci by node i, then by active component c, in the axes of the section behind."""
        zero: Expression = self.strains[0].angular.x * 0
        return tuple(
            tuple(self._column(node, unit_strain(zero, *unit)) for unit in self.units)
            for node in range(len(self.strains))
        )

    def _column(self, node: int, along: SpatialMotion) -> SpatialMotion:
        jets = []
        for k, value in enumerate(self.strains):
            rest = still(value)
            jets.append(StrainJet(value, along, rest.second) if k == node else rest)
        return self.exponential.tangent(magnus(self.order, self.h, jets).first)

    def motion(
        self, rates: Sequence[SpatialMotion], second: Sequence[SpatialMotion]
    ) -> tuple[SpatialMotion, SpatialMotion]:
        """(sigma, sigma') from the first and second rates of the strains at the nodes."""
        jets = [StrainJet(*each) for each in zip(self.strains, rates, second, strict=True)]
        omega = magnus(self.order, self.h, jets)
        at = self.exponential
        change = at.tangent(omega.second) + at.tangent_rate(omega.first)
        return at.tangent(omega.first), change
