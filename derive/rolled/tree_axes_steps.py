"""Steps in tree axes, those of the root link of each tree: nothing turns between its links.

Origins stay those of the links, for they keep the digits of long chains: on the way to the parent a
vector is only shifted along the arm, from the origin of the link to that of the parent. What the
mechanism as a whole has turned by, such as a floating base, takes no part.
"""

from __future__ import annotations

from functools import cache

from eomc.derive.bodies.rigid import RigidBody
from eomc.derive.dynamics.partials import (
    LinkMotion,
    Subtree,
    SubtreeMomentum,
    WrenchAscent,
    in_link_axes,
)
from eomc.derive.geometry import LinkPose, MatrixRotation, Rotation, SpatialMotion, Vector
from eomc.derive.graph import RolledStep
from eomc.derive.motions.motion import Motion
from eomc.derive.rolled.layouts import (
    ASCENT,
    FLOW,
    INERTIA,
    MOTION,
    NUMBER,
    PARTIALS,
    POSE,
    ROTATION,
    SEEN,
    SPATIAL_FORCE,
    SPATIAL_MOTION,
    VECTOR,
    WRENCH,
    numbers,
    vectors,
)
from eomc.derive.rolled.step_builder import RowConstants, StepBuilder
from eomc.derive.rolled.steps import link_pose, subspace


def angles_step(name: str, motion: Motion, placement: RowConstants) -> RolledStep:
    """The angles whose sines and cosines the pose of a link takes."""
    step = StepBuilder(f"{name}_angles", "Angles of a joint.")
    at = link_pose(step, motion, placement)
    step.give("turn", ROTATION, list(at.rotation.matrix(step.zero).rows))
    step.give("arm", VECTOR, at.origin)
    step.give_turns()
    return step.step()


def turn_step(name: str, motion: Motion, placement: RowConstants) -> RolledStep:
    """Axes of a link, and its arm, by sines and cosines that are there already."""
    step = StepBuilder(f"{name}_turned", "Axes and arm of a link in tree axes.")
    _attach(step, link_pose(step, motion, placement))
    step.take_turns()
    return step.step()


@cache
def attach_step() -> RolledStep:
    """Axes of a link, and its arm, by its pose in its parent."""
    step = StepBuilder("attach", "Axes and arm of a link in tree axes.")
    _attach(step, step.take("pose", POSE))
    return step.step()


def _attach(step: StepBuilder, at: LinkPose) -> None:
    a, b, c = step.take("parent_turn", ROTATION)
    parent = MatrixRotation((a, b, c))
    turn = Rotation([parent, *at.rotation.factors]).matrix(step.zero)
    step.give("turn", ROTATION, list(turn.rows))
    step.give("arm", VECTOR, parent.to_parent(at.origin))


def build_step(
    name: str, speeds: int, own: RowConstants, body: RowConstants, width: int
) -> RolledStep:
    """Columns of a link and the inertia of its body, in tree axes."""
    step = StepBuilder(
        f"{name}_build_by_{width}", "Columns and inertia of a link in tree axes.", width
    )
    a, b, c = step.take("turn", ROTATION)
    turn = Rotation([MatrixRotation((a, b, c))])
    columns, _ = subspace(step, own, speeds)
    inertia = INERTIA.read(step.constants("inertia", body))
    for speed, column in enumerate(columns):
        angular = turn.to_parent(column.angular)
        axis = SpatialMotion(linear=turn.to_parent(column.linear), angular=angular)
        step.give(f"axis_{speed}", SPATIAL_MOTION, axis)
    step.give("composite", INERTIA, inertia.rotated(turn))
    return step.step()


def move_step(name: str, speeds: int, own: RowConstants, _: RowConstants) -> RolledStep:
    """Motion of a link from that of its parent, and that of the parent at its origin."""
    step = StepBuilder(f"{name}_move", "Motion of a link, and of its parent at its origin.")
    at = LinkPose(Rotation(), step.take("arm", VECTOR), axes_of_link(step, own, speeds))
    parent, before = (
        step.take("parent_motion", MOTION),
        step.take("parent_velocity", SPATIAL_MOTION),
    )
    twist, change = (
        at.relative(step.take(array, numbers(speeds)), step.still) for array in ("u", "a")
    )
    v_parent, a_parent = in_link_axes(at, before, parent.alpha, parent.a)
    step.give("motion", MOTION, at.acceleration(parent, twist, change))
    step.give("velocity", SPATIAL_MOTION, v_parent + twist)
    step.give("seen", SEEN, (v_parent, a_parent))
    return step.step()


@cache
def body_step(width: int) -> RolledStep:
    """The wrench that a body takes, and the flow of its mass."""
    step = StepBuilder(f"body_by_{width}", "Wrench that a body takes, and flow of its mass.", width)
    inertia, moved = step.take("composite", INERTIA), step.take("motion", MOTION)
    taken = RigidBody(inertia).forces(moved)
    step.give("wrench", WRENCH, taken.wrench)
    step.give("flow", FLOW, SubtreeMomentum.of(inertia, step.take("velocity", SPATIAL_MOTION)))
    return step.step()


@cache
def shift_composite_step() -> RolledStep:
    """Inertia of a locked subtree, added to that of its parent."""
    step = StepBuilder("shift_composite", "Inertia of a locked subtree, added to its parent's.")
    _shift_composite(step, step.take("arm", VECTOR))
    return step.step()


@cache
def shift_subtree_step() -> RolledStep:
    """Inertia, flow and wrench of a subtree, added to those of its parent."""
    step = StepBuilder("shift_subtree", "Inertia, flow and wrench of a subtree, to its parent.")
    arm = step.take("arm", VECTOR)
    at = LinkPose(Rotation(), arm)
    _shift_composite(step, arm)
    flow, above = step.take("flow", FLOW), step.take("parent_flow", FLOW)
    step.give("parent_flow", FLOW, above.with_child(at, flow))
    wrench, known = step.take("wrench", WRENCH), step.take("parent_wrench", WRENCH)
    step.give("parent_wrench", WRENCH, at.to_parent(wrench), onto=known)
    return step.step()


@cache
def shift_wrench_step() -> RolledStep:
    """Wrench of a subtree, added to that of its parent."""
    step = StepBuilder("shift_wrench", "Wrench of a subtree, added to its parent's.")
    at = LinkPose(Rotation(), step.take("arm", VECTOR))
    wrench, known = step.take("wrench", WRENCH), step.take("parent_wrench", WRENCH)
    step.give("parent_wrench", WRENCH, at.to_parent(wrench), onto=known)
    return step.step()


def _shift_composite(step: StepBuilder, arm: Vector) -> None:
    own, above = step.take("composite", INERTIA), step.take("parent_composite", INERTIA)
    step.give("parent_composite", INERTIA, own.shifted(arm), onto=above)


def depart_step(name: str, column: RowConstants, width: int) -> RolledStep:
    """Changes by a speed, and its own wrenches and momentum (see `dynamics.partials`)."""
    step = StepBuilder(
        f"{name}_depart_by_{width}", "Changes by a speed, its own wrenches and momentum.", width
    )
    (s,) = axes_of_link(step, column, 1)
    seen, v = step.take("seen", SEEN), step.take("velocity", SPATIAL_MOTION)
    subtree = Subtree(step.take("composite", INERTIA), step.take("flow", FLOW))
    wrench = step.take("wrench", WRENCH)
    change = LinkMotion(v, *seen).change(s)
    ascent = WrenchAscent(*subtree.forces(change), subtree.inertia @ s, subtree.coriolis_row(s))
    step.give("partials", PARTIALS, (change.psi_rate, change.psi, change.by_speed))
    step.give("started", ASCENT, ascent)
    step.give("turned", SPATIAL_FORCE, s.cross_force(wrench))
    return step.step()


def ready_step(name: str, column: RowConstants) -> RolledStep:
    """The force on a speed that is left to accelerate it."""
    step = StepBuilder(f"{name}_ready", "Force on a speed that is left to accelerate it.")
    (s,) = axes_of_link(step, column, 1)
    step.give("ready", NUMBER, step.take("force", NUMBER) - s.dot(step.take("wrench", WRENCH)))
    return step.step()


def axes_of_link(step: StepBuilder, own: RowConstants, speeds: int) -> list[SpatialMotion]:
    """Columns of a link: a part that is always zero in its own axes is so in all."""
    found = []
    for speed in range(speeds):
        parts = vectors(step.take(f"axis_{speed}", numbers(SPATIAL_MOTION.size)))
        of_link = (own.shared[k : k + 3] for k in (6 * speed, 6 * speed + 3))
        are_zero = (all(e is not None and e.is_zero for e in part) for part in of_link)
        angular, linear = (
            step.still if is_zero else v for v, is_zero in zip(parts, are_zero, strict=True)
        )
        found.append(SpatialMotion(linear=linear, angular=angular))
    return found
