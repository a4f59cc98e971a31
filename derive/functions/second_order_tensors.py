"""Second derivatives of inverse dynamics, whole: changes of the first ones in every direction.

The first derivatives by composite bodies (`eomc.derive.dynamics.partials`) take O(N^2) operations,
and a forward sweep over them along one direction the same; N of them are O(N^3), as many as there
are entries. The graph leaves out what a displacement does not change: in link axes that of joint j
reaches rows and columns of its own subtree and of its ancestors alone. Derivatives by the
accelerations are those of the mass matrix, of which half are taken, and so are those by two speeds,
and by two coordinates where these are displaced by their speeds.

Reference: Singh, Russell and Wensing, *On second-order derivatives of rigid-body dynamics*, IEEE
Transactions on Robotics 40 (2024), which contracts the same composite quantities twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.functions import derivatives, directions
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import function
from eomc.derive.graph import Argument, Expression, ForwardSweep, nodes
from eomc.derive.graph.rotations import rotations

Square = list[list[Expression]]


def _changes(system: Formulation, first: Sequence[Square], of: str) -> list[list[Square]]:
    """By direction of the array `of`: the matrices changed along it."""
    n, graph = system.nu, system.graph
    flat = [entry for square in first for row in square for entry in row]
    sweep = ForwardSweep(graph, nodes(flat), rotations)
    found = []
    for along in directions.units(system, [of]):
        entries = [Expression(graph, node) for node in sweep(along)]
        rows = [entries[k : k + n] for k in range(0, len(entries), n)]
        found.append([rows[k : k + n] for k in range(0, len(rows), n)])
    return found


def _tensor(
    system: Formulation, name: str, changed: Sequence[Square], symmetric: bool, told: str
) -> Argument:
    """Entries [k][i][j] of the matrices (k, i) by direction j; half of them where symmetric."""
    n = system.nu
    entries = [
        changed[min(i, j) if symmetric else j][k][max(i, j) if symmetric else i].node
        for k in range(n)
        for i in range(n)
        for j in range(n)
    ]
    return Argument(name, (n, n, n), tuple(entries), told, "", system.speed_names)


@function(
    "inverse_dynamics_second_derivatives",
    ("q", "u", "a"),
    "Second derivatives of inverse dynamics, whole: entry [k][i][j] is that of force k by i, then "
    "along j; by q along its tangent directions.",
    sees_forces=True,
)
def inverse_dynamics_second_derivatives(system: Formulation) -> list[Argument]:
    """(d2tau/dq dq, d2tau/du dq, d2tau/du du, d2tau/da dq), each (nu, nu, nu)."""
    graph, n = system.graph, system.nu
    first = []
    for argument in derivatives.inverse_dynamics_derivatives(system):
        entries = [Expression(graph, node) for node in argument.entries]
        first.append([entries[k * n : k * n + n] for k in range(n)])
    by_q = _changes(system, first, "q")
    by_u = [square for (square,) in _changes(system, first[1:2], "u")]
    rates = all(entry.is_zero for row in system.transport[0] for entry in row)
    of_q, of_u, of_a = ([squares[k] for squares in by_q] for k in range(3))
    return [
        _tensor(system, "d2tau_dqdq", of_q, rates, "d2 tau / dq dq"),
        _tensor(system, "d2tau_dudq", of_u, False, "d2 tau / du dq"),
        _tensor(system, "d2tau_dudu", by_u, True, "d2 tau / du du"),
        _tensor(system, "d2tau_dadq", of_a, False, "d2 tau / da dq, the change of the mass matrix"),
    ]
