"""Derivatives of constraints, for linearization on them.

Columns by q follow the tangent directions of the configuration (q displaced by `integrate`), all
else held:

    d(G^T lambda)/dq,   d(G u + b)/dq,   d(G u' + g)/dq,   d(G u' + g)/du
"""

from __future__ import annotations

from eomc.derive.functions.constrained_derivatives import asked, constraint_forces
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.reactions import MultiplierKind
from eomc.derive.functions.registry import KINDS, matrix
from eomc.derive.graph import Argument, Expression, ForwardSweep, nodes, symbols

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
