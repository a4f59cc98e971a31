"""Steps of the dynamics over arrays: each calls the step of `eomc.derive.dynamics` that it names.

Rotations are matrices here, and the constants of a link are arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from eomc.derive.bodies.rigid import RigidBody
from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia, EliminatedSpeed
from eomc.derive.geometry import Inertia, LinkPose, MatrixRotation, Rotation, SpatialMotion
from eomc.derive.graph import Expression, RolledStep
from eomc.derive.motions.motion import Motion
from eomc.derive.rolled.layouts import (
    ARTICULATED,
    INERTIA,
    MOTION,
    NUMBER,
    POSE,
    SPATIAL_FORCE,
    SPATIAL_MOTION,
    WRENCH,
    T,
    ValueLayout,
    numbers,
    spatial_motions,
    vectors,
)
from eomc.derive.rolled.link_constants import with_numbers
from eomc.derive.rolled.step_builder import RowConstants, StepBuilder

ELIMINATED = numbers(8)
"""U (moment, force), 1/D, (tau - S^T p) / D."""


def pose_step(name: str, motion: Motion, placement: RowConstants) -> RolledStep:
    """R = P R(q), p = d + P p(q) of links that hang on their parents by P, d."""
    step = StepBuilder(
        f"{name}_pose", "Pose of a link in its parent: rows of the rotation, origin."
    )
    at = link_pose(step, motion, placement)
    whole = Rotation([at.rotation.matrix(step.zero)])
    step.give("pose", POSE, replace(at, rotation=whole))
    return step.step()


def link_pose(step: StepBuilder, motion: Motion, placement: RowConstants) -> LinkPose:
    """The pose of a link in its parent, by its coordinates and its placement."""
    count = motion.coordinates
    own = step.take("q", numbers(count))
    given = step.constants("placement", placement)
    *rows, offset = vectors(given[:12])
    maps = zip(own, given[12 : 12 + count], given[12 + count : 12 + 2 * count], strict=True)
    q = [factor * entry + shift for entry, factor, shift in maps]
    rotation, displacement = with_numbers(motion, iter(given[12 + 2 * count :])).pose(q)
    constant = MatrixRotation((rows[0], rows[1], rows[2]))
    whole = Rotation([constant, *rotation.factors])
    return LinkPose(whole, offset + constant.to_parent(displacement))


def outward_step(
    name: str, speeds: int, own: RowConstants, body: RowConstants, loaded: bool
) -> RolledStep:
    """Motion of a link from that of its parent, and the wrench that it takes; `loaded` adds it to
    what stands there."""
    step = StepBuilder(
        f"{name}_outward", "Motion of a link from that of its parent, and the wrench that it takes."
    )
    at, parent = step.take("pose", POSE), step.take("parent", MOTION)
    rates = [step.take(array, numbers(speeds)) for array in ("u", "a")]
    at, factors = with_subspace(step, at, own, speeds)
    inertia = INERTIA.read(step.constants("inertia", body))
    moved = at.acceleration(parent, *(relative(step, at, factors, rate) for rate in rates))
    taken = RigidBody(inertia).forces(moved)
    before = step.take("wrench", WRENCH) if loaded else None
    step.give("motion", MOTION, moved)
    step.give("wrench", WRENCH, taken.wrench, onto=before)
    return step.step()


def project_step(name: str, speeds: int, own: RowConstants, shared: bool) -> RolledStep:
    """S^T of the wrench; `shared` adds it to what other links give to the same speeds."""
    step = StepBuilder(f"{name}_project", "Generalized forces of the wrench on a link.")
    wrench = step.take("wrench", WRENCH)
    s, factors = subspace(step, own, speeds)
    values = [factor * column.dot(wrench) for column, factor in zip(s, factors, strict=True)]
    before = step.take("force", numbers(speeds)) if shared else None
    step.give("force", numbers(speeds), values, onto=before)
    return step.step()


def carry_step(
    name: str,
    description: str,
    array: str,
    layout: ValueLayout[T],
    carried: Callable[[LinkPose, T], T],
) -> RolledStep:
    """Add a quantity of the subtree of a link to that of its parent."""
    step = StepBuilder(name, description)
    at, own, parent = (
        step.take("pose", POSE),
        step.take(array, layout),
        step.take("parent", layout),
    )
    step.give("parent", layout, carried(at, own), onto=parent)
    return step.step()


def carry_wrench_step() -> RolledStep:
    """The wrench on a link, added to that on its parent."""
    description = "The wrench on a link, added to that on its parent."
    return carry_step("carry_wrench", description, "wrench", WRENCH, LinkPose.to_parent)


def carry_composite_step() -> RolledStep:
    """Inertia of a locked subtree, added to that of its parent."""
    description = "Inertia of a locked subtree, added to that of its parent."

    def carried(at: LinkPose, own: Inertia) -> Inertia:
        return own.carried(at.rotation, at.origin)

    return carry_step("carry_composite", description, "composite", INERTIA, carried)


def own_composite_step(name: str, body: RowConstants) -> RolledStep:
    """The inertia of a link alone."""
    step = StepBuilder(f"{name}_composite", "Mass, first and second moment of a link.")
    step.give("composite", INERTIA, INERTIA.read(step.constants("inertia", body)))
    return step.step()


def momentum_step(name: str, column: RowConstants) -> RolledStep:
    """Momentum of the subtree in unit motion along one column."""
    step = StepBuilder(f"{name}_momentum", "Momentum of a subtree in unit motion along one column.")
    total = step.take("composite", INERTIA)
    (s,) = spatial_motions(step.constants("column", column))
    step.give("wrench", WRENCH, total @ s)
    return step.step()


@cache
def add_step() -> RolledStep:
    """A number onto another one."""
    step = StepBuilder("add", "A number onto another one.")
    total, term = step.take("sum", NUMBER), step.take("term", NUMBER)
    step.give("sum", NUMBER, term, onto=total)
    return step.step()


def articulated_step(name: str, body: RowConstants) -> RolledStep:
    """The articulated inertia of a link alone."""
    step = StepBuilder(f"{name}_show", "Articulated inertia of a link alone.")
    inertia = INERTIA.read(step.constants("inertia", body))
    step.give("shown", ARTICULATED, ArticulatedInertia.of(inertia))
    return step.step()


def eliminate_step(name: str, column: RowConstants, armature: RowConstants) -> RolledStep:
    """Take a speed out of inertia and wrench; what the way back needs is kept."""
    step = StepBuilder(
        f"{name}_eliminate",
        "A speed taken out of the articulated inertia; what the way back needs is kept.",
    )
    inertia, wrench = step.take("shown", ARTICULATED), step.take("wrench", WRENCH)
    tau = step.take("force", NUMBER)
    (s,) = spatial_motions(step.constants("column", column))
    (rotor,) = step.constants("armature", armature)
    gone, d = EliminatedSpeed.along(s, inertia, rotor)
    ready = (tau - s.dot(wrench)) * gone.reciprocal
    step.give("shown", ARTICULATED, gone.inertia(inertia))
    step.give("wrench", WRENCH, gone.wrench(wrench, ready))
    step.give("kept", ELIMINATED, [*SPATIAL_FORCE.write(gone.u), gone.reciprocal, ready])
    step.require_positive(d, "singular_mass_matrix")
    return step.step()


def carry_articulated_step() -> RolledStep:
    """Add the inertia that is left, and the wrench, to those of the parent."""
    step = StepBuilder(
        "carry_shown", "What is left of inertia and wrench, added to those of the parent."
    )
    at, own = step.take("pose", POSE), step.take("shown", ARTICULATED)
    wrench = step.take("wrench", WRENCH)
    above, parent = step.take("parent_shown", ARTICULATED), step.take("parent_wrench", WRENCH)
    carried = at.to_parent(wrench)
    step.give("parent_shown", ARTICULATED, own.carried(at.rotation, at.origin), onto=above)
    step.give("parent_wrench", WRENCH, carried, onto=parent)
    return step.step()


def follow_step() -> RolledStep:
    """The acceleration that a link takes over from its parent."""
    step = StepBuilder("follow", "The acceleration that a link takes over from its parent.")
    at = step.take("pose", POSE)
    step.give("added", SPATIAL_MOTION, at.to_child(step.take("parent", SPATIAL_MOTION)))
    return step.step()


def accelerate_step(name: str, column: RowConstants) -> RolledStep:
    """Acceleration of one speed after its elimination, and the motion of the link with it."""
    step = StepBuilder(
        f"{name}_accelerate", "Acceleration of one speed, and the motion of its link with it."
    )
    *u, reciprocal, ready = step.take("kept", ELIMINATED)
    above = step.take("added", SPATIAL_MOTION)
    (s,) = spatial_motions(step.constants("column", column))
    gone = EliminatedSpeed(s, SPATIAL_FORCE.read(u), reciprocal)
    a = gone.acceleration(ready, above.dot(gone.u))
    step.give("a", NUMBER, a)
    step.give("added", SPATIAL_MOTION, above + s * a)
    return step.step()


def subspace(
    step: StepBuilder, constants: RowConstants, speeds: int
) -> tuple[list[SpatialMotion], Sequence[Expression]]:
    """Columns, and by how much the link's own speeds differ from those of the tree."""
    values = step.constants("subspace", constants)
    return spatial_motions(values[: 6 * speeds]), values[6 * speeds :]


def with_subspace(
    step: StepBuilder, at: LinkPose, constants: RowConstants, speeds: int
) -> tuple[LinkPose, Sequence[Expression]]:
    """The same for the pose of a link."""
    columns, factors = subspace(step, constants, speeds)
    return replace(at, columns=columns), factors


def relative(
    step: StepBuilder, at: LinkPose, factors: Sequence[Expression], rates: Sequence[Expression]
) -> SpatialMotion:
    """S u of a link whose speeds are those of the tree by `factors`."""
    return at.relative([f * x for f, x in zip(factors, rates, strict=True)], step.still)
