"""A force at a point, constant, driven by inputs or by the motion."""

from __future__ import annotations

from eomc.derive.drawing.mark import ARROW
from eomc.derive.elements.element import ForceElement, element
from eomc.derive.elements.fields import AtPoint, Direction, Number, choice, direction, number, point
from eomc.derive.elements.scope import FORCE
from eomc.derive.geometry import SpatialForce, Vector
from eomc.derive.scene.loads import AllLoads, Scene


@element("force")
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
