"""Forces and moments that joints transmit between their two sides.

Of joints of the tree by Newton's and Euler's equations of every link with the inertia that its
bodies have (not the one that motion alone can tell), tips to base, at the accelerations a of the
state; of cut joints by the multipliers of their rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from eomc.derive.bodies.body import Body
from eomc.derive.dynamics.kinematics import accelerations
from eomc.derive.forces.cut_joint_losses import loss_wrench
from eomc.derive.geometry import Inertia, Rotation, SpatialForce
from eomc.derive.geometry.spatial import reduced, summed
from eomc.derive.graph import Expression
from eomc.derive.joints.joint import Joint
from eomc.derive.scene.pair import body_frames, seen
from eomc.derive.system.constraint_wrenches import element_wrench
from eomc.derive.tree.draft import declared_inertia
from eomc.derive.tree.link import WORLD

if TYPE_CHECKING:
    from eomc.derive.system import System


def _bodies(system: System) -> list[Body]:
    """Each link with the inertia of its bodies as declared."""
    tree = system.tree
    inertias = [Inertia.zero(tree.zero) for _ in tree.links]
    for body in system.model.bodies.values():
        place, rotation, origin = tree.pose_of[body.name]
        if place != WORLD:
            own = declared_inertia(body, system.scalars).rotated(rotation).shifted(origin)
            inertias[place] = inertias[place] + own
    bodies: list[Body] = []
    for link, inertia in zip(tree.links, inertias, strict=True):
        bodies.append(link.body.with_rigid_part(inertia))
    return bodies


def transmitted(system: System, held: Mapping[int, Sequence[SpatialForce]]) -> list[SpatialForce]:
    """Wrench that each link gets from its parent, about the link origin, in link axes.

    `held` are the wrenches of constraints on the links.
    """
    tree, state = system.tree, system.state
    motion = accelerations(tree, state, system.pose, -tree.gravity)
    wrenches: list[SpatialForce] = []
    for index, (link, at, body) in enumerate(zip(tree.links, motion, _bodies(system), strict=True)):
        taken = body.forces(at, state.speeds(link), state.accelerations(link))
        wrench = taken.wrench
        outer = list(held.get(index, ()))
        if index in system.external_wrenches:
            outer = [*outer, system.external_wrenches[index]]
        for each in outer:
            wrench = reduced(wrench, each)
        wrenches.append(wrench)
    for index in reversed(range(len(tree.links))):
        parent, at_parent = tree.links[index].parent, system.pose[index]
        if parent != WORLD:
            wrenches[parent] = summed(wrenches[parent], at_parent.to_parent(wrenches[index]))
    return wrenches


def in_joint(system: System, joint: Joint, wrenches: Sequence[SpatialForce]) -> SpatialForce:
    """Wrench of the parent on the child, in the joint frame on the child as declared."""
    place = system.tree.pose_of
    wrench = wrenches[place[joint.child][0]]
    at = seen(system.scene, place[joint.child][0], place[joint.parent][0])
    force, moment = at.axes.to_parent(wrench.linear), at.axes.to_parent(wrench.angular)
    declared = system.model.joints[joint.name]
    sign = 1 if declared.child == joint.child else -1
    frames = body_frames(system.scene, (joint.parent, joint.child))
    child = frames[1] if sign == 1 else frames[0]
    placement = declared.child_placement
    rotation = Rotation([system.scalars.rotation(placement.matrix)])
    origin = child.point(system.scalars.vector(placement.xyz))
    moment = moment - (origin - at.origin).cross(force)
    axes = child.axes @ rotation
    force, moment = axes.to_child(force) * sign, axes.to_child(moment) * sign
    return SpatialForce(linear=force, angular=moment)


def in_cut_joint(
    system: System, joint: Joint, multipliers: Mapping[str, Expression]
) -> SpatialForce:
    """The same of a cut joint: of its constraints, and of its losses."""
    return on_cut_child(
        system,
        joint,
        element_wrench(joint, system.scene, multipliers),
        loss_wrench(joint, system.scene),
    )


def on_cut_child(
    system: System, joint: Joint, held: SpatialForce, lost: SpatialForce
) -> SpatialForce:
    """Wrench on the child of a cut joint, in the joint frame on it.

    Both are seen from the common ancestor, the moment of `held` about the origin of the child's
    frame, that of `lost` about the origin of the joint's.
    """
    _, child = body_frames(system.scene, (joint.parent, joint.child))
    placement = joint.child_placement
    rotation = Rotation([system.scalars.rotation(placement.matrix)])
    offset = child.axes.to_parent(system.scalars.vector(placement.xyz))
    axes = child.axes @ rotation
    moment = held.angular - offset.cross(held.linear) + lost.angular
    force = axes.to_child(held.linear + lost.linear)
    return SpatialForce(linear=force, angular=axes.to_child(moment))
