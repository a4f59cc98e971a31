"""Arrays of the rolled recursions: how the quantities of a link stand in them, number by number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from eomc.derive.bodies.body import Acceleration
from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia
from eomc.derive.dynamics.kinematics import Pose
from eomc.derive.dynamics.mobility import Mobility
from eomc.derive.dynamics.partials import Ascent, Flow
from eomc.derive.dynamics.velocity_map import VelocityMap
from eomc.derive.geometry import (
    AccelerationMatrix,
    Inertia,
    MatrixRotation,
    Rotation,
    Symmetric,
    Vector,
)
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.geometry.spatial import Spatial
from eomc.derive.graph import Expression

T = TypeVar("T")
Entries = Sequence[Expression]
Changes = tuple[tuple[Spatial, Vector], tuple[Spatial, Vector]]
"""By q and by u: an acceleration, and the angular part of a velocity."""


@dataclass(frozen=True)
class Layout(Generic[T]):
    """A value as so many numbers: read from them, and written to them."""

    size: int
    read: Callable[[Entries], T]
    write: Callable[[T], Iterable[Expression]]


def numbers(size: int) -> Layout[Entries]:
    """So many numbers."""
    return Layout(size, lambda entries: entries, lambda entries: entries)


def spatials(count: int) -> Layout[Sequence[Spatial]]:
    """Spatial vectors, angular part or moment first."""
    return Layout(6 * count, spatial_vectors, lambda values: _flat(*values))


def vectors(entries: Entries) -> list[Vector]:
    """Three entries each."""
    return [Vector(*entries[k : k + 3]) for k in range(0, len(entries), 3)]


def spatial_vectors(entries: Entries) -> list[Spatial]:
    """Six entries each."""
    parts = vectors(entries)
    return list(zip(parts[::2], parts[1::2], strict=True))


def _flat(*values: Iterable[Vector]) -> list[Expression]:
    return [entry for value in values for vector in value for entry in vector]


def _pose(entries: Entries) -> Pose:
    a, b, c, origin = vectors(entries)
    return Pose(Rotation([MatrixRotation((a, b, c))]), origin)


def _matrix(at: Pose) -> list[Expression]:
    """Rows of a rotation with any factors, and the origin."""
    rows = at.rotation.matrix(at.origin.x * 0).rows
    return _flat((*rows, at.origin))


def _acceleration(entries: Entries) -> Acceleration:
    w, alpha, a = vectors(entries)
    return Acceleration(w, alpha, AccelerationMatrix(w, alpha), a)


def _wrench(entries: Entries) -> Spatial:
    force, moment = vectors(entries)
    return moment, force


def _inertia(entries: Entries) -> Inertia:
    return Inertia(entries[0], Vector(*entries[1:4]), Symmetric(*entries[4:]))


def _dyad(entries: Entries) -> Dyad:
    a, b, c = vectors(entries)
    return Dyad((a, b, c))


def _articulated(entries: Entries) -> ArticulatedInertia:
    j, h, m = Symmetric(*entries[:6]), _dyad(entries[6:15]), Symmetric(*entries[15:])
    return ArticulatedInertia(j, h, m)


def _ascent(entries: Entries) -> Ascent:
    by_q, by_u, momentum = spatial_vectors(entries[:18])
    return Ascent(by_q, by_u, momentum, Vector(*entries[18:]))


def _velocity_map(entries: Entries) -> VelocityMap:
    return VelocityMap(_dyad(entries[:9]), _dyad(entries[9:]))


def _changes(entries: Entries) -> Changes:
    (by_q, by_u), turns = spatial_vectors(entries[:12]), vectors(entries[12:])
    return (by_q, turns[0]), (by_u, turns[1])


NUMBER: Layout[Expression] = Layout(1, lambda entries: entries[0], lambda value: (value,))
VECTOR: Layout[Vector] = Layout(3, lambda entries: Vector(*entries), lambda value: value)

POSE: Layout[Pose] = Layout(12, _pose, _matrix)
"""Rows of R_parent_link, origin."""

ROTATION: Layout[list[Vector]] = Layout(9, vectors, _flat)
"""Rows of R_world_link."""

MOTION: Layout[Acceleration] = Layout(9, _acceleration, lambda at: _flat((at.w, at.alpha, at.a)))
"""Angular velocity, angular and linear acceleration."""

SPATIAL: Layout[Spatial] = Layout(6, lambda e: spatial_vectors(e)[0], lambda value: _flat(value))
"""Angular part or moment, linear part or force."""

WRENCH: Layout[Spatial] = Layout(6, _wrench, lambda wrench: _flat(wrench[::-1]))
"""Force and moment about the link origin; momenta likewise."""

INERTIA: Layout[Inertia] = Layout(
    10, _inertia, lambda body: [body.mass, *body.first, *body.second.entries]
)
"""Mass, first and second moment."""

ARTICULATED: Layout[ArticulatedInertia] = Layout(
    21, _articulated, lambda i: [*i.j.entries, *_flat(i.h.columns), *i.m.entries]
)
"""Articulated inertia J, H, M."""

VELOCITY_MAP: Layout[VelocityMap] = Layout(
    18, _velocity_map, lambda b: _flat(b.moment.columns, b.force.columns)
)
"""Wrench by the angular part of a velocity change."""

MOBILITY: Layout[Mobility] = Layout(
    21, lambda e: Mobility(_articulated(e)), lambda p: ARTICULATED.write(p.stored)
)
"""Accelerations that a wrench is answered with."""

CHANGES: Layout[Changes] = Layout(
    18, _changes, lambda by: _flat(by[0][0], by[1][0], (by[0][1], by[1][1]))
)
"""Changes of motion by q and u of a joint."""

FLOW: Layout[Flow] = Layout(
    12, lambda e: Flow(Vector(*e[:3]), _dyad(e[3:])), lambda flow: _flat((flow.p, *flow.c.columns))
)
"""Integrals of v dm and of v r^T dm over a subtree."""

ASCENT: Layout[Ascent] = Layout(
    21, _ascent, lambda pair: _flat(pair.by_q, pair.by_u, pair.momentum, (pair.coriolis,))
)
"""Wrenches by q and u, momentum and Coriolis vector of a speed on its way to the base."""

SEEN = spatials(2)
"""Spatial velocity and acceleration of the parent, at the origin of a link."""

PARTIALS = spatials(3)
"""Of a speed: psi', psi'', change of velocity (see `dynamics.partials`)."""
