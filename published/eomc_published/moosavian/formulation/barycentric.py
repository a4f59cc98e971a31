"""Kinematics by barycentric vectors: the system's centre of mass is the translation reference.

    R_P = R_CM + rho_Ci + r_P/Ci                                                       (2.1), (2.2)
    rho_C0 = e~_0 + sum_m sum_k l~_k(m)                                                      (2.5a)
    rho_Ci(m) = r~_0(m) + sum_{j != m} sum_k l~_k(j) + sum_k v~_ki(m)                        (2.5b)

with the vectors of the augmented bodies, constant in their own axes,

    e_0 = sum_m r_0(m) mu_1(m),   e_i = l_i (1 - mu_i) + r_i mu_{i+1}                        (2.7)
    e~ = -e,   l~ = l - e,   r~ = r - e;    v~_ki = r~_k (k < i), e~_k (k = i), l~_k (k > i) (2.6)

where mu_i(m) is the part of the mass outboard of joint i of manipulator m. The outer sum of (2.10b)
runs over j != m. All vectors in inertial axes. Moosavian 1996, section 2.2.
"""

from __future__ import annotations

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.chain import BASE, Body, Chain
from eomc_published.moosavian.formulation.kinematics import Kinematics

__all__ = ["Barycentric"]


class Barycentric(Kinematics):
    """Centres of mass relative to the system's, their velocities, points and Jacobians."""

    coupled = False
    """Translation and rotation separate: the kinetic energy has no term T_2."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self._inverse_mass = 1 / chain.total_mass
        self._vectors = self._barycentric_vectors()
        still = Vector(chain.zero, chain.zero, chain.zero)
        self.position: dict[Body, Vector] = {}
        self.velocity: dict[Body, Vector] = {}
        for body in chain.bodies:
            spans = self.spans(body)
            self.position[body] = sum((span for _, span in spans), start=still)
            self.velocity[body] = sum(
                (chain.angular_velocity[k].cross(span) for k, span in spans), start=still
            )

    def mass_fraction(self, body: Body) -> Expression:
        """mu_i(m) = sum_{k >= i} m_k(m) / M; zero beyond the last body. (2.7c)"""
        chain = self.chain
        outboard = (chain.mass(k) for k in chain.outboard(body))
        return sum(outboard, start=chain.zero) * self._inverse_mass

    def _barycentric_vectors(self) -> dict[tuple[str, Body], Vector]:
        """e~, l~ of every body, r~ of every link and, per manipulator, of the base (m, 0)."""
        chain = self.chain
        still = Vector(chain.zero, chain.zero, chain.zero)
        arms = range(1, len(chain.flyer.manipulators) + 1)
        e0 = sum((chain.r0(m) * self.mass_fraction((m, 1)) for m in arms), start=still)
        base = chain.axes[BASE]
        vectors = {("e", BASE): base.to_inertial(-e0)}
        for m in arms:
            vectors["r", (m, 0)] = base.to_inertial(chain.r0(m) - e0)
        for body in chain.links:
            m, i = body
            inner, outer = self.mass_fraction(body), self.mass_fraction((m, i + 1))
            l, r = chain.l(body), chain.r(body)  # noqa: E741
            e = l * (1 - inner) + r * outer
            for name, vector in (("e", -e), ("l", l - e), ("r", r - e)):
                vectors[name, body] = chain.axes[body].to_inertial(vector)
        return vectors

    def spans(self, body: Body, point: Vector | None = None) -> list[tuple[Body, Vector]]:
        """The vectors that add up to rho_Ci (+ r_P/Ci), every body of the system carrying one."""
        chain, vectors = self.chain, self._vectors
        m, i = body
        own = vectors["e", BASE] if body == BASE else vectors["r", (m, 0)]
        spans = [(BASE, own)]
        for other in chain.links:
            kind = "l"
            if other[0] == m:
                kind = "r" if other[1] < i else "e" if other[1] == i else "l"
            spans.append((other, vectors[kind, other]))
        if point is None:
            return spans
        at = chain.axes[body].to_inertial(point)
        return [(k, span + at if k == body else span) for k, span in spans]
