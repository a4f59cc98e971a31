"""Lagrange's equations straight from the kinetic energy: the trusted, plain derivation.

    d/dt dT/dq' - dT/dq = Q                                                                  (3.1)
    H = d2T/dq'2,    C_i = sum_j d2T/dq_j dq'_i q'_j - dT/dq_i

Knows nothing of the formats of the terms. Moosavian 1996, section 3.4.3: the second generator.
"""

from __future__ import annotations

from eomc.derive.graph import Expression
from eomc.systems.free_flyer.differentiation import Derivatives, gradient
from eomc.systems.free_flyer.kinematics import Kinematics
from eomc.systems.free_flyer.kinetic_energy import kinetic_energy

Matrix = list[list[Expression]]


def energy_lagrange(kinematics: Kinematics) -> tuple[Matrix, list[Expression]]:
    """(H, C) of a chain whose speeds are coordinate rates."""
    chain = kinematics.chain
    energy = kinetic_energy(kinematics)
    momenta = gradient(energy, chain.speeds)
    by_coordinates = gradient(energy, chain.q)
    derivatives = Derivatives(momenta)
    columns = [derivatives.by(rate) for rate in chain.speeds]
    n = len(columns)
    mass = [[columns[min(i, j)][max(i, j)] for j in range(n)] for i in range(n)]
    drift = derivatives.along(dict(zip(chain.q, chain.speeds, strict=True)))
    return mass, [p - slope for p, slope in zip(drift, by_coordinates, strict=True)]
