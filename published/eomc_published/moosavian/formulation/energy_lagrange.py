"""Lagrange's equations straight from the kinetic energy: the trusted, plain derivation.

    d/dt dT/dq' - dT/dq = Q                                                                  (3.1)
    H = d2T/dq'2,    C_i = sum_j d2T/dq_j dq'_i q'_j - dT/dq_i

Knows nothing of the formats of the terms. Moosavian 1996, section 3.4.3: the second generator.
"""

from __future__ import annotations

from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.momentum_equations import momentum_equations

Matrix = list[list[Expression]]


def energy_lagrange(kinematics: Kinematics) -> tuple[Matrix, list[Expression]]:
    """(H, C) of a chain whose speeds are coordinate rates."""
    parts = momentum_equations(kinematics)
    terms = [p - slope for p, slope in zip(parts.drift, parts.slopes, strict=True)]
    return parts.mass_matrix, terms
