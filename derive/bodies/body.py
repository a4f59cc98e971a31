"""What the recursions ask of a body.

A body lives in the frame of its link. Its kinetic energy is T(v, w, xi, xi') with the twist (w, v)
of that frame and its internal coordinates xi (modal amplitudes, a deployed length; none for a
rigid body). Lagrange's equations in quasi-velocities turn T into

    f = p' + w x p,   n = h' + w x h + v x p,   s = pi' - dT/dxi + dV/dxi + dD/dxi'

with p = dT/dv, h = dT/dw, pi = dT/dxi' (Boltzmann-Hamel; Meirovitch, *Methods of Analytical
Dynamics*, sec. 4.14). A body answers with f and n for a given motion, with s for its internal
coordinates, and with the blocks of its mass matrix. Whatever hangs on it sees its attachments
through the motion of the child link, whose coordinates may be the internal coordinates of the
parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from eomc.derive.geometry import AccelerationMatrix, Inertia, Vector
from eomc.derive.graph import Expression


class Body(Protocol):
    """A rigid or deformable body as the recursions see it."""

    @property
    def inertia(self) -> Inertia:
        """Inertia of the body with its internal coordinates held, about the link origin."""

    @property
    def internal_speeds(self) -> tuple[int, ...]:
        """Indices of the generalized speeds xi'; empty for a rigid body."""

    def wrench(self, u: AccelerationMatrix, a: Vector) -> tuple[Vector, Vector]:
        """Force f and moment n about the link origin that the motion (U, a) takes."""

    def internal_forces(self, u: AccelerationMatrix, a: Vector) -> Sequence[Expression]:
        """Generalized forces s that the motion takes, one an internal speed."""

    def coupling(self) -> Sequence[tuple[Vector, Vector]]:
        """(linear, angular) momentum about the link origin of each unit internal speed."""

    def internal_mass(self) -> Sequence[Sequence[Expression]]:
        """Mass matrix of the internal speeds."""
