"""Springs, dampers and actuators along the line between two points.

With the distance vector d = P_b - P_a, the unit vector e = d/|d|, the stretch x = |d| - free
length and its rate v = e . (v_b - v_a), the tension T = k x + d v (or law(x, v)) pulls a along e
and b against it.
"""

from __future__ import annotations

from eomc.derive.forces.loads import AllLoads, Scene, register


@register("point springs")
def point_springs(scene: Scene, loads: AllLoads) -> None:
    """Add every spring between two points."""
    for spring in scene.model.springs.values():
        a = scene.point(spring.a.body, spring.a.xyz)
        b = scene.point(spring.b.body, spring.b.xyz)
        d = b.position - a.position
        length = d.norm().named(f"{spring.name}.length")
        e = d * (1 / length)
        v = e.dot(b.velocity - a.velocity)
        x = length - scene.scalar(spring.free_length)
        if spring.law is not None:
            elastic = scene.tree.zero
            other = scene.scalar(spring.law, {"x": x, "v": v})
        else:
            stiffness = scene.scalar(spring.stiffness)
            elastic = stiffness * x
            other = scene.scalar(spring.damping) * v
            loads.conservative.potential = loads.conservative.potential + stiffness * x * x / 2
        for share, tension in ((loads.conservative, elastic), (loads.other, other)):
            if not tension.is_zero:
                share.add_force(a, e * tension)
                share.add_force(b, -(e * tension))
