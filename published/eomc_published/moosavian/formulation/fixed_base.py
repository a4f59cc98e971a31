"""One manipulator on a fixed base: the limit of a free-flyer whose base is very heavy.

    H = sum_i (m_i J_L(i)^T J_L(i) + J_A(i)^T I_i J_A(i))                                    (3.50)
    J_L(i) = [z_1 x P^1_Ci ... z_i x P^i_Ci 0 ... 0],   J_A(i) = [z_1 ... z_i 0 ... 0]       (3.51)
    C_i = sum_jk m_ijk q'_j q'_k,   m_ijk = dH_ij/dq_k - dH_jk/dq_i / 2

P^j_Ci leads from joint j to the centre of mass C_i. H_ij depends on the masses and inertias of
links k >= max(i, j) only, C_i on those of links k >= i (3.52). Moosavian 1996, section 3.5, after
Asada and Slotine.
"""

from __future__ import annotations

from fractions import Fraction

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.chain import Body, Chain
from eomc_published.moosavian.formulation.differentiation import Derivatives
from eomc_published.moosavian.formulation.kinetic_energy import principal

Matrix = list[list[Expression]]


def from_joint(chain: Chain, joint: Body, body: Body) -> Vector:
    """P^j_Ci in inertial axes."""
    m, i = body
    way = chain.axes[body].to_inertial(-chain.l(body))
    for k in range(joint[1], i):
        inner = (m, k)
        way = way + chain.axes[inner].to_inertial(chain.r(inner) - chain.l(inner))
    return way


def fixed_base_mass_matrix(chain: Chain, m: int) -> Matrix:
    """H (N_m, N_m) of manipulator m."""
    bodies = chain.outboard((m, 1))
    n = len(bodies)
    matrix = [[chain.zero] * n for _ in range(n)]
    for i, body in enumerate(bodies):
        mass, moments = chain.mass(body), chain.inertia(body)
        linear = [chain.axes[b].z.cross(from_joint(chain, b, body)) for b in bodies[: i + 1]]
        angular = [chain.axes[body].to_body(chain.axes[b].z) for b in bodies[: i + 1]]
        for a in range(i + 1):
            for b in range(i + 1):
                share = linear[a].dot(linear[b]) * mass
                share = share + angular[a].dot(principal(moments, angular[b]))
                matrix[a][b] = matrix[a][b] + share
    return matrix


def fixed_base_nonlinear_terms(chain: Chain, m: int) -> list[Expression]:
    """C (N_m,) of manipulator m, in its joint rates."""
    joints = [chain.joint_of[body] for body in chain.outboard((m, 1))]
    theta = [chain.theta[joint] for joint in joints]
    rates = [chain.theta_rates[joint] for joint in joints]
    matrix = fixed_base_mass_matrix(chain, m)
    n = range(len(joints))
    derivatives = Derivatives([matrix[i][j] for i in n for j in n])
    slope = [derivatives.by(angle) for angle in theta]
    size = len(joints)

    def christoffel(i: int, j: int, k: int) -> Expression:
        return slope[k][i * size + j] - slope[i][j * size + k] * Fraction(1, 2)

    return [
        sum((christoffel(i, j, k) * rates[j] * rates[k] for j in n for k in n), start=chain.zero)
        for i in n
    ]
