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

from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import KINDS, Kind, column, function, matrix_of
from eomc.derive.functions.shared import shared
from eomc.derive.geometry import Rotation, SpatialForce, Vector
from eomc.derive.graph import Argument, Function
from eomc.derive.system import System
from eomc.derive.system.reacting import in_all_joints, moving_joints
from eomc.derive.system.reacting_partials import multiplier_columns
from eomc.derive.tree.link import WORLD

NAME = "joint_reactions"


class MultiplierKind(Kind):
    """A function that takes the multipliers too, if the model has constraints."""

    def function(self, system: Formulation, more: Sequence[str] = ()) -> Function:
        """The function of one formulation."""
        inputs = self.arguments(system, more)
        if system.is_constrained:
            inputs = self.with_multipliers(system, inputs)
        return Function(self.name, inputs, tuple(self.make(system)), self.description)


def reaction_names(system: System) -> tuple[str, ...]:
    """Joints in order: those of the tree between bodies that move, then cut ones."""
    return tuple(joint.name for joint in (*moving_joints(system), *system.model.cuts()))


def joint_reactions(system: System) -> list[Argument]:
    """(joints, 6)"""
    names, rows = reaction_names(system), _reactions(system)
    entries = tuple(entry.node for row in rows for entry in row.entries)
    meaning = "force and moment of parent on child, child-side joint frame"
    return [Argument("reactions", (len(names), 6), entries, meaning, "N, N m", names)]


@shared
def _reactions(system: System) -> list[SpatialForce]:
    return in_all_joints(system)


def world_reactions(system: System) -> Iterator[tuple[Vector, SpatialForce]]:
    """Place and wrench of each reaction, in the world."""
    joints = [*moving_joints(system), *system.model.cuts()]
    for joint, wrench in zip(joints, _reactions(system), strict=True):
        declared = system.model.joints[joint.name]
        placement = declared.child_placement
        link, rotation, _ = system.tree.pose_of[declared.child]
        axes = rotation @ Rotation([system.scalars.rotation(placement.matrix)])
        if link != WORLD:
            axes = system.world[link][0] @ axes
        place = system.scene.point(declared.child, placement.xyz).position
        force = axes.to_parent(wrench.linear)
        yield place, SpatialForce(linear=force, angular=axes.to_parent(wrench.angular))


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
    sees_multipliers=True,
)
def forces_by_reactions(system: System) -> list[Argument]:
    """Q of M a + c = tau + Q(q, u, a)."""
    found = system.reacted(system.a).free
    return [column("Q", found, "generalized forces", "N m or N", system.speed_names)]


@function(
    "forces_by_multipliers",
    ("q", "u", "a"),
    "Derivatives by the multipliers of the generalized forces that depend on reactions.",
    sees_forces=True,
    needs=("forces by reactions", "constraints"),
    sees_multipliers=True,
)
def forces_by_multipliers(system: System) -> list[Argument]:
    """dQ/dlambda, (nu, number of multipliers)."""
    columns = multiplier_columns(system)
    return [matrix_of("Q_lambda", columns, system.speed_names, "d Q / d lambda")]
