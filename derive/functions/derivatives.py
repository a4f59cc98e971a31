"""Exact derivatives of inverse and forward dynamics.

Inverse dynamics is differentiated analytically (see `eomc.derive.dynamics.partials`); the
generalized forces of springs, losses and other loads, and derivatives by parameters, by sparse
forward sweeps on the graph. Columns by q follow the tangent directions of the configuration
manifold (du_k = 1). Forward dynamics is never differentiated itself: with tau(q, u, a(q, u, tau))
= tau,

    da/dx = -M^-1 dtau/dx  at the accelerations of forward dynamics,   da/dtau = M^-1

through M = L^T D L, or for long chains by their articulated inertias (see
`eomc.derive.dynamics.chain_response`), whichever takes fewer operations.

Reference: Carpentier and Mansard, *Analytical derivatives of rigid body dynamics algorithms*, RSS
2018, sec. IV.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.dynamics.forward_partials import solved
from eomc.derive.functions import constrained_derivatives as constrained
from eomc.derive.functions.dynamics import filled, pivots_positive, positive, square
from eomc.derive.functions.formulation import Arrays, Formulation
from eomc.derive.functions.registry import function, matrix
from eomc.derive.graph import Argument, Expression, Guard, reachable, symbol
from eomc.derive.graph.columns import Columns, substituted, swept


def _pivots_positive(system: Formulation) -> list[Guard]:
    return pivots_positive(system) if system.is_constrained else positive(system.factor.pivots)


def partials_positive(system: Formulation) -> list[Guard]:
    """Guards of all that goes through M."""
    if system.is_constrained:
        return _pivots_positive(system)
    return positive(system.forward_partials.pivots)


def _constrained(system: Formulation) -> list[Columns]:
    """(da/dq, da/du, da/dtau) on the constraints; displacements need not keep to them."""
    one = (system.zero + 1).node
    by_q, by_u = system.partials(system.a)
    return [
        constrained.responses(system, by_q, system.directions()),
        constrained.responses(system, by_u, [{u.node: one} for u in system.u]),
        constrained.by_forces(system),
    ]


def swept_columns(
    system: Arrays, values: Sequence[Expression], directions: Sequence[dict[int, int]]
) -> Columns:
    """Derivatives of `values` along each direction, on the graph."""
    return swept(system.graph, values, directions)


def by_inputs(system: Formulation, *, at_solution: bool = True) -> Columns:
    """Generalized forces of each input, at the accelerations of forward dynamics or at a."""
    return forces_by(system, system.r, at_solution=at_solution)


def forces_by(
    system: Formulation, array: Sequence[Expression], *, at_solution: bool = True
) -> Columns:
    """Generalized forces of each entry of an array that they depend on, as `by_inputs`."""
    one = (system.zero + 1).node
    columns = swept_columns(system, system.inverse.free, [{x.node: one} for x in array])
    forces = [[-entry for entry in column] for column in columns]
    accelerations = {a.node for a in system.a}
    flat = [entry.node for column in forces for entry in column]
    if not at_solution or accelerations.isdisjoint(reachable(system.graph, flat)):
        return forces
    return _at_acceleration(system, forces)


def _by_parameters(system: Formulation) -> Columns:
    one = (system.zero + 1).node
    directions = [{symbol(system.graph, name).node: one} for name in system.symbolic]
    return swept_columns(system, system.inverse.free, directions)


def _at_acceleration(system: Formulation, columns: Columns) -> Columns:
    """The columns with the accelerations of forward dynamics in place of a."""
    replacement = {
        a.node: value.node
        for a, value in zip(system.a, system.forward_factored.acceleration, strict=True)
    }
    return substituted(system.graph, columns, replacement)


def _matrix(system: Formulation, name: str, columns: Columns, description: str) -> Argument:
    rows = [[column[i] for column in columns] for i in range(system.nu)]
    return matrix(name, rows, len(columns), description, "", system.speed_names)


def _of_inverse(system: Formulation) -> list[Argument]:
    return [
        square(system, "dtau_dq", "d tau / d q"),
        square(system, "dtau_du", "d tau / d u"),
        square(system, "dtau_da", "d tau / d a, the mass matrix"),
    ]


def _of_forward(system: Formulation) -> list[Argument]:
    held = ", constrained" if system.is_constrained else ""
    return [
        square(system, "da_dq", f"d a / d q{held}"),
        square(system, "da_du", f"d a / d u{held}"),
        square(system, "da_dtau", f"d a / d tau{held or ', the inverse mass matrix'}"),
    ]


@function(
    "inverse_dynamics_derivatives",
    ("q", "u", "a"),
    "Derivatives of inverse dynamics; columns by q are tangent directions.",
    sees_forces=True,
    sees_multipliers=True,
    outline=_of_inverse,
)
def inverse_dynamics_derivatives(system: Formulation) -> list[Argument]:
    """(dtau/dq, dtau/du, dtau/da), each (nu, nu)."""
    by_q, by_u = (zip(*columns, strict=True) for columns in system.partials(system.a))
    return filled(_of_inverse(system), (by_q, by_u, system.acceleration_rows(system.a)))


@function(
    "forward_dynamics_derivatives",
    ("q", "u", "tau"),
    "Derivatives of forward dynamics; columns by q are tangent directions.",
    sees_forces=True,
    guards=partials_positive,
    outline=_of_forward,
)
def forward_dynamics_derivatives(system: Formulation) -> list[Argument]:
    """(da/dq, da/du, da/dtau), each (nu, nu)."""
    if system.is_constrained:
        found = _constrained(system)
    else:
        partials = system.forward_partials
        found = [partials.by_q, partials.by_u, partials.inverse]
    return filled(_of_forward(system), [zip(*columns, strict=True) for columns in found])


@function(
    "inverse_dynamics_parameter_derivatives",
    ("q", "u", "a"),
    "Derivatives of inverse dynamics by the tunable parameters.",
    sees_forces=True,
    sees_multipliers=True,
)
def inverse_dynamics_parameter_derivatives(system: Formulation) -> list[Argument]:
    """dtau/dp, (nu, number of tunable parameters)."""
    return [_matrix(system, "dtau_dp", _by_parameters(system), "d tau / d p")]


@function(
    "forward_dynamics_parameter_derivatives",
    ("q", "u", "tau"),
    "Derivatives of forward dynamics by the tunable parameters.",
    sees_forces=True,
    guards=_pivots_positive,
)
def forward_dynamics_parameter_derivatives(system: Formulation) -> list[Argument]:
    """da/dp, (nu, number of tunable parameters)."""
    if system.is_constrained:
        one = (system.zero + 1).node
        along = [{symbol(system.graph, name).node: one} for name in system.symbolic]
        columns = constrained.responses(system, _by_parameters(system), along)
    else:
        columns = solved(system.effective, _at_acceleration(system, _by_parameters(system)))
    return [_matrix(system, "da_dp", columns, "d a / d p")]
