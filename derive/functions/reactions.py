"""Reactions in joints: what the two sides of each joint do to one another.

Newton's and Euler's equations of every link with the inertia that its bodies have (not the one that
motion alone can tell), tips to base; constraints act on the links with their multipliers. Row by
row, for joints of the tree and for cut ones, the force and the moment that the parent exerts on the
child through the joint, drive and losses and springs of the joint included:

    S^T (moment, force) = tau + Q - n^2 I_rotor u'

with S the motion subspace of the joint and Q the generalized forces of its own springs and losses.
Both are in the axes of the joint frame on the child, the moment about its origin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eomc.derive.constraints import Constraint
from eomc.derive.dynamics.inverse import Wrench
from eomc.derive.forces.cut_joint_losses import loss_wrench
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import KINDS, Kind, column, function
from eomc.derive.functions.shared import shared
from eomc.derive.geometry import Rotation, Vector
from eomc.derive.graph import Argument, Expression, Function, nodes, symbols
from eomc.derive.joints.joint import Joint
from eomc.derive.scene.pair import Seen, body_frames
from eomc.derive.system import System
from eomc.derive.system.constraint_wrenches import element_wrench, on_links
from eomc.derive.system.transmitted import in_joint, transmitted
from eomc.derive.tree.link import WORLD

NAME = "joint_reactions"


class MultiplierKind(Kind):
    """A function that takes the multipliers too, if the model has constraints."""

    def function(self, system: Formulation, more: Sequence[str] = ()) -> Function:
        """The function of one formulation."""
        inputs = list(self.arguments(system, more))
        if system.is_constrained:
            names = system.constraints.names
            entries = nodes(symbols(system.graph, "multipliers", len(names)))
            meaning = "multipliers of the constraints"
            argument = Argument("multipliers", (len(names),), entries, meaning, "N or N m", names)
            place = max(k for k, entry in enumerate(inputs) if entry.name in self.inputs)
            inputs.insert(place + 1, argument)
        return Function(self.name, tuple(inputs), tuple(self.make(system)), self.description)


def _multipliers(system: System) -> dict[str, Expression]:
    if not system.is_constrained:
        return {}
    names = system.constraints.names
    return dict(zip(names, symbols(system.graph, "multipliers", len(names)), strict=True))


def reaction_names(system: System) -> tuple[str, ...]:
    """Joints in order: those of the tree between bodies that move, then cut ones."""
    return tuple(joint.name for joint in (*_moving(system), *system.model.cuts()))


def _moving(system: System) -> list[Joint]:
    place = system.tree.pose_of
    return [
        joint for joint in system.model.tree() if place[joint.child][0] != place[joint.parent][0]
    ]


def joint_reactions(system: System) -> list[Argument]:
    """(joints, 6)"""
    names, rows = reaction_names(system), _reactions(system)
    entries = tuple(entry.node for row in rows for vector in row for entry in vector)
    meaning = "force and moment of parent on child, child-side joint frame"
    return [Argument("reactions", (len(names), 6), entries, meaning, "N, N m", names)]


@shared
def _reactions(system: System) -> list[Wrench]:
    held = on_links(_elements(system), system.scene, _multipliers(system))
    wrenches = transmitted(system, held)
    rows = [in_joint(system, joint, wrenches) for joint in _moving(system)]
    return rows + [_of_cut(system, joint) for joint in system.model.cuts()]


def world_reactions(system: System) -> Iterator[tuple[Vector, Vector, Vector]]:
    """Where each reaction acts, its force and its moment, in the world."""
    joints = [*_moving(system), *system.model.cuts()]
    for joint, (force, moment) in zip(joints, _reactions(system), strict=True):
        declared = system.model.joints[joint.name]
        placement = declared.child_placement
        link, rotation, _ = system.tree.pose_of[declared.child]
        axes = rotation @ Rotation([system.scalars.rotation(placement.matrix)])
        if link != WORLD:
            axes = system.world[link][0] @ axes
        place = system.scene.point(declared.child, placement.xyz).position
        yield place, axes.to_parent(force), axes.to_parent(moment)


def _elements(system: System) -> list[Joint | Constraint]:
    return [*system.model.cuts(), *system.model.constraints.values()]


def _of_cut(system: System, joint: Joint) -> Wrench:
    """Of a cut joint: of its constraints, and of its losses."""
    force, moment = element_wrench(joint, system.scene, _multipliers(system))
    lost_force, lost_moment = loss_wrench(joint, system.scene)
    _, child = _frames(system, joint)
    placement = joint.child_placement
    rotation = Rotation([system.scalars.rotation(placement.matrix)])
    offset = child.axes.to_parent(system.scalars.vector(placement.xyz))
    axes = child.axes @ rotation
    moment = moment - offset.cross(force) + lost_moment
    return axes.to_child(force + lost_force), axes.to_child(moment)


def _frames(system: System, joint: Joint) -> list[Seen]:
    return body_frames(system.scene, (joint.parent, joint.child))


KINDS[NAME] = MultiplierKind(
    NAME,
    ("q", "u", "a"),
    "Forces and moments that the parent side of every joint exerts on the child side.",
    joint_reactions,
    sees_forces=True,
    needs=("bodies",),
)


@function(
    "forces_by_reactions",
    ("q", "u", "a"),
    "Generalized forces that depend on the reactions in joints, such as the friction of bearings.",
    sees_forces=True,
    needs=("forces by reactions",),
)
def forces_by_reactions(system: System) -> list[Argument]:
    """Q of M a + c = tau + Q(q, u, a)."""
    found = system.reacted(system.a).free
    return [column("Q", found, "generalized forces", "N m or N", system.speed_names)]
