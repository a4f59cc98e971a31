"""A rod as the recursions see it: rigid sections that follow one another, solved within.

Forces and momenta run from section to section as those of any chain of bodies, to the tip and back;
a strain function feels what all sections behind feel, S_j^T W. The mass matrix is the sum over the
sections of J^T I J, all told at the root. The sections are rigid bodies: no inertial force of a
deformable body needs a formula of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from eomc.derive.bodies.body import Acceleration, Forces
from eomc.derive.bodies.rigid import RigidBody
from eomc.derive.geometry import Inertia, Rotation, Vector
from eomc.derive.geometry.spatial import Spatial, dot, plus
from eomc.derive.graph import Expression
from eomc.derive.motions.motion import Motion
from eomc.derive.rods.bent_rod import RodOnGraph
from eomc.derive.rods.recursion import Carried, step_acceleration, step_twist, step_wrench
from eomc.derive.rods.station import StationMotion

__all__ = ["RodBody", "RodShape"]


class RodBody:
    """A rod bent by the coordinates `xi`, with a rigid part fixed to its root."""

    is_rigid = False

    def __init__(self, rigid: Inertia, xi: Sequence[Expression], rod: RodOnGraph) -> None:
        self.rigid, self.rod, self.bent = rigid, rod, rod.bent(xi)
        self.xi = tuple(xi)

    def with_rigid_part(self, rigid: Inertia) -> RodBody:
        """The same rod with another inertia fixed to its root."""
        return RodBody(rigid, self.xi, self.rod)

    @cached_property
    def _at_root(self) -> list[Inertia]:
        """Each section's inertia about the root, in root axes."""
        pairs = zip(self.rod.sections, self.bent.placed, strict=True)
        return [s.inertia.carried(Rotation([at.rotation]), at.origin) for s, at in pairs]

    @cached_property
    def inertia(self) -> Inertia:
        """Of the rod with its strains held, about the root."""
        return sum(self._at_root, self.rigid)

    # -- the mass matrix -------------------------------------------------------------------------

    @cached_property
    def _momenta(self) -> list[list[Spatial]]:
        """(angular, linear) momentum about the root of each section by unit rates."""
        found = []
        for inertia, columns in zip(self._at_root, self.bent.columns, strict=True):
            pairs = (inertia.momentum(*column) for column in columns)
            found.append([(h, p) for p, h in pairs])
        return found

    @cached_property
    def _beyond(self) -> list[list[Spatial]]:
        """The same of each section and all behind it."""
        still = self.bent.still
        total: list[Spatial] = [(still, still)] * len(self.rod.functions)
        found = []
        for momenta in reversed(self._momenta):
            total = [plus(a, b) for a, b in zip(total, momenta, strict=True)]
            found.append(total)
        return found[::-1]

    def coupling(self) -> list[tuple[Vector, Vector]]:
        """(linear, angular) momentum about the root of each unit rate."""
        return [(p, h) for h, p in self._beyond[0]]

    @cached_property
    def _mass(self) -> list[list[Expression]]:
        size = len(self.rod.functions)
        rows = [[self.bent.zero] * size for _ in range(size)]
        one_node = self.rod.order == 2
        for j, k, share in self._by_segments() if one_node else self._by_sections():
            rows[j][k] = rows[j][k] + share
        for j in range(size):
            for k in range(j):
                rows[k][j] = rows[j][k]
        return rows

    def _by_sections(self) -> Iterator[tuple[int, int, Expression]]:
        """Shares of M_jk, k <= j: J_j . I J_k of every section."""
        for momenta, columns in zip(self._momenta, self.bent.columns, strict=True):
            for j, column in enumerate(columns):
                for k in range(j + 1):
                    yield j, k, dot(column, momenta[k])

    def _by_segments(self) -> Iterator[tuple[int, int, Expression]]:
        """The same: what a segment moves is the momentum of all behind it. A dot product for each
        component and function instead of one for each pair of functions, but at every node."""
        bent, functions = self.bent, self.rod.functions
        for told, span, beyond in zip(bent.told, bent.spans, self._beyond, strict=True):
            for s, row in zip(bent.nodes(*span), told, strict=True):
                values, powers = self.rod.values(s), {}
                for j, (active, function) in enumerate(functions):
                    for k in range(j + 1):
                        if (active, k) not in powers:
                            powers[active, k] = dot(row[active], beyond[k])
                        yield j, k, powers[active, k] * values[active][function]

    def internal_mass(self) -> list[list[Expression]]:
        """M = sum of J^T I J, in whichever order takes fewer operations."""
        return self._mass

    # -- recursions ------------------------------------------------------------------------------

    def forces(
        self, motion: Acceleration, rates: Sequence[Expression], accelerations: Sequence[Expression]
    ) -> Forces:
        """f, n about the root, and S_j^T W of each strain function."""
        bent = self.bent
        at = Carried(motion.w, motion.alpha, motion.u, motion.a)
        wrenches: list[Spatial] = []
        for segment, span, section in zip(
            bent.segments, bent.spans, self.rod.sections, strict=True
        ):
            relative, change = bent.motion(segment, span, rates, accelerations)
            at = step_acceleration(segment.pose, at, relative, change)
            taken = RigidBody(section.inertia).forces(Acceleration(at.w, at.alpha, at.u, at.a))
            wrenches.append((taken.moment, taken.force))
        moment, force, internal = self._to_root(wrenches)
        own = RigidBody(self.rigid).forces(motion)
        return Forces(force + own.force, moment + own.moment, internal)

    def momentum(
        self, w: Vector, v: Vector, rates: Sequence[Expression]
    ) -> tuple[Vector, Vector, list[Expression]]:
        """(p, h, pi) of the twist (w, v) and of the rates of strain."""
        bent = self.bent
        rest = [bent.zero] * len(rates)
        at: Spatial = (w, v)
        momenta: list[Spatial] = []
        for segment, span, section in zip(
            bent.segments, bent.spans, self.rod.sections, strict=True
        ):
            relative, _ = bent.motion(segment, span, rates, rest)
            at = step_twist(segment.pose, at, relative)
            p, h = section.inertia.momentum(*at)
            momenta.append((h, p))
        angular, linear, internal = self._to_root(momenta)
        p, h = self.rigid.momentum(w, v)
        return p + linear, h + angular, internal

    def _to_root(self, wrenches: Sequence[Spatial]) -> tuple[Vector, Vector, list[Expression]]:
        """(moment, force) about the root of wrenches on all sections, and what each strain
        function feels of them."""
        bent, rod = self.bent, self.rod
        internal = [bent.zero] * len(rod.functions)
        carried: Spatial = (bent.still, bent.still)
        steps = list(zip(bent.segments, bent.spans, wrenches, strict=True))
        for segment, span, own in reversed(steps):
            carried = plus(own, carried)
            for s, row in zip(bent.nodes(*span), segment.columns, strict=True):
                powers = [dot(column, carried) for column in row]
                values = rod.values(s)
                for j, (active, function) in enumerate(rod.functions):
                    internal[j] = internal[j] + powers[active] * values[active][function]
            carried = step_wrench(segment.pose, carried)
        return *carried, internal


class RodShape:
    """A rod as a shape: its body, and places along it."""

    def __init__(self, rod: RodOnGraph) -> None:
        self.rod = rod

    def body(self, rigid: Inertia, xi: Sequence[Expression]) -> RodBody:
        """With a rigid part at the root."""
        return RodBody(rigid, xi, self.rod)

    def place(self, station: float) -> Motion:
        """The motion of the section at the fraction s of the length."""
        return StationMotion(self.rod, station)
