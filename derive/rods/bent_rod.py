"""A rod on the graph: sections that follow one another through segments.

The strain is xi(s) = xi0(s) + sum phi_j(s) e_c(j) q_j, s = X / L. The rod is known at Gauss points,
where its mass and section inertia stand, and at any station behind one of them. Reference: Renda
and others, *A geometric variable-strain approach*, IEEE Robotics and Automation Letters 5 (2020);
Boyer and others, *Dynamics of continuum and soft robots*, IEEE Transactions on Robotics 37 (2021).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from eomc.derive.geometry import Inertia, LinkPose, MatrixRotation, Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression
from eomc.derive.rods.exponential import CODE
from eomc.derive.rods.magnus import nodes_of
from eomc.derive.rods.segment import Segment
from eomc.derive.rods.strain_basis import StrainBasis

__all__ = ["Bent", "GaussSection", "RodOnGraph"]


@dataclass(frozen=True)
class GaussSection:
    """A Gauss point: s, and the inertia of its share of the rod in section axes."""

    s: float
    inertia: Inertia


@dataclass(frozen=True)
class RodOnGraph:
    """A rod with expressions of a graph for its numbers.

    Attributes
    ----------
    length : Expression
        L [m].
    strains : pairs (component, basis)
        Of the components that are not held by construction; coordinates are those of one component
        after the other.
    curvature : function of s
        Curvature of the stress-free rod [1/m], section axes.
    sections : Gauss points, from root to tip.
    order : of the Magnus expansion.
    held : mapping of coordinates that are constants to their values
    reach : largest angle [rad] of a segment
    name : of the body, for the codes of failure
    """

    length: Expression
    strains: tuple[tuple[int, StrainBasis], ...]
    curvature: Callable[[float], Sequence[Expression]]
    sections: tuple[GaussSection, ...]
    order: int
    reach: float
    held: tuple[tuple[int, Expression], ...] = ()
    name: str = ""
    _values: dict[float, list[list[float]]] = field(default_factory=dict, compare=False, repr=False)
    _bent: dict[tuple[int, ...], Bent] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def functions(self) -> tuple[tuple[int, int], ...]:
        """(active component, function) of each coordinate that is free."""
        every = [
            (active, j) for active, (_, basis) in enumerate(self.strains) for j in range(basis.size)
        ]
        held = {k for k, _ in self.held}
        return tuple(pair for k, pair in enumerate(every) if k not in held)

    @cached_property
    def units(self) -> tuple[tuple[int, Expression], ...]:
        """Curvatures are counted in turns of a whole length, stretch and shear by themselves."""
        one = self.length * 0 + 1
        return tuple((c, one if c < 3 else self.length) for c, _ in self.strains)

    def code_at(self, s: float) -> str:
        """Of failure where the segment that ends at s, or holds s, turns by more than `reach`."""
        number = 1 + sum(section.s < s for section in self.sections)
        body = re.sub(r"\W", "_", self.name)
        return "_".join([CODE, *(["in", body] if body else []), "segment", f"{number}"])

    def values(self, s: float) -> list[list[float]]:
        """Every function of each active component at s."""
        if s not in self._values:
            self._values[s] = [basis(s) for _, basis in self.strains]
        return self._values[s]

    def bent(self, q: Sequence[Expression]) -> Bent:
        """The rod at free coordinates q."""
        key = tuple(entry.node for entry in q)
        if key not in self._bent:
            self._bent[key] = Bent(self, q)
        return self._bent[key]

    def along(self, s: float, q: Sequence[Expression], *, held: bool) -> SpatialMotion:
        """sum phi_j(s) e_c(j) q_j times L, over free coordinates and what is held."""
        zero = self.length * 0
        every = iter(q)
        fixed = dict(self.held)
        entries, place = [zero] * 6, 0
        for (component, unit), row in zip(self.units, self.values(s), strict=True):
            total = zero
            for value in row:
                if place not in fixed:
                    total = total + next(every) * value
                elif held:
                    total = total + fixed[place] * value
                place += 1
            entries[component] = total * unit
        return SpatialMotion(linear=Vector(*entries[3:]), angular=Vector(*entries[:3]))

    def strain(self, s: float, q: Sequence[Expression]) -> SpatialMotion:
        """L xi(s)"""
        strain = self.along(s, q, held=True)
        zero = self.length * 0
        kappa = Vector(*(entry * self.length for entry in self.curvature(s)))
        bend = strain.angular + kappa
        stretch = strain.linear + Vector(self.length, zero, zero)
        return SpatialMotion(linear=stretch, angular=bend)

    def columns(
        self, told: Sequence[Sequence[SpatialMotion]], places: Sequence[float]
    ) -> list[SpatialMotion]:
        """Columns that a segment adds to the motion of all behind it, by unit rates of each
        function, from its columns `told` at the root."""
        values = [self.values(s) for s in places]
        found: list[SpatialMotion] = []
        for active, j in self.functions:
            zero = self.length * 0
            total = SpatialMotion.zero(Vector(zero, zero, zero))
            for row, value in zip(told, values, strict=True):
                if value[active][j]:
                    total = total + row[active] * (zero + value[active][j])
            found.append(total)
        return found


def at_root(at: LinkPose, segment: Segment) -> list[list[SpatialMotion]]:
    """Columns of the segment before the section `at`, by node and active component, at the root."""
    return [[at.motion_to_parent(column) for column in row] for row in segment.columns]


class Bent:
    """Segments and sections of a rod at coordinates q."""

    def __init__(self, rod: RodOnGraph, q: Sequence[Expression]) -> None:
        self.rod, self.q = rod, tuple(q)
        zero = rod.length * 0
        self.zero = zero
        self.still = Vector(zero, zero, zero)
        ends = [0.0, *(section.s for section in rod.sections)]
        self.spans = list(pairwise(ends))
        self.segments = [self.segment(a, b) for a, b in self.spans]

    def nodes(self, a: float, b: float) -> list[float]:
        """Gauss points between a and b, at which the strain is asked for."""
        return [a + (b - a) * c for c in nodes_of(self.rod.order)]

    def segment(self, a: float, b: float) -> Segment:
        """From the section at a to that at b."""
        rod = self.rod
        strains = tuple(rod.strain(s, self.q) for s in self.nodes(a, b))
        return Segment(rod.order, b - a, strains, rod.units, rod.reach, rod.code_at(b))

    @cached_property
    def at_root(self) -> LinkPose:
        """The root frame itself."""
        zero, one = self.zero, self.zero + 1
        axes = (Vector(one, zero, zero), Vector(zero, one, zero), Vector(zero, zero, one))
        return LinkPose(Rotation([MatrixRotation(axes)]), self.still)

    @cached_property
    def placed(self) -> list[LinkPose]:
        """Every section in the root frame."""
        found = [self.at_root]
        for segment in self.segments:
            found.append(found[-1].then(segment.pose))
        return found[1:]

    @cached_property
    def at_root_frame(self) -> list[list[list[SpatialMotion]]]:
        """Columns of each segment at the root, by node and active component."""
        pairs = zip(self.segments, self.placed, strict=True)
        return [at_root(at, segment) for segment, at in pairs]

    @cached_property
    def steps(self) -> list[list[SpatialMotion]]:
        """Of each segment what it adds by unit rates of the functions, root axes."""
        return [
            self.rod.columns(columns, self.nodes(*span))
            for columns, span in zip(self.at_root_frame, self.spans, strict=True)
        ]

    @cached_property
    def columns(self) -> list[list[SpatialMotion]]:
        """Twist of each section by unit rates of the functions, told at the root in root axes."""
        total = [SpatialMotion.zero(self.still)] * len(self.rod.functions)
        found = []
        for step in self.steps:
            total = [a + b for a, b in zip(total, step, strict=True)]
            found.append(total)
        return found

    def motion(
        self,
        segment: Segment,
        span: tuple[float, float],
        u: Sequence[Expression],
        a: Sequence[Expression],
    ) -> tuple[SpatialMotion, SpatialMotion]:
        """Relative twist of a segment and its rate."""
        along = self.rod.along
        places = self.nodes(*span)
        rates = [along(s, u, held=False) for s in places]
        return segment.motion(rates, [along(s, a, held=False) for s in places])
