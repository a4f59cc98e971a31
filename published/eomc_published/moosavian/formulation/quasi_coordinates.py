"""Equations of motion in the quasi-coordinates' speeds v = (R', ^0omega_0, theta').

Rows of the attitude, with T written in (^0omega_0, delta_0):

    d/dt dT/domega_0 + [omega_0]x dT/domega_0 - S_0^-T dT/ddelta_0 = ^0n_s           (3.29) - (3.31)

and Lagrange's equations for all others. With barycentric vectors T does not depend on delta_0 and
Euler's form (3.32) remains. Moosavian 1996, section 3.3.3. Where S_0 is singular, the term S_0^-T
dT/ddelta_0 of the direct path is 0/0: the coordinates, not the speeds, fail there.
"""

from __future__ import annotations

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.attitude import (
    inverse_euler_rates_matrix,
    transposed_times,
)
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.momentum_equations import momentum_equations

Matrix = list[list[Expression]]


def quasi_coordinate_dynamics(kinematics: Kinematics) -> tuple[Matrix, list[Expression]]:
    """(H, C) with H v' + C = (f_s in inertial axes, ^0n_s, tau).

    `kinematics` of a chain in Euler angles (or in the plane) with speeds "quasi".
    """
    chain = kinematics.chain
    parts = momentum_equations(kinematics)
    momenta, drift, slopes = parts.momenta, parts.drift, parts.slopes
    start = chain.translations
    stop = start + chain.turns
    if not chain.flyer.planar:
        omega = Vector(*chain.speeds[start:stop])
        drift[start:stop] = [
            rate + turning
            for rate, turning in zip(
                drift[start:stop], omega.cross(Vector(*momenta[start:stop])), strict=True
            )
        ]
        if any(not slope.is_zero for slope in slopes[start:stop]):
            inverse = inverse_euler_rates_matrix(chain.attitude)
            slopes[start:stop] = transposed_times(inverse, slopes[start:stop])
    return parts.mass_matrix, [rate - slope for rate, slope in zip(drift, slopes, strict=True)]
