"""Generalized forces of loads, and what loads do to links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eomc.derive.dynamics.inverse import GeneralizedForces, Wrench, project_wrenches
from eomc.derive.scene.loads import Loads

if TYPE_CHECKING:
    from eomc.derive.system.system import System


def wrenches(shares: Iterable[Loads]) -> dict[int, Wrench]:
    """(force, moment about the link origin) of all loads on each link, in link axes."""
    external: dict[int, Wrench] = {}
    for share in shares:
        for link, (force, moment) in share.wrenches.items():
            known = external.get(link)
            external[link] = (
                (force, moment) if known is None else (known[0] + force, known[1] + moment)
            )
    return external


def on_speeds(system: System, loads: Loads) -> GeneralizedForces:
    """Generalized forces of loads on the free speeds and on the prescribed ones."""
    tree = system.tree
    zero = tree.zero_vector()
    on_links = [loads.wrenches.get(i, (zero, zero)) for i in range(len(tree.links))]
    tau = GeneralizedForces([tree.zero] * tree.nu, [tree.zero] * len(system.s))
    project_wrenches(tree, system.pose, on_links, tau)
    for speed, force in loads.generalized.items():
        tau.free[speed] = tau.free[speed] + force
    for index, force in loads.on_prescribed.items():
        tau.prescribed[index] = tau.prescribed[index] + force
    return tau
