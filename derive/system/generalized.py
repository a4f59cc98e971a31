"""Generalized forces of loads, and what loads do to links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eomc.derive.dynamics.inverse import GeneralizedForces, project_wrenches
from eomc.derive.geometry import SpatialForce
from eomc.derive.geometry.spatial import summed
from eomc.derive.scene.loads import Loads

if TYPE_CHECKING:
    from eomc.derive.system.system import System


def wrenches(shares: Iterable[Loads]) -> dict[int, SpatialForce]:
    """Wrench of all loads on each link, about the link origin, in link axes."""
    external: dict[int, SpatialForce] = {}
    for share in shares:
        for link, wrench in share.wrenches.items():
            known = external.get(link)
            external[link] = wrench if known is None else summed(known, wrench)
    return external


def on_speeds(system: System, loads: Loads) -> GeneralizedForces:
    """Generalized forces of loads on the free speeds and on the prescribed ones."""
    tree = system.tree
    none = SpatialForce.zero(tree.zero_vector())
    on_links = [loads.wrenches.get(i, none) for i in range(len(tree.links))]
    tau = GeneralizedForces([tree.zero] * tree.nu, [tree.zero] * len(system.s))
    project_wrenches(tree, system.pose, on_links, tau)
    for speed, force in loads.generalized.items():
        tau.free[speed] = tau.free[speed] + force
    for index, force in loads.on_prescribed.items():
        tau.prescribed[index] = tau.prescribed[index] + force
    return tau
