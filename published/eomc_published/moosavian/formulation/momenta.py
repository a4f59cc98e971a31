"""Linear and angular momentum of the whole free-flyer, in inertial axes.

    P = M R' + sum m_k r_k'
    L = sum (T_k I_k ^komega_k + m_k (r_k - r_CM) x (r_k' - r_CM')),   about the system's CM

Without external load both are constant.
"""

from __future__ import annotations

from eomc.derive.geometry import Vector
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.kinetic_energy import spin


def mass_center(kinematics: Kinematics) -> tuple[Vector, Vector]:
    """Position and velocity of the system's centre of mass relative to the reference point."""
    chain = kinematics.chain
    position = velocity = Vector(chain.zero, chain.zero, chain.zero)
    if not kinematics.coupled:
        return position, velocity
    inverse = 1 / chain.total_mass
    for body in chain.bodies:
        mass = chain.mass(body)
        position = position + kinematics.position[body] * mass
        velocity = velocity + kinematics.velocity[body] * mass
    return position * inverse, velocity * inverse


def momenta(kinematics: Kinematics) -> tuple[Vector, Vector]:
    """(P [kg m/s], L [kg m^2/s] about the system's centre of mass)."""
    chain = kinematics.chain
    center, rate = mass_center(kinematics)
    linear = (chain.reference_rate + rate) * chain.total_mass
    angular = Vector(chain.zero, chain.zero, chain.zero)
    for body in chain.bodies:
        arm = kinematics.position[body] - center
        motion = (kinematics.velocity[body] - rate) * chain.mass(body)
        angular = angular + chain.axes[body].to_inertial(spin(chain, body)) + arm.cross(motion)
    return linear, angular
