"""Losses in joints that close loops: what the kind says, on the child and back on the parent."""

from __future__ import annotations

from collections.abc import Callable

from eomc.derive.geometry import Rotation, SpatialForce
from eomc.derive.graph import Expression
from eomc.derive.joints.closure_losses import Sides
from eomc.derive.joints.joint import Joint
from eomc.derive.language.scalar import is_zero
from eomc.derive.scene.loads import AllLoads, Loads, Scene, register
from eomc.derive.scene.pair import SeenFrame, body_frames, seen
from eomc.derive.tree.link import WORLD, common_ancestor


@register("cut joint losses")
def cut_joint_losses(scene: Scene, loads: AllLoads) -> None:
    """Add the losses of joints that close loops."""
    for joint in scene.cuts:
        found = _lost(joint, scene)
        if found is not None:
            act(joint, scene, loads.other, *found)


def loss_wrench(joint: Joint, scene: Scene) -> SpatialForce:
    """Wrench about the origin of the child-side frame of the losses of a cut joint on its
    child, in the axes of the common ancestor."""
    found = _lost(joint, scene)
    return SpatialForce.zero(scene.tree.zero_vector()) if found is None else found[1]


def _lost(joint: Joint, scene: Scene) -> tuple[Sides, SpatialForce] | None:
    if all(is_zero(entry) for entry in (*joint.damping, *joint.friction)):
        return None
    return on_freedoms(joint, scene, _loss(joint, scene))


def on_freedoms(
    joint: Joint, scene: Scene, force: Callable[[int, Expression], Expression]
) -> tuple[Sides, SpatialForce]:
    """The wrench of `force(k, rate)` on each freedom k of a cut joint, as of its losses."""
    parent, child = body_frames(scene, (joint.parent, joint.child))
    at = _sides(joint, scene, parent, child, force)
    return at, joint.declaration.losses(at)


def _sides(
    joint: Joint,
    scene: Scene,
    a: SeenFrame,
    b: SeenFrame,
    loss: Callable[[int, Expression], Expression],
) -> Sides:
    inner = Rotation([scene.scalars.rotation(joint.placement.matrix)])
    outer = Rotation([scene.scalars.rotation(joint.child_placement.matrix)])
    origin = b.point(scene.scalars.vector(joint.child_placement.xyz))
    # Rates of the child side as the turning parent sees them.
    v = b.v + b.w.cross(origin - b.origin) - a.v - a.w.cross(origin - a.origin)
    axes = a.axes @ inner, b.axes @ outer
    return Sides(joint, scene.scalars, *axes, origin, v, b.w - a.w, loss)


def _loss(joint: Joint, scene: Scene) -> Callable[[int, Expression], Expression]:
    def loss(k: int, rate: Expression) -> Expression:
        slip = rate / scene.scalar(joint.friction_speed)
        damping, friction = scene.scalar(joint.damping[k]), scene.scalar(joint.friction[k])
        return -(damping * rate) - friction * slip.unary("tanh")

    return loss


def act(joint: Joint, scene: Scene, loads: Loads, at: Sides, wrench: SpatialForce) -> None:
    """On the child, and the opposite on the parent."""
    places = [scene.tree.pose_of[body][0] for body in (joint.parent, joint.child)]
    ancestor = common_ancestor(scene.tree, *places)
    for link, sign in zip(places, (-1, 1), strict=True):
        if link == WORLD:
            continue
        frame = seen(scene, link, ancestor)
        about = wrench.angular + (at.origin - frame.origin).cross(wrench.linear)
        force = frame.axes.to_child(wrench.linear) * sign
        moment = frame.axes.to_child(about) * sign
        loads.add_wrench(link, SpatialForce(linear=force, angular=moment))
