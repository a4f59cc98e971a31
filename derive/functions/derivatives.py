"""Exact derivatives of inverse and forward dynamics.

Inverse dynamics tau(q, u, a) is differentiated on its graph, one sparse forward sweep a direction; columns
by q follow the tangent directions of the configuration manifold (du_k = 1). Forward dynamics is never
differentiated itself: with tau(q, u, a(q, u, tau)) = tau,

    da/dx = -M^-1 dtau/dx  at the accelerations of forward dynamics,   da/dtau = M^-1

Reference: Carpentier and Mansard, *Analytical derivatives of rigid body dynamics algorithms*, RSS 2018, sec. IV.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.functions.dynamics import pivots_positive, symmetric_rows
from eomc.derive.functions.registry import function, matrix
from eomc.derive.graph import Argument, Expression, ForwardSweep, nodes, symbol
from eomc.derive.graph.substitute import substitute
from eomc.derive.system import System

Columns = list[list[Expression]]


def _columns(system: System, directions: Sequence[dict[int, int]]) -> Columns:
    """Derivatives of inverse dynamics along each direction."""
    sweep = ForwardSweep(system.graph, nodes(system.inverse.free))
    return [[Expression(system.graph, node) for node in sweep(along)] for along in directions]


def _by_coordinates(system: System) -> Columns:
    return _columns(system, system.directions())


def _by_speeds(system: System) -> Columns:
    one = (system.tree.zero + 1).node
    return _columns(system, [{u.node: one} for u in system.u])


def _by_parameters(system: System) -> Columns:
    one = (system.tree.zero + 1).node
    return _columns(
        system, [{symbol(system.graph, name).node: one} for name in system.symbolic]
    )


def _at_acceleration(system: System, columns: Columns) -> Columns:
    """The columns with the accelerations of forward dynamics in place of a."""
    replacement = {
        a.node: value.node for a, value in zip(system.a, system.acceleration, strict=True)
    }
    flat = [entry.node for column in columns for entry in column]
    new = [Expression(system.graph, n) for n in substitute(system.graph, flat, replacement)]
    size = system.tree.nu
    return [new[k * size : (k + 1) * size] for k in range(len(columns))]


def _solved(system: System, columns: Columns) -> Columns:
    """-M^-1 times each column."""
    at = _at_acceleration(system, columns)
    return [[-entry for entry in system.factor.solve(column)] for column in at]


def _matrix(system: System, name: str, columns: Columns, description: str) -> Argument:
    rows = [[column[i] for column in columns] for i in range(system.tree.nu)]
    return matrix(name, rows, len(columns), description, "", system.tree.speed_names)


@function(
    "inverse_dynamics_derivatives",
    ("q", "u", "a"),
    "Derivatives of inverse dynamics; columns by q are tangent directions.",
    sees_forces=True,
)
def inverse_dynamics_derivatives(system: System) -> list[Argument]:
    """(dtau/dq, dtau/du, dtau/da), each (nu, nu)."""
    return [
        _matrix(system, "dtau_dq", _by_coordinates(system), "d tau / d q"),
        _matrix(system, "dtau_du", _by_speeds(system), "d tau / d u"),
        _matrix(system, "dtau_da", symmetric_rows(system), "d tau / d a, the mass matrix"),
    ]


@function(
    "forward_dynamics_derivatives",
    ("q", "u", "tau"),
    "Derivatives of forward dynamics; columns by q are tangent directions.",
    sees_forces=True,
    guards=pivots_positive,
)
def forward_dynamics_derivatives(system: System) -> list[Argument]:
    """(da/dq, da/du, da/dtau), each (nu, nu)."""
    one, zero = system.tree.zero + 1, system.tree.zero
    n = system.tree.nu
    inverse = [
        system.factor.solve([one if i == k else zero for i in range(n)]) for k in range(n)
    ]
    return [
        _matrix(system, "da_dq", _solved(system, _by_coordinates(system)), "d a / d q"),
        _matrix(system, "da_du", _solved(system, _by_speeds(system)), "d a / d u"),
        _matrix(system, "da_dtau", inverse, "d a / d tau, the inverse mass matrix"),
    ]


@function(
    "inverse_dynamics_parameter_derivatives",
    ("q", "u", "a"),
    "Derivatives of inverse dynamics by the tunable parameters.",
    sees_forces=True,
)
def inverse_dynamics_parameter_derivatives(system: System) -> list[Argument]:
    """dtau/dp, (nu, number of tunable parameters)."""
    return [_matrix(system, "dtau_dp", _by_parameters(system), "d tau / d p")]


@function(
    "forward_dynamics_parameter_derivatives",
    ("q", "u", "tau"),
    "Derivatives of forward dynamics by the tunable parameters.",
    sees_forces=True,
    guards=pivots_positive,
)
def forward_dynamics_parameter_derivatives(system: System) -> list[Argument]:
    """da/dp, (nu, number of tunable parameters)."""
    columns = _solved(system, _by_parameters(system))
    return [_matrix(system, "da_dp", columns, "d a / d p")]
