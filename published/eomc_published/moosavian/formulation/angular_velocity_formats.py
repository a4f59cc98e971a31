"""Derivatives of the angular velocities by the formulas for a numerical program.

    ^komega_k = ^{k-1}T_k^T ... ^0T_1^T S_0 delta_0' + sum_{s<k} (^{k-1}T_k^T ... ^sT_{s+1}^T) ^sz_s
                q'_s + ^kz_k q'_k                                                            (3.54)

Of all factors only ^{i-1}T_i depends on q_i, only S_0 on delta_0: the derivative by q_i replaces
one factor, and drops the terms without it (3.55, 3.56); that by q'_i leaves one term (3.57, 3.58).
Moosavian 1996, section 3.4.1.
"""

from __future__ import annotations

from eomc.derive.geometry import Vector, unit
from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.attitude import euler_rates_matrix, times
from eomc_published.moosavian.formulation.body_axes import BodyAxes
from eomc_published.moosavian.formulation.chain import BASE, Body, Chain
from eomc_published.moosavian.formulation.differentiation import Derivatives


def _derivative(axes: BodyAxes) -> BodyAxes:
    """d(^{i-1}T_i)/dq_i: a turn about z takes x to y and y to -x."""
    return BodyAxes(axes.y, -axes.x, axes.z * 0)


def carried(chain: Chain, v: Vector, body: Body, start: int, differentiated: int = 0) -> Vector:
    """^{k-1}T_k^T ... ^{start}T_{start+1}^T v; factor number `differentiated` by its angle."""
    for inner in chain.inboard(body)[start:]:
        axes = chain.relative[inner]
        v = (_derivative(axes) if inner[1] == differentiated else axes).to_body(v)
    return v


def by_attitude(chain: Chain, body: Body) -> list[Vector]:
    """sigma_1: d(^komega_k)/d(alpha, beta, gamma). (3.56a)"""
    matrix = euler_rates_matrix(chain.attitude)
    entries = Derivatives([entry for row in matrix for entry in row])
    columns = []
    for angle in chain.attitude:
        flat = entries.by(angle)
        rows = [flat[3 * i : 3 * i + 3] for i in range(3)]
        slope = Vector(*times(rows, chain.attitude_rates))
        columns.append(carried(chain, slope, body, 0))
    return columns


def by_joint(chain: Chain, body: Body, i: int) -> Vector:
    """sigma_2 for i < k, sigma_3 for i = k: d(^komega_k)/dq_i of the own manipulator. (3.56b, c)"""
    total = carried(chain, chain.body_rates[BASE], body, 0, i)
    for inner in chain.inboard(body)[: i - 1]:
        spin = unit(chain.zero, 2) * chain.theta_rates[chain.joint_of[inner]]
        total = total + carried(chain, spin, body, inner[1], i)
    return total


def by_attitude_rates(chain: Chain, body: Body) -> list[Vector]:
    """sigma_1': d(^komega_k)/d(alpha', beta', gamma'). (3.58)"""
    columns = zip(*euler_rates_matrix(chain.attitude), strict=True)
    return [carried(chain, Vector(*column), body, 0) for column in columns]


def by_joint_rate(chain: Chain, body: Body, i: int) -> Vector:
    """sigma_2', sigma_3': d(^komega_k)/dq'_i of the own manipulator. (3.58)"""
    return carried(chain, unit(chain.zero, 2), body, i)


def formula_derivatives(chain: Chain, body: Body) -> tuple[list[Vector], list[Vector]]:
    """(d(^komega_k)/dq, d(^komega_k)/dq') by (3.55) and (3.57), zero where they say so."""
    still = Vector(chain.zero, chain.zero, chain.zero)
    by_q, by_rates = [still] * len(chain.q), [still] * len(chain.q)
    first = chain.translations
    by_q[first : first + 3] = by_attitude(chain, body)
    by_rates[first : first + 3] = by_attitude_rates(chain, body)
    for inner in chain.inboard(body):
        place = first + 3 + chain.joint_of[inner]
        by_q[place] = by_joint(chain, body, inner[1])
        by_rates[place] = by_joint_rate(chain, body, inner[1])
    return by_q, by_rates


def swept_derivatives(chain: Chain, body: Body) -> tuple[list[Vector], list[Vector]]:
    """The same by differentiating (3.54) on the graph."""
    derivatives = Derivatives(list(chain.body_rates[body]))

    def by(symbols: list[Expression]) -> list[Vector]:
        return [Vector(*derivatives.by(symbol)) for symbol in symbols]

    return by(chain.q), by(chain.speeds)
