"""Derivatives of constraints and of constrained forward dynamics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eomc.derive.dynamics.articulated import Held
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.reactions import MultiplierKind
from eomc.derive.functions.registry import KINDS, matrix
from eomc.derive.graph import Argument, Expression, ForwardSweep, nodes, symbols
from eomc.derive.graph.columns import Columns, substituted

NAME = "constraint_derivatives"


def constraint_derivatives(system: Formulation) -> list[Argument]:
    """(curvature (nu, nu), velocity_by_q, acceleration_by_q, acceleration_by_u, each (m, nu))"""
    names, nu = system.constraints.names, system.nu
    m = len(names)
    forces = constraint_forces(system, symbols(system.graph, "multipliers", m))
    rates = system.constraints.linear.velocity
    wanted = asked(system, system.a)
    one = (system.zero + 1).node
    by_q = ForwardSweep(system.graph, nodes([*forces, *rates, *wanted]))
    by_u = ForwardSweep(system.graph, nodes(wanted))
    columns = [_read(system, by_q(along)) for along in system.directions()]
    columns_u = [_read(system, by_u({u.node: one})) for u in system.u]

    def rows(source: list[list[Expression]], start: int, count: int) -> list[list[Expression]]:
        return [[column[start + i] for column in source] for i in range(count)]

    speeds = system.speed_names
    return [
        matrix("curvature", rows(columns, 0, nu), nu, "d(G^T lambda)/dq", "", speeds),
        matrix("velocity_by_q", rows(columns, nu, m), nu, "d(G u + b)/dq", "", names),
        matrix("acceleration_by_q", rows(columns, nu + m, m), nu, "d(G a + g)/dq", "", names),
        matrix("acceleration_by_u", rows(columns_u, 0, m), nu, "d(G a + g)/du", "", names),
    ]


def _read(system: Formulation, found: list[int]) -> list[Expression]:
    return [Expression(system.graph, node) for node in found]


KINDS[NAME] = MultiplierKind(
    NAME,
    ("q", "u", "a"),
    "Derivatives of the constraints and of their forces; columns by q are tangent directions.",
    constraint_derivatives,
    sees_forces=True,
    needs=("constraints",),
)


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
    size = system.nu
    sides = right_sides(system, forces, directions)
    result = [_solved(system, column[:size], column[size:]) for column in sides]
    return at_solution(system, result)


def right_sides(
    system: Formulation, forces: Columns, directions: Sequence[dict[int, int]]
) -> Iterator[list[Expression]]:
    """d(G^T lambda - tau) above d(G a + g) for each direction, at any a and multipliers."""
    multipliers = symbols(system.graph, "multipliers", len(system.constraints.rows))
    held_back = constraint_forces(system, multipliers)
    sweep = ForwardSweep(system.graph, nodes([*held_back, *asked(system, system.a)]))
    size = system.nu
    for column, along in zip(forces, directions, strict=True):
        slopes = [Expression(system.graph, node) for node in sweep(along)]
        taken = [change - force for change, force in zip(slopes[:size], column, strict=True)]
        yield [*taken, *slopes[size:]]


def by_forces(system: Formulation) -> Columns:
    """da/dtau"""
    one, zero = system.zero + 1, system.zero
    count, size = len(system.constraints.rows), system.nu
    rest = [zero] * count
    columns = [
        _solved(system, [one if i == k else zero for i in range(size)], rest) for k in range(size)
    ]
    return at_solution(system, columns)


def _solved(
    system: Formulation, tau: Sequence[Expression], bias: Sequence[Expression]
) -> list[Expression]:
    held = Held(system.constraints.linear.jacobian, bias)
    return system.answer(tau, held).acceleration


def at_solution(system: Formulation, columns: Columns) -> Columns:
    """The columns with accelerations and multipliers of the constrained motion put in."""
    solution = system.solution
    multipliers = symbols(system.graph, "multipliers", len(solution.multipliers))
    given = [*zip(system.a, solution.acceleration, strict=True)]
    given += zip(multipliers, solution.multipliers, strict=True)
    replacement = {symbol.node: value.node for symbol, value in given}
    return substituted(system.graph, columns, replacement)
