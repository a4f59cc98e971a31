"""Derivatives of inverse and forward dynamics of a model by its state.

Analytically (`eomc.derive.dynamics.partials`), the loads by sweeps on the graph; forward dynamics
through M, or for long chains by articulated inertias (`eomc.derive.dynamics.chain_response`),
whichever takes fewer operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eomc.derive.dynamics import chain_response, partials
from eomc.derive.dynamics.forward_partials import (
    ForwardPartials,
    swept_partials,
    through_factor,
    with_loads,
)
from eomc.derive.dynamics.kinematics import KinematicState
from eomc.derive.dynamics.partials import Entries
from eomc.derive.graph import Expression, constant
from eomc.derive.graph.columns import Columns, swept
from eomc.derive.graph.tuning import LONGEST_BY_MASS

if TYPE_CHECKING:
    from eomc.derive.system import System


def forward_partials(system: System) -> ForwardPartials:
    """Derivatives of forward dynamics of an open chain, by the way that takes fewer operations."""
    if not chain_response.applies(system.tree, system.state):
        return _through_factor(system)
    if system.tree.nu > LONGEST_BY_MASS:
        return _by_responses(system)
    ways = (_through_factor(system), _by_responses(system))
    return min(ways, key=lambda way: way.operations(system.graph))


def _through_factor(system: System) -> ForwardPartials:
    return through_factor(system.factor, by_state(system, system.forward_factored.acceleration))


def _by_responses(system: System) -> ForwardPartials:
    """By articulated inertias, and M^-1 times the derivatives of the loads."""
    forward = system.forward_articulated
    found = chain_response.chain_responses(
        system.tree, _state(system, forward.acceleration), system.pose, base=-system.tree.gravity
    )
    by_q, by_u = swept_partials(system, system.acting_loads, system.a)
    return ForwardPartials(
        with_loads(found.by_q, found.inverse, by_q),
        with_loads(found.by_u, found.inverse, by_u),
        found.inverse,
        forward.pivots,
    )


def by_state(system: System, a: Sequence[Expression]) -> tuple[Columns, Columns]:
    """Columns of dtau/dq and dtau/du at the accelerations `a`."""
    if not partials.applies(system.tree, system.state):
        return swept_partials(system, system.inverse.free, a)
    inertial = partials.inverse_dynamics_partials(
        system.tree, _state(system, a), system.pose, base=-system.tree.gravity
    )
    by_q, by_u = swept_partials(system, system.acting_loads, a)
    return _less(system, inertial.by_q, by_q), _less(system, inertial.by_u, by_u)


def loads_by_two_speeds(system: System) -> list[Columns] | None:
    """Second derivatives of all loads by the speeds: by the j-th, columns of the i-th.

    None where forces of inertia are no more than the derivatives of M tell: where bodies bend,
    where speeds are not the rates of coordinates, and of forces by reactions.
    """
    turned = any(not entry.is_zero for row in system.transport[0] for entry in row)
    if system.reacting or turned or not partials.applies(system.tree, system.state):
        return None
    _, by_u = swept_partials(system, system.acting_loads, system.a)
    n, one = len(by_u), constant(system.graph, 1).node
    flat = [entry for column in by_u for entry in column]
    found = swept(system.graph, flat, [{u.node: one} for u in system.u])
    return [[changed[i * n : (i + 1) * n] for i in range(n)] for changed in found]


def _state(system: System, a: Sequence[Expression]) -> KinematicState:
    return KinematicState(
        system.configuration, system.u, a, system.s, system.s_rate, system.s_acceleration
    )


def _less(system: System, entries: Entries, loads: Columns) -> Columns:
    """Columns of `entries` minus those of the loads."""
    zero = system.tree.zero
    return [
        [entries.get((i, k), zero) - load for i, load in enumerate(column)]
        for k, column in enumerate(loads)
    ]
