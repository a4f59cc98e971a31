"""User potentials and generalized forces given as expressions.

A potential V(q, t) acts with Q_k = -dV along the direction in which speed u_k moves the
configuration.
"""

from __future__ import annotations

from eomc.derive.forces.loads import AllLoads, Scene, register
from eomc.derive.graph import Expression, ForwardSweep


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
            if not force.is_zero:
                loads.conservative.add_generalized(speed, force)


@register("generalized forces")
def generalized_forces(scene: Scene, loads: AllLoads) -> None:
    """Add the expressions that act on a named speed."""
    for force in scene.model.generalized_forces.values():
        speed = scene.tree.speed_of[force.speed]
        value = scene.scalar(force.expression)
        if not speed.prescribed:
            loads.other.add_generalized(
                speed.index, value if speed.factor is None else speed.factor * value
            )
