"""Generalized momenta, their mass matrix and drift: the beginning of all equations of motion.

p = dT/dv,    H = dp/dv,    p' = H v' + (dp/dq) q'
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.differentiation import Derivatives, gradient
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.kinetic_energy import kinetic_energy

Matrix = list[list[Expression]]


@dataclass(frozen=True)
class MomentumEquations:
    """T, p, H (symmetric, from one triangle), (dp/dq) q' and dT/dq at fixed speeds."""

    energy: Expression
    momenta: list[Expression]
    mass_matrix: Matrix
    drift: list[Expression]
    slopes: list[Expression]


def momentum_equations(kinematics: Kinematics) -> MomentumEquations:
    """By differentiating the kinetic energy on the graph, in the speeds of the chain."""
    chain = kinematics.chain
    energy = kinetic_energy(kinematics)
    momenta = gradient(energy, chain.speeds)
    derivatives = Derivatives(momenta)
    columns = [derivatives.by(speed) for speed in chain.speeds]
    n = range(len(columns))
    mass = [[columns[min(i, j)][max(i, j)] for j in n] for i in n]
    drift = derivatives.along(dict(zip(chain.q, chain.coordinate_rates, strict=True)))
    return MomentumEquations(energy, momenta, mass, drift, gradient(energy, chain.q))
