"""Weighted derivatives of midpoint steps: one backward sweep, and second derivatives.

With x_next = E(w, y) and R(w, y) = 0, w = (q, u, tau, r, p), the adjoint mu of the equations and
l = weights^T E - mu^T R give

    R_y^T mu = E_y^T weights,    d(weights^T x_next)/dw = l_w
    d2(weights^T x_next)/dw2 = Z^T l'' Z

with Z = [1; -R_y^-1 R_w] and the second derivatives l'' by (w, y) at fixed mu.

Reference: Hager, *Runge-Kutta methods in optimal control and the transformed adjoint system*,
Numer. Math. 87 (2000).
"""

from __future__ import annotations

from eomc.derive.dynamics.elimination import eliminate
from eomc.derive.functions import adjoints, directions
from eomc.derive.functions.directions import directed
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.midpoint import (
    midpoint_end,
    midpoint_equations,
    midpoint_guards,
    midpoint_solution,
)
from eomc.derive.functions.registry import column, matrix
from eomc.derive.functions.runge_kutta_adjoint import put, step_weights
from eomc.derive.functions.runge_kutta_derivatives import weights_of_state
from eomc.derive.graph import Argument, Expression, nodes, reverse_gradient, symbols
from eomc.derive.graph.columns import swept
from eomc.derive.graph.rotations import rotations

Vector = list[Expression]


def _gradient(system: Formulation, value: Expression, by: Vector) -> Vector:
    found = reverse_gradient(system.graph, value.node, nodes(by), rotations)
    return [Expression(system.graph, node) for node in found]


def _lagrangian(system: Formulation, weights: Vector) -> tuple[Expression, dict[int, int]]:
    """l in symbols of w, y and mu, and their values at the solution."""
    equations, at = midpoint_equations(system), dict(midpoint_solution(system).at)
    mu = list(symbols(system.graph, "mu", len(equations.y)))
    value = adjoints.product(system, weights, midpoint_end(system))
    pulled = put(system, _gradient(system, value, equations.y), at)
    rows = [put(system, own, at) for own in equations.by_y]  # of R_y^T
    at |= dict(zip(nodes(mu), nodes(eliminate(rows).solve(pulled)), strict=True))
    return value - adjoints.product(system, mu, equations.residual), at


@directed(
    ("q", "u", "tau"),
    "Gradient of q_next_bar^T q_next + u_next_bar^T u_next after one implicit midpoint step of "
    "length h, by one backward sweep; by q and u entry by entry.",
    step_weights,
    midpoint_guards,
    needs=("free steps", "tangent displacements"),
)
def midpoint_step_vjp(system: Formulation) -> list[Argument]:
    """(q_bar, u_bar, tau_bar, r_bar, p_bar)"""
    graph = system.graph
    weights = [*symbols(graph, "q_next_bar", system.nq), *symbols(graph, "u_next_bar", system.nu)]
    value, at = _lagrangian(system, weights)
    variables = dict(directions.variables(system, adjoints.FORWARD)) | {"q": system.q}
    rows = {name: directions.rows(system, name) for name in variables}
    rows |= {"q": system.coordinate_names}
    return [
        column(
            f"{name}_bar",
            put(system, _gradient(system, value, by), at),
            f"gradient by {name}",
            "",
            rows[name],
        )
        for name, by in variables.items()
    ]


@directed(
    ("q", "u", "tau"),
    "Second derivatives of weights^T x_next after one implicit midpoint step, by (x, v): "
    "displacements, speeds, forces, inputs.",
    weights_of_state,
    midpoint_guards,
    needs=("free steps", "speeds as rates"),
)
def midpoint_step_hessian(system: Formulation) -> list[Argument]:
    """H (nx + nv, nx + nv), symmetric: every entry is computed once"""
    equations, one = midpoint_equations(system), (system.zero + 1).node
    given = list(symbols(system.graph, "weights", 2 * system.nu))
    value, at = _lagrangian(system, given)
    arrays = [name for name, _ in directions.variables(system, ("q", "u", "tau", "r"))]
    w = [*system.q, *system.u, *system.tau, *system.r]
    units = [{x.node: one} for x in (*w, *equations.y)]
    slopes = _gradient(system, value, [*w, *equations.y])
    second = [put(system, own, at) for own in swept(system.graph, slopes, units)]
    by_y = [put(system, own, at) for own in equations.by_y]
    factors = eliminate([list(row) for row in zip(*by_y, strict=True)])
    by_w = swept(system.graph, equations.residual, units[: len(w)])
    zero = system.zero
    z = []
    for k, own in enumerate(by_w):
        moved = factors.solve([-x for x in put(system, own, at)])
        z.append([*(zero + int(i == k) for i in range(len(w))), *moved])
    total = [[zero] * len(w) for _ in w]
    for j, own in enumerate(z):
        bent = [adjoints.product(system, row, own) for row in second]
        for k in range(j, len(w)):
            total[j][k] = total[k][j] = adjoints.product(system, z[k], bent)
    names = [name for array in arrays for name in directions.rows(system, array)]
    names[system.nu : 2 * system.nu] = [f"speed({name})" for name in system.speed_names]
    return [matrix("H", total, len(w), "second derivatives by x and v", "", names)]
