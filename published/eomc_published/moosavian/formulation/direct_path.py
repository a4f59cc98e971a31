"""Kinematics by the direct path: the base's centre of mass is the translation reference.

    R_P = R_C0 + r_Ci + r_P/Ci                                                        (2.18), (2.19)
    r_Ci = r_0 + sum_{k<i} (r_k - l_k) - l_i,         r_C0 = 0                               (2.20)
    r_Ci' = omega_0 x r_0 + sum_{k<i} omega_k x (r_k - l_k) - omega_i x l_i                  (2.23)

All vectors in inertial axes. Moosavian 1996, section 2.3.
"""

from __future__ import annotations

from eomc.derive.geometry import Vector
from eomc_published.moosavian.formulation.chain import BASE, Body, Chain
from eomc_published.moosavian.formulation.kinematics import Kinematics

__all__ = ["DirectPath"]


class DirectPath(Kinematics):
    """Centres of mass relative to C_0, their velocities, points and Jacobians."""

    coupled = True
    """The reference is no centre of mass of the system: the kinetic energy has a term T_2."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        still = Vector(chain.zero, chain.zero, chain.zero)
        self.position: dict[Body, Vector] = {BASE: still}
        self.velocity: dict[Body, Vector] = {BASE: still}
        for body in chain.links:
            spans = self.spans(body)
            self.position[body] = sum((span for _, span in spans), start=still)
            self.velocity[body] = sum(
                (chain.angular_velocity[k].cross(span) for k, span in spans), start=still
            )

    def spans(self, body: Body, point: Vector | None = None) -> list[tuple[Body, Vector]]:
        """The vectors from C_0 to C_i (to a point at r_P/Ci) and the bodies that carry them."""
        chain = self.chain
        if body == BASE:
            return [] if point is None else [(BASE, chain.axes[BASE].to_inertial(point))]
        spans = [(BASE, chain.axes[BASE].to_inertial(chain.r0(body[0])))]
        spans += [
            (k, chain.axes[k].to_inertial(chain.r(k) - chain.l(k)))
            for k in chain.inboard(body)[:-1]
        ]
        last = -chain.l(body) if point is None else point - chain.l(body)
        return [*spans, (body, chain.axes[body].to_inertial(last))]
