"""Springs, dampers and actuators across a joint coordinate.

Q = -(k x + d v) with stretch x = q - q_free and rate v, or Q = -law(x, v).
"""

from __future__ import annotations

from eomc.derive.forces.loads import AllLoads, Scene, register


@register("joint springs")
def joint_springs(scene: Scene, loads: AllLoads) -> None:
    """Add every spring across a coordinate."""
    for spring in scene.model.joint_springs.values():
        coordinate, speed = (
            scene.tree.coordinate_of[spring.joint],
            scene.tree.speed_of[spring.joint],
        )
        state = scene.state
        q = coordinate.value(state.s if coordinate.prescribed else state.q)
        v = speed.rate(state.s_rate if speed.prescribed else state.u)
        x = q - scene.scalar(spring.free_angle)
        if spring.law is not None:
            elastic = scene.tree.zero
            other = -scene.scalar(spring.law, {"x": x, "v": v})
        else:
            stiffness = scene.scalar(spring.stiffness)
            elastic = -(stiffness * x)
            other = -(scene.scalar(spring.damping) * v)
            loads.conservative.potential = loads.conservative.potential + stiffness * x * x / 2
        loads.conservative.add_generalized(speed, elastic)
        loads.other.add_generalized(speed, other)
