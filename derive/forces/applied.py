"""Forces at points and torques on bodies, constant or driven by inputs."""

from __future__ import annotations

from eomc.derive.forces.loads import AllLoads, Scene, register
from eomc.derive.geometry import Rotation, Vector
from eomc.derive.tree.link import WORLD


@register("applied forces")
def applied_forces(scene: Scene, loads: AllLoads) -> None:
    """Add magnitude * direction at a point, direction in world axes or in those of the body."""
    for force in scene.model.forces.values():
        point = scene.point(force.at.body, force.at.xyz)
        vector = Vector(*(scene.scalar(entry) for entry in force.direction))
        vector = vector * scene.scalar(force.magnitude)
        if force.frame == "world":
            loads.other.add_force(point, vector)
        else:
            _, axes, _ = scene.tree.pose_of[force.at.body]
            local = axes.to_parent(vector)
            loads.other.add_wrench(point.link, local, point.local.cross(local))


@register("applied torques")
def applied_torques(scene: Scene, loads: AllLoads) -> None:
    """Add magnitude * direction as a free moment on a body."""
    for torque in scene.model.torques.values():
        link, axes, _ = scene.tree.pose_of[torque.body]
        moment = Vector(*(scene.scalar(entry) for entry in torque.direction))
        moment = moment * scene.scalar(torque.magnitude)
        if torque.frame == "world":
            link_axes = Rotation() if link == WORLD else scene.world[link][0]
            moment = link_axes.to_child(moment)
        else:
            moment = axes.to_parent(moment)
        loads.other.add_wrench(link, scene.tree.zero_vector(), moment)
