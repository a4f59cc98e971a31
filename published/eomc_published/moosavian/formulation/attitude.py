"""Attitude of the base: rotation matrix T_0 and angular velocity from angles or Euler parameters.

Euler angles delta_0 = (alpha, beta, gamma) of the sequence z-y-x:

    T_0 = Rot_z(gamma) Rot_y(beta) Rot_x(alpha),    ^0omega_0 = S_0(delta_0) delta_0'       (3.7)

Euler parameters kappa = (epsilon, eta), kappa . kappa = 1:

    T_0 = (2 eta^2 - 1) 1 + 2 epsilon epsilon^T + 2 eta [epsilon]x                          (3.36)
    omega_0 = E kappa',     E   = 2 [eta 1 + [epsilon]x   -epsilon]   in inertial axes      (3.35)
    ^0omega_0 = E_b kappa', E_b = 2 [eta 1 - [epsilon]x   -epsilon]   in base axes

Moosavian 1996, sections 3.2 and 3.3.3; (3.35) prints E also for the components in base axes, for
which it is E_b.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.body_axes import BodyAxes

Rows = list[list[Expression]]


def plane_axes(angle: Expression) -> BodyAxes:
    """T_0 = Rot_z(theta_0)."""
    return BodyAxes.inertial(angle * 0).turned_about("z", angle.cos(), angle.sin())


def euler_axes(angles: Sequence[Expression]) -> BodyAxes:
    """T_0 of (alpha, beta, gamma)."""
    alpha, beta, gamma = angles
    axes = plane_axes(gamma).turned_about("y", beta.cos(), beta.sin())
    return axes.turned_about("x", alpha.cos(), alpha.sin())


def euler_rates_matrix(angles: Sequence[Expression]) -> Rows:
    """S_0 (3, 3): ^0omega_0 = S_0 (alpha', beta', gamma'). det S_0 = cos(beta)."""
    alpha, beta, _ = angles
    ca, sa, cb, sb = alpha.cos(), alpha.sin(), beta.cos(), beta.sin()
    zero, one = alpha * 0, alpha * 0 + 1
    return [[one, zero, -sb], [zero, ca, sa * cb], [zero, -sa, ca * cb]]


def inverse_euler_rates_matrix(angles: Sequence[Expression]) -> Rows:
    """S_0^-1 (3, 3); divides by cos(beta)."""
    alpha, beta, _ = angles
    ca, sa, cb, sb = alpha.cos(), alpha.sin(), beta.cos(), beta.sin()
    zero, one = alpha * 0, alpha * 0 + 1
    return [[one, sa * sb / cb, ca * sb / cb], [zero, ca, -sa], [zero, sa / cb, ca / cb]]


def parameter_axes(kappa: Sequence[Expression]) -> BodyAxes:
    """T_0 of the Euler parameters (epsilon, eta)."""
    epsilon, eta = Vector(*kappa[:3]), kappa[3]
    scale = 2 * eta * eta - 1
    columns = []
    for k, axis in enumerate(BodyAxes.inertial(eta * 0).columns):
        outer = epsilon * (2 * list(epsilon)[k])
        columns.append(axis * scale + outer + epsilon.cross(axis) * (2 * eta))
    return BodyAxes(*columns)


def parameter_rates_matrix(kappa: Sequence[Expression], *, in_base_axes: bool) -> Rows:
    """E_b or E (3, 4): the angular velocity in base or in inertial axes from kappa'."""
    (x, y, z), eta = kappa[:3], kappa[3]
    sign = -1 if in_base_axes else 1
    cross = [[eta * 0, -z, y], [z, eta * 0, -x], [-y, x, eta * 0]]
    rows = []
    for i, epsilon in enumerate((x, y, z)):
        row = [sign * cross[i][j] + (eta if i == j else 0) for j in range(3)]
        rows.append([2 * entry for entry in (*row, -epsilon)])
    return rows


def parameter_rates(kappa: Sequence[Expression], omega: Vector) -> list[Expression]:
    """kappa' = E_b^T ^0omega_0 / 4."""
    rows = parameter_rates_matrix(kappa, in_base_axes=True)
    quarter = Fraction(1, 4)
    return [
        sum((rows[i][j] * w for i, w in enumerate(omega)), start=omega.x * 0) * quarter
        for j in range(4)
    ]


def times(rows: Rows, vector: Sequence[Expression]) -> list[Expression]:
    """Matrix times vector."""
    return [
        sum((a * b for a, b in zip(row, vector, strict=True)), start=vector[0] * 0) for row in rows
    ]


def transposed_times(rows: Rows, vector: Sequence[Expression]) -> list[Expression]:
    """Transposed matrix times vector."""
    return times([list(column) for column in zip(*rows, strict=True)], vector)
