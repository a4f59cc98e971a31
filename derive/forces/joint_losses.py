"""Losses in the joints: viscous damping and smoothed Coulomb friction.

Q = -d u - f tanh(u / u_0) on each speed u of the joint; u_0 is the speed at which the smoothed
friction has reached 76 % of its value f.
"""

from __future__ import annotations

from eomc.derive.language.scalar import is_zero
from eomc.derive.scene.loads import AllLoads, Scene, register


@register("joint losses")
def joint_losses(scene: Scene, loads: AllLoads) -> None:
    """Add the losses of every joint."""
    for joint in scene.joints.values():
        for k, speed in enumerate(scene.tree.joint_speeds.get(joint.name, ())):
            u = speed.rate(scene.state.s_rate if speed.prescribed else scene.state.u)
            force = scene.tree.zero
            if k < len(joint.damping) and not is_zero(joint.damping[k]):
                force = force - scene.scalar(joint.damping[k]) * u
            if k < len(joint.friction) and not is_zero(joint.friction[k]):
                slip = u / scene.scalar(joint.friction_speed)
                force = force - scene.scalar(joint.friction[k]) * slip.unary("tanh")
            loads.other.add_generalized(speed, force)
