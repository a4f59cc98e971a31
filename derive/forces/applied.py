"""Forces and torques that expressions give, at points and on bodies."""

from __future__ import annotations

from eomc.derive.drawing.mark import ARROW, TURN
from eomc.derive.elements.element import ForceElement
from eomc.derive.fields.field import (
    AtPoint,
    Direction,
    Number,
    body,
    choice,
    direction,
    number,
    point,
)
from eomc.derive.fields.scope import FORCE
from eomc.derive.geometry import Rotation, SpatialForce, Vector
from eomc.derive.language.registry import kind
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import AllLoads, Scene
from eomc.derive.tree.link import WORLD


@kind("force")
class PointForce(ForceElement):
    """A force magnitude*direction [N] at a point, `direction` (3,) in world or body axes.

    `direction` is used as it is, not normalized: with magnitude 1 its entries are the force itself.
    """

    drawn = ARROW

    at: AtPoint = point("where it acts")
    direction: Direction = direction("where it pulls", of="at", frame="frame", scope=FORCE)
    frame: str = choice("world", "body", default="world")
    magnitude: Number = number("N", scope=FORCE, default=1)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """F = magnitude * direction."""
        point = scene.point(self.at.body, self.at.xyz)
        vector = Vector(*(scene.scalar(entry) for entry in self.direction))
        vector = vector * scene.scalar(self.magnitude)
        if self.frame == "world":
            loads.other.add_force(point, vector)
        else:
            _, axes, _ = scene.tree.pose_of[self.at.body]
            local = axes.to_parent(vector)
            wrench = SpatialForce(linear=local, angular=point.local.cross(local))
            loads.other.add_wrench(point.link, wrench)


@kind("torque")
class PointTorque(ForceElement):
    """A torque magnitude*direction [N m] on a body, `direction` (3,) in world or body axes."""

    drawn = TURN

    body: str = body("which it turns")
    direction: Direction = direction("about which axis", of="body", frame="frame", scope=FORCE)
    frame: str = choice("world", "body", default="world")
    magnitude: Number = number("N m", scope=FORCE, default=1)

    def drawn_at(self) -> tuple[Point, ...]:
        """The body's origin."""
        return (Point(self.body),)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """A free moment magnitude * direction."""
        link, axes, _ = scene.tree.pose_of[self.body]
        moment = Vector(*(scene.scalar(entry) for entry in self.direction))
        moment = moment * scene.scalar(self.magnitude)
        if self.frame == "world":
            link_axes = Rotation() if link == WORLD else scene.world[link][0]
            moment = link_axes.to_child(moment)
        else:
            moment = axes.to_parent(moment)
        none = scene.tree.zero_vector()
        loads.other.add_wrench(link, SpatialForce(linear=none, angular=moment))
