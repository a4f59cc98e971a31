"""User potentials and generalized forces given as expressions.

A potential V(q, t) acts with Q_k = -dV along the direction in which speed u_k moves the
configuration.
"""

from __future__ import annotations

from eomc.derive.forces.loads import AllLoads, Scene, register
from eomc.derive.graph import Expression, ForwardSweep
from eomc.derive.tree.link import Coordinate


@register("potentials")
def potentials(scene: Scene, loads: AllLoads) -> None:
    """Add the forces of every potential."""
    graph = scene.tree.graph
    for potential in scene.model.potentials.values():
        energy = scene.scalar(potential.expression)
        loads.conservative.potential = loads.conservative.potential + energy
        slope = ForwardSweep(graph, [energy.node])
        for speed, direction in enumerate(scene.directions()):
            force = -Expression(graph, slope(direction)[0])
            loads.conservative.add_generalized(Coordinate(speed), force)
        one = (scene.tree.zero + 1).node
        for index, s in enumerate(scene.state.s):
            force = -Expression(graph, slope({s.node: one})[0])
            loads.conservative.add_generalized(Coordinate(index, prescribed=True), force)


@register("generalized forces")
def generalized_forces(scene: Scene, loads: AllLoads) -> None:
    """Add the expressions that act on a named speed."""
    for force in scene.model.generalized_forces.values():
        speed = scene.tree.speed_of[force.speed]
        loads.other.add_generalized(speed, scene.scalar(force.expression))
