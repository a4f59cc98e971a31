"""Kinetic energy in the two kinematics.

    T = T_0 + T_1 (+ T_2),   T_0 = M R'.R' / 2                                       (3.5), (3.10)
    T_1 = sum (m rho'.rho' + omega.I.omega) / 2,   T_2 = R_C0' . sum m r'

T_2 vanishes where the reference is the system's centre of mass. Moosavian 1996, section 3.2.
"""

from __future__ import annotations

from fractions import Fraction

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.chain import Body, Chain
from eomc_published.moosavian.formulation.kinematics import Kinematics


def kinetic_energy(kinematics: Kinematics) -> Expression:
    """T [J] in the coordinates and speeds of the chain."""
    chain = kinematics.chain
    double = chain.reference_rate.dot(chain.reference_rate) * chain.total_mass
    carried = Vector(chain.zero, chain.zero, chain.zero)
    for body in chain.bodies:
        velocity, mass = kinematics.velocity[body], chain.mass(body)
        double = double + velocity.dot(velocity) * mass + spin_energy_twice(chain, body)
        carried = carried + velocity * mass
    if kinematics.coupled:
        double = double + 2 * chain.reference_rate.dot(carried)
    return double * Fraction(1, 2)


def spin_energy_twice(chain: Chain, body: Body) -> Expression:
    """omega . I . omega, in body axes."""
    return chain.body_rates[body].dot(spin(chain, body))


def spin(chain: Chain, body: Body) -> Vector:
    """I omega, in body axes."""
    return principal(chain.inertia(body), chain.body_rates[body])


def principal(moments: Vector, omega: Vector) -> Vector:
    """diag(I_xx, I_yy, I_zz) omega"""
    return Vector(moments.x * omega.x, moments.y * omega.y, moments.z * omega.z)
