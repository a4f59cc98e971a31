"""A potential energy V(q, t) of the user.

It acts with Q_k = -dV along the direction in which speed u_k moves the configuration.
"""

from __future__ import annotations

from eomc.derive.elements.element import ForceElement
from eomc.derive.fields.field import Number, number
from eomc.derive.fields.scope import PLACE
from eomc.derive.graph import Expression, ForwardSweep
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import AllLoads, Scene
from eomc.derive.tree.link import LinkCoordinate


@kind("potential")
class Potential(ForceElement):
    """A potential energy V [J] in coordinates, parameters and time; its forces are -dV/dq."""

    expression: Number = number("J", scope=PLACE)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """Q_k = -dV/dq along each speed."""
        graph, share = scene.tree.graph, loads.conservative
        energy = scene.scalar(self.expression)
        share.potential = share.potential + energy
        slope = ForwardSweep(graph, [energy.node])
        for speed, direction in enumerate(scene.directions()):
            share.add_generalized(LinkCoordinate(speed), -Expression(graph, slope(direction)[0]))
        one = (scene.tree.zero + 1).node
        for index, s in enumerate(scene.state.s):
            force = -Expression(graph, slope({s.node: one})[0])
            share.add_generalized(LinkCoordinate(index, prescribed=True), force)
