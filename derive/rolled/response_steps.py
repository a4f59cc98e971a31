"""Steps of the responses of a chain, in tree axes (see `dynamics.chain_response`).

Joints are taken out from the tip on, and what the chain before a joint answers is carried on from
the base; what no joint waits for is done on rows of links. Then the columns of blocks descend in
rows: of each joint the motion that displacements and speeds of the joints before it bring to it,
and the motion that unit forces there bring.
"""

from __future__ import annotations

from functools import cache

from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia
from eomc.derive.dynamics.chain_response import EliminatedJoint, SubtreeResponse, changes_by
from eomc.derive.dynamics.partials import LinkMotion
from eomc.derive.dynamics.velocity_map import VelocityMap
from eomc.derive.geometry import LinkPose, Rotation
from eomc.derive.graph import RolledStep
from eomc.derive.rolled.layouts import (
    ARTICULATED,
    CHANGES,
    FLOW,
    INERTIA,
    MOBILITY,
    NUMBER,
    SEEN,
    SPATIAL_FORCE,
    SPATIAL_MOTION,
    VECTOR,
    VELOCITY_MAP,
    WRENCH,
    forces,
)
from eomc.derive.rolled.step_builder import RowConstants, StepBuilder
from eomc.derive.rolled.tree_axes_steps import axes_of_link

# -- joint after joint -----------------------------------------------------------------------------


def take_out_step(name: str, column: RowConstants, armature: RowConstants) -> RolledStep:
    """A joint out of inertia, map of velocities and wrench, which go on to the parent."""
    step = StepBuilder(
        f"{name}_take_out", "A joint taken out of what its link shows to its parent."
    )
    (s,) = axes_of_link(step, column, 1)
    (rotor,) = step.constants("armature", armature)
    inertia = ArticulatedInertia.of(step.take("composite", INERTIA))
    inertia = inertia + step.take("carried_inertia", ARTICULATED)
    velocity = VelocityMap.of(step.take("flow", FLOW)) + step.take("carried_map", VELOCITY_MAP)
    wrench = step.take("wrench", WRENCH) + step.take("carried_wrench", SPATIAL_FORCE)
    joint, d = EliminatedJoint.taken_out(s, inertia, velocity, rotor)
    ready = (step.take("force", NUMBER) - s.dot(wrench)) * joint.reciprocal
    wrench = wrench + joint.u * ready
    step.give("by_d", SPATIAL_FORCE, joint.by_d)
    step.give("velocity_by_d", VECTOR, joint.velocity_by_d)
    step.give("reciprocal", NUMBER, joint.reciprocal)
    step.give("ready", NUMBER, ready)
    step.give("beyond", ARTICULATED, joint.beyond.inertia)
    step.give("beyond_map", VELOCITY_MAP, joint.beyond.velocity)
    step.give("beyond_wrench", SPATIAL_FORCE, wrench)
    at = LinkPose(Rotation(), step.take("arm", VECTOR))
    carried = joint.beyond.inertia.carried(at.rotation, at.origin)
    step.give("carried_inertia", ARTICULATED, carried)
    step.give("carried_map", VELOCITY_MAP, joint.beyond.velocity.carried(at))
    step.give("carried_wrench", SPATIAL_FORCE, at.to_parent(wrench))
    step.require_positive(d, "singular_mass_matrix")
    return step.step()


def set_off_step(name: str, column: RowConstants) -> RolledStep:
    """Acceleration of a joint, and what it adds to that of its link at rest."""
    step = StepBuilder(f"{name}_set_off", "What a joint adds to the acceleration of its link.")
    (s,) = axes_of_link(step, column, 1)
    at = LinkPose(Rotation(), step.take("arm", VECTOR))
    above = at.to_child(step.take("carried_acceleration", SPATIAL_MOTION))
    a = step.take("ready", NUMBER) - above.dot(step.take("by_d", SPATIAL_FORCE))
    step.give("above", SPATIAL_MOTION, above)
    step.give("carried_acceleration", SPATIAL_MOTION, above + s * a)
    return step.step()


def answer_step(name: str, column: RowConstants) -> RolledStep:
    """Answers of the chain before a joint, and past it; M^-1 of the joint and its field."""
    step = StepBuilder(f"{name}_answer", "Accelerations that the chain answers wrenches with.")
    (s,) = axes_of_link(step, column, 1)
    at = LinkPose(Rotation(), step.take("arm", VECTOR))
    by_d = step.take("by_d", SPATIAL_FORCE)
    mobility = step.take("carried_mobility", MOBILITY).to_child(at)
    y = mobility @ by_d
    own = step.take("reciprocal", NUMBER) + y.dot(by_d)
    step.give("mobility", MOBILITY, mobility)
    step.give("own", NUMBER, own)
    step.give("field", SPATIAL_MOTION, y - s * own)
    step.give("carried_mobility", MOBILITY, mobility.behind(s, y, own))
    return step.step()


# -- rows of links ---------------------------------------------------------------------------------


def respond_step(name: str, column: RowConstants, width: int) -> RolledStep:
    """By q and u of a joint: the wrenches that its parent has to supply, and the changes of motion
    behind it, negative."""
    step = StepBuilder(
        f"{name}_respond_by_{width}",
        "Wrenches by a joint, and what they and the joint change behind it.",
        width,
    )
    (s,) = axes_of_link(step, column, 1)
    above, (v_parent, a_parent) = step.take("above", SPATIAL_MOTION), step.take("seen", SEEN)
    beyond = SubtreeResponse(
        step.take("beyond", ARTICULATED), step.take("beyond_map", VELOCITY_MAP)
    )
    wrench = step.take("beyond_wrench", SPATIAL_FORCE) + beyond.inertia @ above
    motion = LinkMotion(step.take("velocity", SPATIAL_MOTION), v_parent, a_parent + above)
    by_q, by_u = changes_by(motion.change(s))
    f_q = beyond.supplied(*by_q) + s.cross_force(wrench)
    f_u = beyond.supplied(*by_u)
    step.give("supplied", forces(2), (f_q, f_u))
    mobility = step.take("mobility", MOBILITY)
    responses = [(mobility @ f - a, -w) for f, (a, w) in ((f_q, by_q), (f_u, by_u))]
    step.give("response", CHANGES, (responses[0], responses[1]))
    return step.step()


# -- blocks of columns -----------------------------------------------------------------------------


@cache
def descend_step(width: int) -> RolledStep:
    """Motions, at the origin of the next link."""
    step = StepBuilder(
        f"descend_by_{width}",
        "Motions, at the origin of the next link.",
        width,
        ("carried", "fields"),
    )
    at = LinkPose(Rotation(), step.take("arm", VECTOR))
    (a_q, w_q), (a_u, w_u) = step.take("carried", CHANGES)
    step.give("carried", CHANGES, ((at.to_child(a_q), w_q), (at.to_child(a_u), w_u)))
    step.give("fields", SPATIAL_MOTION, at.to_child(step.take("fields", SPATIAL_MOTION)))
    return step.step()


def pass_step(name: str, column: RowConstants, width: int) -> RolledStep:
    """Accelerations of a joint by those in rows, and of theirs by its motion; motions beyond it."""
    outputs = ("column_q", "column_u", "row_q", "row_u", "force")
    step = StepBuilder(
        f"{name}_pass_by_{width}",
        "Derivatives between a joint and those in rows, and what goes on past it.",
        width,
        ("carried", "fields", *outputs),
    )
    (s,) = axes_of_link(step, column, 1)
    by_d, velocity_by_d = step.take("by_d", SPATIAL_FORCE), step.take("velocity_by_d", VECTOR)
    by_q, by_u = step.take("carried", CHANGES)
    t = step.take("fields", SPATIAL_MOTION)
    values = [t.dot(f) for f in step.take("supplied", forces(2))]
    values += [a.dot(by_d) + velocity_by_d.dot(w) for a, w in (by_q, by_u)]
    force = t.dot(by_d)
    for output, value in zip(outputs, (*values, force), strict=True):
        step.give(output, NUMBER, value)
    passed = [(a - s * x, w) for (a, w), x in zip((by_q, by_u), values[2:], strict=True)]
    step.give("carried", CHANGES, (passed[0], passed[1]))
    step.give("fields", SPATIAL_MOTION, t - s * force)
    return step.step()


# -- single numbers --------------------------------------------------------------------------------


@cache
def put_step() -> RolledStep:
    """A number at its place."""
    step = StepBuilder("put", "A number at its place.")
    step.give("to", NUMBER, step.take("from", NUMBER))
    return step.step()
