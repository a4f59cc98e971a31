"""Points of bodies told by where they are in the world now."""

from __future__ import annotations

from eomc.derive.geometry import Vector
from eomc.derive.scene.loads import BodyPoint, Scene
from eomc.derive.tree.link import WORLD


def fixed_at(scene: Scene, carrier: BodyPoint, position: Vector) -> BodyPoint:
    """The point of a carrier's body that is at a position of the world now."""
    arm = position - carrier.position
    if carrier.link == WORLD:
        return BodyPoint(WORLD, position, carrier.axes, position, carrier.velocity)
    w = carrier.axes.to_parent(scene.twists[carrier.link].angular)
    local = carrier.local + carrier.axes.to_child(arm)
    return BodyPoint(carrier.link, local, carrier.axes, position, carrier.velocity + w.cross(arm))
