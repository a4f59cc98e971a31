"""Generalized forces of the actuators: the base's thrusters and the joints' motors.

    Q = J_Q (^0f_s, ^0n_s, tau),   J_Q = J_0^T beside 1_K                            (3.16), (3.26)
    (^0R_C0', ^0omega_0) = J_0 q',   J_0 = blockdiag(T_0^T, S_0)                             (3.25)

Thrust and torque act at the base's centre of mass, in base axes. J_Q is singular where S_0 is; for
the speeds (R', ^0omega_0, theta') the identity takes the place of S_0, and it never is.
Moosavian 1996, section 3.3.2.
"""

from __future__ import annotations

from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.attitude import euler_rates_matrix
from eomc_published.moosavian.formulation.chain import BASE, Chain

Matrix = list[list[Expression]]


def generalized_force_matrix(chain: Chain) -> Matrix:
    """J_Q (N, N): blockdiag(T_0, S_0^T, 1_K) in Euler-angle rates; S_0 = 1 for quasi-speeds."""
    n = len(chain.speeds)
    matrix = [[chain.zero] * n for _ in range(n)]
    size = chain.translations
    columns = chain.axes[BASE].columns[:size]
    for i in range(size):
        for j, column in enumerate(columns):
            matrix[i][j] = list(column)[i]
    one = chain.zero + 1
    for i in range(size, n):
        matrix[i][i] = one
    if not (chain.flyer.planar or chain.quasi):
        rates = euler_rates_matrix(chain.attitude)
        for i in range(3):
            for j in range(3):
                matrix[size + i][size + j] = rates[j][i]
    return matrix
