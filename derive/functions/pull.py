"""Generalized forces of forces and moments at bodies, such as those of a hand that pulls."""

from __future__ import annotations

from eomc.derive.forces import Loads
from eomc.derive.functions.inputs import input_argument
from eomc.derive.functions.registry import column, function
from eomc.derive.geometry import SpatialForce, Vector
from eomc.derive.graph import Argument, Expression
from eomc.derive.system import System
from eomc.derive.tree.link import WORLD


@function(
    "pull",
    ("q", "wrench"),
    "Generalized forces of a force [N] and a moment [N m] on each body: tau = sum J^T (F, M).",
    needs=("bodies",),
)
def pull(system: System) -> list[Argument]:
    """World axes, force and moment at the origin of the body; one sweep, without Jacobians."""
    loads = Loads(system.zero)
    nodes = input_argument(system, "wrench").entries
    for k, name in enumerate(system.body_names):
        frame = system.frame(name)
        if frame.link == WORLD:
            continue
        values = [Expression(system.graph, node) for node in nodes[6 * k : 6 * k + 6]]
        axes = system.world[frame.link][0]
        force, moment = axes.to_child(Vector(*values[:3])), axes.to_child(Vector(*values[3:]))
        about = moment + frame.origin.cross(force)
        loads.add_wrench(frame.link, SpatialForce(linear=force, angular=about))
    return [column("tau", system.generalized(loads), "forces", "N m or N", system.speed_names)]
