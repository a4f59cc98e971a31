"""Equations of motion in Euler parameters, the constraint removed by its orthogonal complement.

q = (R, kappa, theta) has N+1 entries; q' = Phi v with v = (R', ^0omega_0, theta'):

    Phi = blockdiag(1, E_b^T / 4, 1)                                                         (3.37)
    Psi = blockdiag(1, E_b, 1),    Psi Phi = 1_N                                     (3.38), (3.39)
    d/dt dT/dv + (Psi' Phi)^T dT/dv - Phi^T dT/dq = Phi^T Q                                  (3.49)

dT/dq is taken at fixed q', dT/dv of the energy written in (q, v). Phi Psi is 1_{N+1} minus
kappa kappa^T in the attitude's block: a projector, not the identity that (3.39) prints.
Moosavian 1996, section 3.3.4.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from eomc.derive.graph import Expression, nodes
from eomc.derive.graph.traverse import substitute
from eomc_published.moosavian.formulation.attitude import parameter_rates_matrix, transposed_times
from eomc_published.moosavian.formulation.chain import Chain
from eomc_published.moosavian.formulation.differentiation import Derivatives, gradient
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.kinetic_energy import kinetic_energy
from eomc_published.moosavian.formulation.momentum_equations import momentum_equations

Matrix = list[list[Expression]]


def speed_map(chain: Chain) -> Matrix:
    """Phi (N+1, N): q' = Phi v."""
    e = parameter_rates_matrix(chain.attitude, in_base_axes=True)
    block = [[e[i][j] * Fraction(1, 4) for i in range(3)] for j in range(4)]
    return _beside_identity(chain, block)


def rate_map(chain: Chain) -> Matrix:
    """Psi (N, N+1): v = Psi q'."""
    return _beside_identity(chain, parameter_rates_matrix(chain.attitude, in_base_axes=True))


def _beside_identity(chain: Chain, block: Matrix) -> Matrix:
    """blockdiag(1_3, block, 1_K)"""
    one, zero, k = chain.zero + 1, chain.zero, len(chain.theta)
    rows, columns = 3 + len(block) + k, 3 + len(block[0]) + k
    matrix = [[zero] * columns for _ in range(rows)]
    for i in range(3):
        matrix[i][i] = one
    for i, row in enumerate(block):
        matrix[3 + i][3 : 3 + len(row)] = row
    for i in range(1, k + 1):
        matrix[-i][-i] = one
    return matrix


def euler_parameter_dynamics(
    kinematics: Kinematics, kind: Callable[[Chain], Kinematics]
) -> tuple[Matrix, list[Expression]]:
    """(H, C) with H v' + C = Phi^T Q.

    `kinematics` of a chain in Euler parameters with speeds "quasi"; `kind` makes the kinematics
    once more for the energy in q'.
    """
    chain = kinematics.chain
    parts = momentum_equations(kinematics)
    drift = parts.drift
    carried = _complement_rate(chain, parts.momenta[3:6])
    slopes = transposed_times(speed_map(chain), _slopes_at_fixed_rates(chain, kind))
    drift[3:6] = [rate + share for rate, share in zip(drift[3:6], carried, strict=True)]
    return parts.mass_matrix, [rate - slope for rate, slope in zip(drift, slopes, strict=True)]


def _complement_rate(chain: Chain, momentum: list[Expression]) -> list[Expression]:
    """The attitude's block of (Psi' Phi)^T dT/dv: half of [omega_0]x dT/domega_0."""
    e = parameter_rates_matrix(chain.attitude, in_base_axes=True)
    flat = Derivatives([entry for row in e for entry in row])
    rate = flat.along(dict(zip(chain.attitude, chain.attitude_rates, strict=True)))
    e_rate = [rate[4 * i : 4 * i + 4] for i in range(3)]
    quarter = Fraction(1, 4)
    product = [
        [
            sum((a * b for a, b in zip(row, other, strict=True)), start=chain.zero) * quarter
            for other in e
        ]
        for row in e_rate
    ]
    return transposed_times(product, momentum)


def _slopes_at_fixed_rates(chain: Chain, kind: Callable[[Chain], Kinematics]) -> list[Expression]:
    """dT/dq at fixed q', then q' = Phi v."""
    in_rates = kind(
        Chain(
            chain.flyer,
            "euler_parameters",
            symbolic=chain.symbolic,
            graph=chain.graph,
            speed_name="q_rate",
        )
    )
    slopes = gradient(kinetic_energy(in_rates), chain.q)
    rates = zip(in_rates.chain.speeds, chain.coordinate_rates, strict=True)
    known = {symbol.node: rate.node for symbol, rate in rates}
    found = substitute(chain.graph, list(nodes(slopes)), known)
    return [Expression(chain.graph, node) for node in found]
