"""Derivatives of constrained forward dynamics, exact, in O(N^2).

With r = tau(q, u, a) - G^T lambda, the forces that the motion takes beyond the constraints, and
G a + g = 0, a change dx of q or u changes accelerations and multipliers by

    M da - G^T dlambda = -(dr/dx) dx,      G da = -(d(G a + g)/dx) dx

at fixed a and lambda: the same equations, solved once a column by the same elimination. Forces that
depend on the reactions in joints change with a and lambda too (`System.answer`). Reference:
Carpentier, Budhiraja and Mansard, *Proximal and sparse resolution of constrained dynamic
equations*, RSS 2021, sec. V.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.dynamics.articulated import Held
from eomc.derive.functions.formulation import Formulation
from eomc.derive.graph import Expression, ForwardSweep, nodes, symbols
from eomc.derive.graph.columns import Columns, substituted


def constraint_forces(system: Formulation, multipliers: Sequence[Expression]) -> list[Expression]:
    """G^T lambda"""
    forces = [system.zero] * system.nu
    for row, multiplier in zip(system.constraints.linear.jacobian, multipliers, strict=True):
        for speed, entry in row.items():
            forces[speed] = forces[speed] + entry * multiplier
    return forces


def asked(system: Formulation, a: Sequence[Expression]) -> list[Expression]:
    """G a + g"""
    result = list(system.constraints.linear.bias)
    for j, row in enumerate(system.constraints.linear.jacobian):
        for speed, entry in row.items():
            result[j] = result[j] + entry * a[speed]
    return result


def responses(
    system: Formulation, forces: Columns, directions: Sequence[dict[int, int]]
) -> Columns:
    """da for each direction, `forces` the columns of d tau / dx at fixed acceleration."""
    count = len(system.constraints.rows)
    multipliers = symbols(system.graph, "multipliers", count)
    held_back = constraint_forces(system, multipliers)
    sweep = ForwardSweep(system.graph, nodes([*held_back, *asked(system, system.a)]))
    size = system.nu
    result = []
    for column, along in zip(forces, directions, strict=True):
        slopes = [Expression(system.graph, node) for node in sweep(along)]
        taken = [change - force for change, force in zip(slopes[:size], column, strict=True)]
        result.append(_solved(system, taken, slopes[size:]))
    return _at_solution(system, result, multipliers)


def by_forces(system: Formulation) -> Columns:
    """da/dtau"""
    one, zero = system.zero + 1, system.zero
    count, size = len(system.constraints.rows), system.nu
    rest = [zero] * count
    columns = [
        _solved(system, [one if i == k else zero for i in range(size)], rest) for k in range(size)
    ]
    return _at_solution(system, columns, symbols(system.graph, "multipliers", count))


def _solved(
    system: Formulation, tau: Sequence[Expression], bias: Sequence[Expression]
) -> list[Expression]:
    held = Held(system.constraints.linear.jacobian, bias)
    return system.answer(tau, held).acceleration


def _at_solution(
    system: Formulation, columns: Columns, multipliers: Sequence[Expression]
) -> Columns:
    """The columns with accelerations and multipliers of the constrained motion put in."""
    solution = system.solution
    given = [*zip(system.a, solution.acceleration, strict=True)]
    given += zip(multipliers, solution.multipliers, strict=True)
    replacement = {symbol.node: value.node for symbol, value in given}
    return substituted(system.graph, columns, replacement)
