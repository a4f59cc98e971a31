"""Arrays of the rolled recursions: how the quantities of a link stand in them, number by number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia
from eomc.derive.dynamics.chain_response import MotionChange
from eomc.derive.dynamics.mobility import Mobility
from eomc.derive.dynamics.partials import SubtreeMomentum, WrenchAscent
from eomc.derive.dynamics.velocity_map import VelocityMap
from eomc.derive.geometry import (
    Acceleration,
    AccelerationMatrix,
    Inertia,
    LinkPose,
    MatrixRotation,
    Rotation,
    SpatialForce,
    SpatialMomentum,
    SpatialMotion,
    Symmetric,
    Vector,
)
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import Expression

T = TypeVar("T")
Entries = Sequence[Expression]
Changes = tuple[MotionChange, MotionChange]
"""By q and by u."""


@dataclass(frozen=True)
class ValueLayout(Generic[T]):
    """A value as so many numbers: read from them, and written to them."""

    size: int
    read: Callable[[Entries], T]
    write: Callable[[T], Iterable[Expression]]


def numbers(size: int) -> ValueLayout[Entries]:
    """So many numbers."""
    return ValueLayout(size, lambda entries: entries, lambda entries: entries)


def motions(count: int) -> ValueLayout[Sequence[SpatialMotion]]:
    """Spatial motions, in arrays of the recursions the angular part first."""
    return ValueLayout(6 * count, spatial_motions, _angular_first)


def forces(count: int) -> ValueLayout[Sequence[SpatialForce]]:
    """Spatial forces, in arrays of the recursions the moment first."""
    return ValueLayout(6 * count, spatial_forces, _angular_first)


def vectors(entries: Entries) -> list[Vector]:
    """Three entries each."""
    return [Vector(*entries[k : k + 3]) for k in range(0, len(entries), 3)]


def spatial_motions(entries: Entries) -> list[SpatialMotion]:
    """Six entries each, the angular part first."""
    parts = vectors(entries)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return [SpatialMotion(linear=linear, angular=angular) for angular, linear in pairs]


def spatial_forces(entries: Entries) -> list[SpatialForce]:
    """Six entries each, the moment first."""
    parts = vectors(entries)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return [SpatialForce(linear=linear, angular=angular) for angular, linear in pairs]


def _angular_first(values: Iterable[SpatialMotion] | Iterable[SpatialForce]) -> list[Expression]:
    return [entry for value in values for entry in (*value.angular, *value.linear)]


def _flat(*values: Iterable[Vector]) -> list[Expression]:
    return [entry for value in values for vector in value for entry in vector]


def _pose(entries: Entries) -> LinkPose:
    a, b, c, origin = vectors(entries)
    return LinkPose(Rotation([MatrixRotation((a, b, c))]), origin)


def _matrix(at: LinkPose) -> list[Expression]:
    """Rows of a rotation with any factors, and the origin."""
    rows = at.rotation.matrix(at.origin.x * 0).rows
    return _flat((*rows, at.origin))


def _acceleration(entries: Entries) -> Acceleration:
    w, alpha, a = vectors(entries)
    return Acceleration(w, alpha, AccelerationMatrix(w, alpha), a)


def _inertia(entries: Entries) -> Inertia:
    return Inertia(entries[0], Vector(*entries[1:4]), Symmetric(*entries[4:]))


def _dyad(entries: Entries) -> Dyad:
    a, b, c = vectors(entries)
    return Dyad((a, b, c))


def _articulated(entries: Entries) -> ArticulatedInertia:
    j, h, m = Symmetric(*entries[:6]), _dyad(entries[6:15]), Symmetric(*entries[15:])
    return ArticulatedInertia(j, h, m)


def _ascent(entries: Entries) -> WrenchAscent:
    by_q, by_u, column = spatial_forces(entries[:18])
    momentum = SpatialMomentum(linear=column.linear, angular=column.angular)
    return WrenchAscent(by_q, by_u, momentum, Vector(*entries[18:]))


def _velocity_map(entries: Entries) -> VelocityMap:
    return VelocityMap(_dyad(entries[:9]), _dyad(entries[9:]))


def _changes(entries: Entries) -> Changes:
    (by_q, by_u), turns = spatial_motions(entries[:12]), vectors(entries[12:])
    return (by_q, turns[0]), (by_u, turns[1])


NUMBER: ValueLayout[Expression] = ValueLayout(1, lambda entries: entries[0], lambda value: (value,))
VECTOR: ValueLayout[Vector] = ValueLayout(3, lambda entries: Vector(*entries), lambda value: value)

POSE: ValueLayout[LinkPose] = ValueLayout(12, _pose, _matrix)
"""Rows of R_parent_link, origin."""

ROTATION: ValueLayout[list[Vector]] = ValueLayout(9, vectors, _flat)
"""Rows of R_world_link."""

MOTION: ValueLayout[Acceleration] = ValueLayout(
    9, _acceleration, lambda at: _flat((at.w, at.alpha, at.a))
)
"""Angular velocity, angular and linear acceleration."""

SPATIAL_MOTION: ValueLayout[SpatialMotion] = ValueLayout(
    6, lambda e: spatial_motions(e)[0], lambda motion: _angular_first([motion])
)
"""Angular part, linear part."""

SPATIAL_FORCE: ValueLayout[SpatialForce] = ValueLayout(
    6, lambda e: spatial_forces(e)[0], lambda force: _angular_first([force])
)
"""Moment, force."""

WRENCH: ValueLayout[SpatialForce] = ValueLayout(6, SpatialForce.of, lambda wrench: wrench.entries)
"""Force and moment about the link origin, as in public arrays; momenta likewise."""

INERTIA: ValueLayout[Inertia] = ValueLayout(
    10, _inertia, lambda body: [body.mass, *body.first, *body.second.entries]
)
"""Mass, first and second moment."""

ARTICULATED: ValueLayout[ArticulatedInertia] = ValueLayout(
    21, _articulated, lambda i: [*i.j.entries, *_flat(i.h.columns), *i.m.entries]
)
"""Articulated inertia J, H, M."""

VELOCITY_MAP: ValueLayout[VelocityMap] = ValueLayout(
    18, _velocity_map, lambda b: _flat(b.moment.columns, b.force.columns)
)
"""Wrench by the angular part of a velocity change."""

MOBILITY: ValueLayout[Mobility] = ValueLayout(
    21, lambda e: Mobility(_articulated(e)), lambda p: ARTICULATED.write(p.stored)
)
"""Accelerations that a wrench is answered with."""

CHANGES: ValueLayout[Changes] = ValueLayout(
    18, _changes, lambda by: [*_angular_first([by[0][0], by[1][0]]), *_flat((by[0][1], by[1][1]))]
)
"""Changes of motion by q and u of a joint."""

FLOW: ValueLayout[SubtreeMomentum] = ValueLayout(
    12,
    lambda e: SubtreeMomentum(Vector(*e[:3]), _dyad(e[3:])),
    lambda flow: _flat((flow.p, *flow.c.columns)),
)
"""Integrals of v dm and of v r^T dm over a subtree."""

ASCENT: ValueLayout[WrenchAscent] = ValueLayout(
    21,
    _ascent,
    lambda pair: [*_angular_first([pair.by_q, pair.by_u, pair.momentum]), *pair.coriolis],
)
"""Wrenches by q and u, momentum and Coriolis vector of a speed on its way to the base."""

SEEN = motions(2)
"""Spatial velocity and acceleration of the parent, at the origin of a link."""

PARTIALS = motions(3)
"""Of a speed: psi', psi'', change of velocity (see `dynamics.partials`)."""
