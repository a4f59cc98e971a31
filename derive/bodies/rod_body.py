"""A rod as the recursions see it: rigid sections that follow one another, solved within.

Forces and momenta run from section to section as those of any chain of bodies, to the tip and back;
a strain function feels what all sections behind feel, S_j^T W. The mass matrix is the sum over the
sections of J^T I J, all told at the root. The sections are rigid bodies: no inertial force of a
deformable body needs a formula of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from eomc.derive.bodies.body import Forces
from eomc.derive.bodies.rigid import RigidBody
from eomc.derive.geometry import Acceleration, Inertia, SpatialForce, SpatialMomentum, SpatialMotion
from eomc.derive.geometry.spatial import ForceVector, summed
from eomc.derive.graph import Expression
from eomc.derive.motions.motion import Motion
from eomc.derive.rods.bent_rod import RodOnGraph
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
        return [s.inertia.carried(at.rotation, at.origin) for s, at in pairs]

    @cached_property
    def inertia(self) -> Inertia:
        """Of the rod with its strains held, about the root."""
        return sum(self._at_root, self.rigid)

    # -- the mass matrix -------------------------------------------------------------------------

    @cached_property
    def _momenta(self) -> list[list[SpatialMomentum]]:
        """Momentum about the root of each section by unit rates."""
        pairs = zip(self._at_root, self.bent.columns, strict=True)
        return [[inertia @ column for column in columns] for inertia, columns in pairs]

    @cached_property
    def _beyond(self) -> list[list[SpatialMomentum]]:
        """The same of each section and all behind it."""
        total = [SpatialMomentum.zero(self.bent.still)] * len(self.rod.functions)
        found = []
        for momenta in reversed(self._momenta):
            total = [a + b for a, b in zip(total, momenta, strict=True)]
            found.append(total)
        return found[::-1]

    def coupling(self) -> list[SpatialMomentum]:
        """Momentum about the root of each unit rate."""
        return self._beyond[0]

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
                    yield j, k, column.dot(momenta[k])

    def _by_segments(self) -> Iterator[tuple[int, int, Expression]]:
        """The same: what a segment moves is the momentum of all behind it. A dot product for each
        component and function instead of one for each pair of functions, but at every node."""
        bent, functions = self.bent, self.rod.functions
        for columns, span, beyond in zip(bent.at_root_frame, bent.spans, self._beyond, strict=True):
            for s, row in zip(bent.nodes(*span), columns, strict=True):
                values, powers = self.rod.values(s), {}
                for j, (active, function) in enumerate(functions):
                    for k in range(j + 1):
                        if (active, k) not in powers:
                            powers[active, k] = row[active].dot(beyond[k])
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
        at, wrenches = motion, list[SpatialForce]()
        for segment, span, section in zip(
            bent.segments, bent.spans, self.rod.sections, strict=True
        ):
            relative, change = bent.motion(segment, span, rates, accelerations)
            at = segment.pose.acceleration(at, relative, change)
            wrenches.append(RigidBody(section.inertia).forces(at).wrench)
        wrench, internal = self._to_root(wrenches, SpatialForce.zero(bent.still))
        own = RigidBody(self.rigid).forces(motion)
        return Forces(summed(wrench, own.wrench), internal)

    def momentum(
        self, twist: SpatialMotion, rates: Sequence[Expression]
    ) -> tuple[SpatialMomentum, list[Expression]]:
        """(p, h) and pi of the twist and of the rates of strain."""
        bent = self.bent
        rest = [bent.zero] * len(rates)
        at, momenta = twist, list[SpatialMomentum]()
        for segment, span, section in zip(
            bent.segments, bent.spans, self.rod.sections, strict=True
        ):
            relative, _ = bent.motion(segment, span, rates, rest)
            at = segment.pose.twist(at, relative)
            momenta.append(section.inertia @ at)
        momentum, internal = self._to_root(momenta, SpatialMomentum.zero(bent.still))
        return summed(self.rigid @ twist, momentum), internal

    def _to_root(
        self, wrenches: Sequence[ForceVector], none: ForceVector
    ) -> tuple[ForceVector, list[Expression]]:
        """Sum about the root of the forces on all sections, and the generalized force of each
        strain function."""
        bent, rod = self.bent, self.rod
        internal = [bent.zero] * len(rod.functions)
        carried = none
        steps = list(zip(bent.segments, bent.spans, wrenches, strict=True))
        for segment, span, own in reversed(steps):
            carried = own + carried
            for s, row in zip(bent.nodes(*span), segment.columns, strict=True):
                powers = [column.dot(carried) for column in row]
                values = rod.values(s)
                for j, (active, function) in enumerate(rod.functions):
                    internal[j] = internal[j] + powers[active] * values[active][function]
            carried = segment.pose.to_parent(carried)
        return carried, internal


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
