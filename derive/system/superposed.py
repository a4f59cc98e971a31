"""Inverse dynamics at the accelerations of forward dynamics, by what forward dynamics has found.

The articulated recursion knows every link's motion without free acceleration, and what the free
accelerations add to it; the motion is their sum. It knows the wrench that each link takes from the
one it hangs on, too: I a + p, with the articulated inertia I of its subtree, the wrench p and the
acceleration a before its joint. So neither is found once more by recursion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.dynamics.inverse import GeneralizedForces, transmitted_wrenches
from eomc.derive.graph import ZERO, ForwardSweep, nodes, reachable
from eomc.derive.graph.traverse import substitute

if TYPE_CHECKING:
    from eomc.derive.system import System


def superposed(system: System) -> dict[int, int]:
    """Nodes of inverse dynamics in the symbols a, and the same at the solution in fewer steps."""
    return {**_sums(system), **_wrenches(system)}


def _sums(system: System) -> dict[int, int]:
    """Of values linear in a: that of a = 0 and what a adds, where forward dynamics has both."""
    graph, a = system.graph, system.solution.acceleration
    at = {symbol.node: value.node for symbol, value in zip(system.a, a, strict=True)}
    known = set(reachable(graph, nodes([*a, *system.solution.multipliers])))
    below = reachable(graph, nodes(system.inverse.free))
    coasting = substitute(graph, below, dict.fromkeys(at, ZERO))
    added = ForwardSweep(graph, below)(at)
    return {
        node: graph.add(rest, change)
        for node, rest, change in zip(below, coasting, added, strict=True)
        if change != ZERO
        and node not in at
        and {graph.without_sign(rest), graph.without_sign(change)} <= known
    }


def _wrenches(system: System) -> dict[int, int]:
    """Of what each link takes from the one that it hangs on."""
    tree, motion = system.tree, system.against_gravity(system.state)
    tau = GeneralizedForces([tree.zero] * tree.nu, [tree.zero] * len(tree.prescribed_names))
    external = system.external_wrenches
    taken = transmitted_wrenches(tree, system.state, system.pose, motion, tau, external)
    graph = system.graph
    found: dict[int, int] = {}
    for index, passed in system.solution.passed.items():
        known, same = taken[index], passed.transmitted
        entries = (*known.angular, *known.linear), (*same.angular, *same.linear)
        for entry, value in zip(*entries, strict=True):
            node = graph.without_sign(entry.node)
            if graph.args[node]:
                found[node] = value.node if node == entry.node else graph.neg(value.node)
    return found
