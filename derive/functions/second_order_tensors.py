"""Second derivatives of inverse and forward dynamics, whole: changes of the first ones.

The first derivatives of inverse dynamics by composite bodies (`eomc.derive.dynamics.partials`) take
O(N^2) operations, and a forward sweep over them along one direction the same; N of them are O(N^3),
as many as there are entries. The graph leaves out what a displacement does not change: in link axes
that of joint j reaches rows and columns of its own subtree and of its ancestors alone. Derivatives
by the accelerations are those of the mass matrix, of which half are taken, and so are those by two
coordinates where these are displaced by their speeds. Those by two speeds follow from the mass
matrix, of rigid bodies whose speeds are the rates of their coordinates,

    d2tau_k/du_i du_j = dM_ki/dq_j + dM_kj/dq_i - dM_ij/dq_k

(twice Christoffel's symbols), less those of the loads; of others half are swept.

Those of forward dynamics are swept alike: O(N^3) where long chains find their first ones by
articulated inertias in O(N^2). With M_i = dM/di, tau(q, u, a(q, u, tau)) = tau differentiated twice

    a_ij = -M^-1 (tau_ij + M_i a_j + M_j a_i),   a_tau,j = -M^-1 M_j M^-1

leads through those of inverse dynamics, by products of O(N^4) operations: as many for six or seven
joints, a third more for twelve.

Reference: Singh, Russell and Wensing, *On second-order derivatives of rigid-body dynamics*, IEEE
Transactions on Robotics 40 (2024), which contracts the same composite quantities twice, and goes
the second way for forward dynamics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.functions import derivatives, directions
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import function
from eomc.derive.graph import Argument, Expression, ForwardSweep, nodes
from eomc.derive.graph.columns import Columns
from eomc.derive.graph.rotations import rotations

Square = list[list[Expression]]


def _changes(system: Formulation, first: Sequence[Square], of: str) -> list[list[Square]]:
    """By direction of the array `of`: the matrices changed along it."""
    n, graph = system.nu, system.graph
    flat = [entry for square in first for row in square for entry in row]
    sweep = ForwardSweep(graph, nodes(flat), rotations)
    found = []
    for column in sweep.columns(directions.units(system, [of])):
        entries = [Expression(graph, node) for node in column]
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


@dataclass(frozen=True)
class FirstOrderChanges:
    """First derivatives, changed: by direction, matrices (of entry k by i).

    of_q, of_u, of_third : those by q, by u and by what stands third (a or tau), along q
    by_u : those by u, along u
    """

    of_q: list[Square]
    of_u: list[Square]
    of_third: list[Square]
    by_u: list[Square]

    def tensors(self, system: Formulation, of: str, third: str) -> list[Argument]:
        """As output arrays; half of what is symmetric is taken twice."""
        rates = all(entry.is_zero for row in system.transport[0] for entry in row)
        found = (
            ("q", "q", self.of_q, rates),
            ("u", "q", self.of_u, False),
            ("u", "u", self.by_u, True),
            (third, "q", self.of_third, False),
        )
        return [
            _tensor(system, f"d2{of}_d{i}d{j}", changed, symmetric, f"d2 {of} / d{i} d{j}")
            for i, j, changed, symmetric in found
        ]


def _christoffel(mass: Sequence[Square], loads: Sequence[Columns]) -> list[Square]:
    """Changes of dtau/du along u, from those of M along q and from those of the loads."""
    n = range(len(mass))
    return [
        [[mass[j][k][i] + mass[i][k][j] - mass[k][i][j] - loads[j][i][k] for i in n] for k in n]
        for j in n
    ]


def changes(
    system: Formulation, given: Sequence[Argument], loads: Sequence[Columns] | None = None
) -> FirstOrderChanges:
    """First derivatives by q, u and a third array, swept along the directions of q and u; along u
    from the third array, M, and the second derivatives of the ``loads`` if these are given."""
    graph, n = system.graph, system.nu
    first = []
    for argument in given:
        entries = [Expression(graph, node) for node in argument.entries]
        first.append([entries[k * n : k * n + n] for k in range(n)])
    along_q = _changes(system, first, "q")
    of_q, of_u, of_third = ([squares[k] for squares in along_q] for k in range(3))
    if loads is None:
        by_u = [square for (square,) in _changes(system, first[1:2], "u")]
    else:
        by_u = _christoffel(of_third, loads)
    return FirstOrderChanges(of_q, of_u, of_third, by_u)


@function(
    "inverse_dynamics_second_derivatives",
    ("q", "u", "a"),
    "Second derivatives of inverse dynamics, whole: entry [k][i][j] is that of force k by i, then "
    "along j; by q along its tangent directions.",
    sees_forces=True,
    sees_multipliers=True,
)
def inverse_dynamics_second_derivatives(system: Formulation) -> list[Argument]:
    """(d2tau/dq dq, d2tau/du dq, d2tau/du du, d2tau/da dq), each (nu, nu, nu)."""
    first = derivatives.inverse_dynamics_derivatives(system)
    return changes(system, first, system.loads_by_two_speeds()).tensors(system, "tau", "a")


@function(
    "forward_dynamics_second_derivatives",
    ("q", "u", "tau"),
    "Second derivatives of forward dynamics, whole: entry [k][i][j] is that of acceleration k by "
    "i, then along j; by q along its tangent directions.",
    sees_forces=True,
    guards=derivatives.partials_positive,
)
def forward_dynamics_second_derivatives(system: Formulation) -> list[Argument]:
    """(d2a/dq dq, d2a/du dq, d2a/du du, d2a/dtau dq), each (nu, nu, nu)."""
    found = changes(system, derivatives.forward_dynamics_derivatives(system))
    return found.tensors(system, "a", "tau")
