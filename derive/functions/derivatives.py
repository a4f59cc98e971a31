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
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from eomc.derive.dynamics import chain_response, partials
from eomc.derive.dynamics.kinematics import State
from eomc.derive.dynamics.partials import Entries, inverse_dynamics_partials
from eomc.derive.functions import constrained_derivatives as constrained
from eomc.derive.functions.dynamics import pivots_positive, positive, symmetric_rows
from eomc.derive.functions.registry import function, matrix
from eomc.derive.graph import (
    Argument,
    Expression,
    ForwardSweep,
    Guard,
    flops,
    nodes,
    reachable,
    symbol,
)
from eomc.derive.graph.substitute import substitute
from eomc.derive.system import System

Columns = list[list[Expression]]


def _pivots_positive(system: System) -> list[Guard]:
    return pivots_positive(system) if system.is_constrained else positive(system.factor.pivots)


@dataclass(frozen=True)
class _ForwardPartials:
    """Columns of da/dq, da/du and da/dtau, and the pivots that must be positive."""

    by_q: Columns
    by_u: Columns
    inverse: Columns
    pivots: list[Expression]

    def operations(self, system: System) -> int:
        """Additions, subtractions, products and divisions of all together."""
        columns = (*self.by_q, *self.by_u, *self.inverse, self.pivots)
        return flops(system.graph, [entry.node for column in columns for entry in column])


# Chains of more joints are never cheaper through M, so that way is not derived.
_LONG_CHAIN = 14
_forward_partials_of: WeakKeyDictionary[System, _ForwardPartials] = WeakKeyDictionary()


def forward_partials(system: System) -> _ForwardPartials:
    """Derivatives of forward dynamics of an open chain, by the way that takes fewer operations."""
    found = _forward_partials_of.get(system)
    if found is None:
        if not chain_response.applies(system.tree):
            found = _through_factor(system)
        elif system.tree.nu > _LONG_CHAIN:
            found = _by_responses(system)
        else:
            ways = (_through_factor(system), _by_responses(system))
            found = min(ways, key=lambda way: way.operations(system))
        _forward_partials_of[system] = found
    return found


def _through_factor(system: System) -> _ForwardPartials:
    """Column by column through M = L^T D L."""
    one, zero = system.tree.zero + 1, system.tree.zero
    n = system.tree.nu
    inverse = [system.factor.solve([one if i == k else zero for i in range(n)]) for k in range(n)]
    by_q, by_u = _by_state(system, system.forward_factored.acceleration)
    pivots = list(system.factor.pivots)
    return _ForwardPartials(_solved(system, by_q), _solved(system, by_u), inverse, pivots)


def _by_responses(system: System) -> _ForwardPartials:
    """By articulated inertias, and M^-1 times the derivatives of the loads."""
    forward = system.forward_articulated
    state = State(
        system.q, system.u, forward.acceleration, system.s, system.s_rate, system.s_acceleration
    )
    found = chain_response.chain_responses(
        system.tree, state, system.pose, base=-system.tree.gravity
    )
    one = (system.tree.zero + 1).node
    loads = system.acting_loads
    by_q = swept_columns(system, loads, system.directions())
    by_u = swept_columns(system, loads, [{u.node: one} for u in system.u])
    return _ForwardPartials(
        with_loads(found.by_q, found.inverse, by_q),
        with_loads(found.by_u, found.inverse, by_u),
        found.inverse,
        forward.pivots,
    )


def with_loads(columns: Columns, inverse: Columns, loads: Columns) -> Columns:
    """Columns plus M^-1 times the columns of the loads."""
    result = []
    for column, load in zip(columns, loads, strict=True):
        total = column
        for k, force in enumerate(load):
            if not force.is_zero:
                total = [a + b * force for a, b in zip(total, inverse[k], strict=True)]
        result.append(total)
    return result


def partials_positive(system: System) -> list[Guard]:
    """Guards of all that goes through M."""
    if system.is_constrained:
        return _pivots_positive(system)
    return positive(forward_partials(system).pivots)


def _constrained(system: System) -> list[Argument]:
    """(da/dq, da/du, da/dtau) on the constraints; displacements need not keep to them."""
    one = (system.tree.zero + 1).node
    by_q, by_u = _by_state(system, system.a)
    found = (
        ("da_dq", constrained.responses(system, by_q, system.directions())),
        ("da_du", constrained.responses(system, by_u, [{u.node: one} for u in system.u])),
        ("da_dtau", constrained.by_forces(system)),
    )
    return [
        _matrix(system, name, columns, f"d a / d {name.removeprefix('da_d')}, constrained")
        for name, columns in found
    ]


def swept_columns(
    system: System, values: Sequence[Expression], directions: Sequence[dict[int, int]]
) -> Columns:
    """Derivatives of `values` along each direction, on the graph."""
    sweep = ForwardSweep(system.graph, nodes(values))
    return [[Expression(system.graph, node) for node in sweep(along)] for along in directions]


def _by_state(system: System, a: Sequence[Expression]) -> tuple[Columns, Columns]:
    """Columns of dtau/dq and dtau/du at the accelerations `a`."""
    if not partials.applies(system.tree):
        return _swept_by_state(system, a)
    state = State(system.q, system.u, a, system.s, system.s_rate, system.s_acceleration)
    inertial = inverse_dynamics_partials(system.tree, state, system.pose, base=-system.tree.gravity)
    one = (system.tree.zero + 1).node
    loads = system.acting_loads
    by_q = swept_columns(system, loads, system.directions())
    by_u = swept_columns(system, loads, [{u.node: one} for u in system.u])
    return _less(system, inertial.by_q, by_q), _less(system, inertial.by_u, by_u)


def _swept_by_state(system: System, a: Sequence[Expression]) -> tuple[Columns, Columns]:
    """The same by sweeps over inverse dynamics, for trees with deformable bodies."""
    one = (system.tree.zero + 1).node
    tau = system.inverse.free
    by_q = swept_columns(system, tau, system.directions())
    by_u = swept_columns(system, tau, [{u.node: one} for u in system.u])
    if all(x.node == y.node for x, y in zip(a, system.a, strict=True)):
        return by_q, by_u
    return _at_acceleration(system, by_q), _at_acceleration(system, by_u)


def _less(system: System, entries: Entries, loads: Columns) -> Columns:
    """Columns of `entries` minus those of the loads."""
    zero = system.tree.zero
    return [
        [entries.get((i, k), zero) - load for i, load in enumerate(column)]
        for k, column in enumerate(loads)
    ]


def by_inputs(system: System) -> Columns:
    """Generalized forces of each input at the accelerations of forward dynamics."""
    one = (system.tree.zero + 1).node
    columns = swept_columns(system, system.inverse.free, [{r.node: one} for r in system.r])
    forces = [[-entry for entry in column] for column in columns]
    accelerations = {a.node for a in system.a}
    flat = [entry.node for column in forces for entry in column]
    if accelerations.isdisjoint(reachable(system.graph, flat)):
        return forces
    return _at_acceleration(system, forces)


def _by_parameters(system: System) -> Columns:
    one = (system.tree.zero + 1).node
    directions = [{symbol(system.graph, name).node: one} for name in system.symbolic]
    return swept_columns(system, system.inverse.free, directions)


def _at_acceleration(system: System, columns: Columns) -> Columns:
    """The columns with the accelerations of forward dynamics in place of a."""
    replacement = {
        a.node: value.node
        for a, value in zip(system.a, system.forward_factored.acceleration, strict=True)
    }
    flat = [entry.node for column in columns for entry in column]
    new = [Expression(system.graph, n) for n in substitute(system.graph, flat, replacement)]
    size = system.tree.nu
    return [new[k * size : (k + 1) * size] for k in range(len(columns))]


def _solved(system: System, columns: Columns) -> Columns:
    """-M^-1 times each column."""
    return [[-entry for entry in system.factor.solve(column)] for column in columns]


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
    by_q, by_u = _by_state(system, system.a)
    return [
        _matrix(system, "dtau_dq", by_q, "d tau / d q"),
        _matrix(system, "dtau_du", by_u, "d tau / d u"),
        _matrix(system, "dtau_da", symmetric_rows(system), "d tau / d a, the mass matrix"),
    ]


@function(
    "forward_dynamics_derivatives",
    ("q", "u", "tau"),
    "Derivatives of forward dynamics; columns by q are tangent directions.",
    sees_forces=True,
    guards=partials_positive,
)
def forward_dynamics_derivatives(system: System) -> list[Argument]:
    """(da/dq, da/du, da/dtau), each (nu, nu)."""
    if system.is_constrained:
        return _constrained(system)
    found = forward_partials(system)
    return [
        _matrix(system, "da_dq", found.by_q, "d a / d q"),
        _matrix(system, "da_du", found.by_u, "d a / d u"),
        _matrix(system, "da_dtau", found.inverse, "d a / d tau, the inverse mass matrix"),
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
    guards=_pivots_positive,
)
def forward_dynamics_parameter_derivatives(system: System) -> list[Argument]:
    """da/dp, (nu, number of tunable parameters)."""
    if system.is_constrained:
        one = (system.tree.zero + 1).node
        along = [{symbol(system.graph, name).node: one} for name in system.symbolic]
        columns = constrained.responses(system, _by_parameters(system), along)
    else:
        columns = _solved(system, _at_acceleration(system, _by_parameters(system)))
    return [_matrix(system, "da_dp", columns, "d a / d p")]
