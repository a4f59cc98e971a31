"""Common interface of the two kinematics of a free-flyer."""

from __future__ import annotations

from abc import ABC, abstractmethod

from eomc.derive.geometry import Vector
from eomc_published.moosavian.formulation.chain import Body, Chain
from eomc_published.moosavian.formulation.point_jacobian import PointJacobian


class Kinematics(ABC):
    """Positions and velocities of the centres of mass from the translation reference R.

    Inertial axes. `DirectPath` has R = R_C0, `Barycentric` R = R_CM. A subclass says what each body
    carries of the way from R to a point; that it turns with the body's angular velocity gives all
    velocities,

        R_P = R + sum span_k,    R_P' = R' + sum omega_k x span_k
    """

    coupled: bool
    """True if R is not the system's centre of mass: the energy has a term in R' . sum m r'."""
    chain: Chain
    position: dict[Body, Vector]
    velocity: dict[Body, Vector]

    @abstractmethod
    def spans(self, body: Body, point: Vector | None = None) -> list[tuple[Body, Vector]]:
        """The vectors from R to C_i (to a point at r_P/Ci) and the bodies that carry them."""

    def point(self, body: Body, at: Vector) -> Vector:
        """R_P of the point at r_P/Ci (body axes). (2.8), (2.18)"""
        return sum((span for _, span in self.spans(body, at)), start=self.chain.reference)

    def point_velocity(self, body: Body, at: Vector) -> Vector:
        """R_P'. (2.11), (2.24)"""
        velocity = self.chain.reference_rate
        for k, span in self.spans(body, at):
            velocity = velocity + self.chain.angular_velocity[k].cross(span)
        return velocity

    def jacobian(self, body: Body, at: Vector) -> PointJacobian:
        """(R_P', omega_i) by (R', omega_0, theta'). (2.14)-(2.17), (2.26)-(2.29)"""
        return PointJacobian.of_spans(self.chain, body, self.spans(body, at))
