"""What the two kinematics of a free-flyer answer alike."""

from __future__ import annotations

from typing import Protocol

from eomc.derive.geometry import Vector
from eomc.systems.free_flyer.chain import Body, Chain
from eomc.systems.free_flyer.point_jacobian import PointJacobian


class Kinematics(Protocol):
    """Positions and velocities of the centres of mass from the translation reference R.

    Inertial axes. `DirectPath` has R = R_C0, `Barycentric` R = R_CM.
    """

    chain: Chain
    coupled: bool
    """True if R is not the system's centre of mass: the energy has a term in R' . sum m r'."""
    position: dict[Body, Vector]
    velocity: dict[Body, Vector]

    def point(self, body: Body, at: Vector) -> Vector:
        """Position of a point at r_P/Ci (body axes)."""

    def point_velocity(self, body: Body, at: Vector) -> Vector:
        """Its velocity."""

    def jacobian(self, body: Body, at: Vector) -> PointJacobian:
        """Its Jacobian by (R', omega_0, theta')."""
