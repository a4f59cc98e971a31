"""A body as the recursions see it.

A body lives in the frame of its link. Its kinetic energy is T(v, w, xi, xi') with the twist (v, w)
of that frame and its internal coordinates xi (modal amplitudes, a deployed length; none for a
rigid body), which are those of its link. Lagrange's equations in quasi-velocities turn T into

    f = p' + w x p,   n = h' + w x h + v x p,   s = pi' - dT/dxi

with p = dT/dv, h = dT/dw, pi = dT/dxi' (Boltzmann-Hamel; Meirovitch, *Methods of Analytical
Dynamics*, sec. 4.14). They are evaluated in the inertial frame that moves along with the origin at
the instant, where v = 0 and v' is the acceleration a of the origin. Whatever hangs on the body sees
xi through the motions of its attachment, which are links of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from eomc.derive.geometry import Acceleration, Inertia, SpatialForce, SpatialMomentum, SpatialMotion
from eomc.derive.graph import Expression


@dataclass(frozen=True)
class Forces:
    """Wrench (f, n) about the link origin, and one generalized force s an internal speed."""

    wrench: SpatialForce
    internal: Sequence[Expression] = ()


class Body(Protocol):
    """A rigid or deformable body as the recursions see it."""

    @property
    def inertia(self) -> Inertia:
        """Inertia of the body with its internal coordinates held, about the link origin."""

    @property
    def is_rigid(self) -> bool:
        """True if the body has no internal coordinates."""

    def with_rigid_part(self, rigid: Inertia) -> Body:
        """The same body with another inertia fixed to its frame."""

    def forces(
        self, motion: Acceleration, rates: Sequence[Expression], accelerations: Sequence[Expression]
    ) -> Forces:
        """Forces that the motion of the link and of the internal coordinates (xi', xi'') takes."""

    def momentum(
        self, twist: SpatialMotion, rates: Sequence[Expression]
    ) -> tuple[SpatialMomentum, Sequence[Expression]]:
        """Momentum (p, h) about the link origin, and the internal momenta pi, of (v, w) and xi'."""

    def coupling(self) -> Sequence[SpatialMomentum]:
        """Momentum about the link origin of each unit internal speed."""

    def internal_mass(self) -> Sequence[Sequence[Expression]]:
        """Mass matrix of the internal speeds."""
