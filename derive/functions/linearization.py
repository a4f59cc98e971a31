"""Linearized equations of motion about any state, moving or at rest.

Inverse dynamics tau = f(q, u, a) is expanded about a motion in the tangent displacements xi of its
configuration (q displaced by ``integrate(q, xi)``):

    M xi'' + C xi' + K xi = d tau + B_r dr

Where speeds are the rates of coordinates, M, C, K are df/da, df/du, df/dq. Body rates of quaternion
joints are not: with the relative twist S u of a link in its own axes, S constant,

    xi' = du + W xi,     S W xi = -[S u, S xi]

(the bracket of se(3)), so that du = xi' - W xi and da = xi'' - W' xi - W xi' give

    C = df/du - M W,     K = df/dq - df/du W - M W'.

References: Trom, *Automated linearization of nonlinear coupled differential and algebraic
equations*, Iowa State University (1990), chapters 3 and 5; Sola, Deray and Atchuthan, *A micro Lie
theory for state estimation in robotics* (2018), for the bracket.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.functions import derivatives
from eomc.derive.functions.registry import function, matrix
from eomc.derive.geometry import Vector
from eomc.derive.graph import Argument, Expression
from eomc.derive.model.errors import ModelError
from eomc.derive.system import System
from eomc.derive.tree.link import Link

Rows = list[list[Expression]]


def transport(system: System, u: Sequence[Expression]) -> Rows:
    """W (nu, nu) of xi' = du + W xi, linear in the speeds `u`; zero but for body rates."""
    n, zero = system.tree.nu, system.tree.zero
    rows = [[zero] * n for _ in range(n)]
    for link in system.tree.links:
        if not link.owns_coordinates or _speeds_are_rates(system, link):
            continue
        columns = link.motion.subspace(system.state.coordinates(link))
        _require_constant(link, columns)
        w, v = _twist(system, columns, [u[speed.index] for speed in link.speeds])
        for column, speed in zip(columns, link.speeds, strict=True):
            theta, p = column
            angular, linear = w.cross(theta), w.cross(p) + v.cross(theta)
            for (row_angular, row_linear), row in zip(columns, link.speeds, strict=True):
                bracket = row_angular.dot(angular) + row_linear.dot(linear)
                rows[row.index][speed.index] = -bracket
    return rows


def _speeds_are_rates(system: System, link: Link) -> bool:
    q, u = system.state.coordinates(link), system.state.speeds(link)
    rates = link.motion.rates(q, u)
    return len(rates) == len(u) and all(a.node == b.node for a, b in zip(rates, u, strict=True))


def _require_constant(link: Link, columns: Sequence[tuple[Vector, Vector]]) -> None:
    """Constant unit columns along the axes, as all motions with body rates have."""
    for k, (angular, linear) in enumerate(columns):
        for j, (other, along) in enumerate(columns[: k + 1]):
            product = angular.dot(other) + linear.dot(along)
            if not (product.is_constant and (product - int(j == k)).is_zero):
                raise ModelError(
                    f"joint {link.name!r}: its speeds are not the rates of its coordinates, and "
                    "its motion subspace is not constant and orthonormal in the child's axes; "
                    "such a joint cannot be linearized"
                )


def _twist(
    system: System, columns: Sequence[tuple[Vector, Vector]], u: Sequence[Expression]
) -> tuple[Vector, Vector]:
    angular = linear = system.tree.zero_vector()
    for (w, v), speed in zip(columns, u, strict=True):
        angular, linear = angular + w * speed, linear + v * speed
    return angular, linear


def _times(a: Rows, b: Rows) -> Rows:
    """a b, with sums over what is not zero."""
    zero = a[0][0] * 0
    product = []
    for row in a:
        used = [(entry, b[k]) for k, entry in enumerate(row) if not entry.is_zero]
        product.append([_dot(used, j, zero) for j in range(len(b[0]))])
    return product


def _dot(
    used: Sequence[tuple[Expression, list[Expression]]], j: int, zero: Expression
) -> Expression:
    total = zero
    for entry, row in used:
        if not row[j].is_zero:
            total = total + entry * row[j]
    return total


def _minus(a: Rows, b: Rows) -> Rows:
    return [[x - y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def _square(system: System, argument: Argument) -> Rows:
    """Rows of a derived (nu, nu) output."""
    n = system.tree.nu
    entries = [Expression(system.graph, node) for node in argument.entries]
    return [entries[i * n : (i + 1) * n] for i in range(n)]


@function(
    "linearization",
    ("q", "u", "a"),
    "Linearized motion M xi'' + C xi' + K xi = d tau in tangent displacements xi; xi' = du + W xi.",
    sees_forces=True,
)
def linearization(system: System) -> list[Argument]:
    """(M, C, K, W, W'), each (nu, nu)."""
    by_q, by_u, mass = (
        _square(system, argument) for argument in derivatives.inverse_dynamics_derivatives(system)
    )
    w, w_rate = transport(system, system.u), transport(system, system.a)
    damping = _minus(by_u, _times(mass, w))
    stiffness = _minus(_minus(by_q, _times(by_u, w)), _times(mass, w_rate))
    names = system.tree.speed_names
    described = (
        ("M", mass, "mass matrix"),
        ("C", damping, "damping and gyroscopic matrix"),
        ("K", stiffness, "stiffness matrix"),
        ("W", w, "rates of displacements: xi' = du + W xi"),
        ("W_rate", w_rate, "time derivative of W"),
    )
    return [
        matrix(name, rows, len(names), description, "", names)
        for name, rows, description in described
    ]


@function(
    "input_matrix",
    ("q", "u", "a"),
    "Generalized forces of the inputs: -d tau / d r at given accelerations.",
    sees_forces=True,
)
def input_matrix(system: System) -> list[Argument]:
    """B_r, (nu, number of inputs): M xi'' + C xi' + K xi = d tau + B_r dr."""
    one = (system.tree.zero + 1).node
    directions = [{r.node: one} for r in system.r]
    columns = derivatives.swept_columns(system, system.inverse.free, directions)
    rows = [[-column[i] for column in columns] for i in range(system.tree.nu)]
    description = "generalized forces of the inputs"
    return [matrix("B_r", rows, len(columns), description, "", system.tree.speed_names)]
