"""Steps of the derivatives of inverse dynamics over arrays (see `dynamics.partials`)."""

from __future__ import annotations

from eomc.derive.dynamics.partials import Ascent, Change, Flow, SpatialMotion, Subtree, seen_from
from eomc.derive.geometry.spatial import plus
from eomc.derive.graph import Step
from eomc.derive.rolled.layouts import (
    ASCENT,
    FLOW,
    INERTIA,
    MOTION,
    NUMBER,
    POSE,
    SPATIAL,
    WRENCH,
    numbers,
    spatial_vectors,
    spatials,
)
from eomc.derive.rolled.step_builder import RowConstants, StepBuilder
from eomc.derive.rolled.steps import relative, with_subspace

SEEN = spatials(2)
"""Spatial velocity and acceleration of the parent, in link axes."""

PARTIALS = spatials(3)
"""Of a speed: psi', psi'', change of velocity."""


def seen_step(name: str, speeds: int, own: RowConstants, body: RowConstants) -> Step:
    """Spatial motion of a link and of its parent, and the flow of the body."""
    step = StepBuilder(f"{name}_seen", "Spatial motion of a link and its parent; flow of mass.")
    at = step.take("pose", POSE)
    parent_velocity, parent = step.take("parent_velocity", SPATIAL), step.take("parent", MOTION)
    u = step.take("u", numbers(speeds))
    at, factors = with_subspace(step, at, own, speeds)
    twist = relative(step, at, factors, u)
    v_parent, a_parent = seen_from(at, parent_velocity, parent.alpha, parent.a)
    v = plus(v_parent, twist)
    flow = Flow.of(INERTIA.read(step.constants("inertia", body)), v)
    step.give("velocity", SPATIAL, v)
    step.give("seen", SEEN, (v_parent, a_parent))
    step.give("flow", FLOW, flow)
    return step.step()


def carry_flow_step() -> Step:
    """Flow of a subtree, added to that of its parent."""
    step = StepBuilder("carry_flow", "Flow of mass of a subtree, added to that of its parent.")
    at, own, parent = step.take("pose", POSE), step.take("flow", FLOW), step.take("parent", FLOW)
    step.give("parent", FLOW, parent.with_child(at, own))
    return step.step()


def column_step(name: str, column: RowConstants) -> Step:
    """The changes of motion by one speed, and what it carries to the base."""
    step = StepBuilder(f"{name}_partials", "What pairs of speeds need of one of them.")
    (s,) = spatial_vectors(step.constants("column", column))
    seen, v = step.take("seen", SEEN), step.take("velocity", SPATIAL)
    subtree = Subtree(step.take("composite", INERTIA), step.take("flow", FLOW))
    change = SpatialMotion(v, *seen).change(s)
    momentum, coriolis = subtree.inertial(s), subtree.coriolis_row(s)
    by_q, by_u = subtree.wrenches(change)
    step.give("partials", PARTIALS, (change.psi_rate, change.psi, change.by_speed))
    step.give("pair", ASCENT, Ascent(by_q, by_u, momentum, coriolis))
    return step.step()


def own_pair_step(name: str, row: RowConstants) -> Step:
    """Rows of the same link."""
    step = StepBuilder(f"{name}_own_pair", "Derivatives of one force of the link itself.")
    (s,) = spatial_vectors(step.constants("column", row))
    pair = step.take("pair", ASCENT)
    before = [step.take(array, NUMBER) for array in ("row_q", "row_u")]
    for array, known, value in zip(("row_q", "row_u"), before, pair.on(s), strict=True):
        step.give(array, NUMBER, value, onto=known)
    return step.step()


def leave_step(name: str, column: RowConstants) -> Step:
    """A pair leaves its link: the wrench turns with it, and all is seen from the parent."""
    step = StepBuilder(f"{name}_leave", "A pair leaves its link, with the wrench that turns along.")
    (s,) = spatial_vectors(step.constants("column", column))
    wrench, at, pair = (
        step.take("wrench", WRENCH),
        step.take("pose", POSE),
        step.take("pair", ASCENT),
    )
    step.give("pair", ASCENT, pair.leaving(s, wrench).to_parent(at))
    return step.step()


def climb_step() -> Step:
    """A pair, seen from the parent."""
    step = StepBuilder("climb_pair", "A pair of speeds, seen from the parent.")
    at, pair = step.take("pose", POSE), step.take("pair", ASCENT)
    step.give("pair", ASCENT, pair.to_parent(at))
    return step.step()


def pair_step(name: str, column: RowConstants) -> Step:
    """Both derivatives of a pair: of the ancestor's force, and by the ancestor's motion."""
    step = StepBuilder(f"{name}_pair", "Derivatives between a speed and one of an ancestor.")
    (s,) = spatial_vectors(step.constants("column", column))
    pair, partials = step.take("pair", ASCENT), step.take("partials", PARTIALS)
    values = (*pair.on(s), *pair.by(Change(s, *partials)))
    for array, value in zip(("row_q", "row_u", "column_q", "column_u"), values, strict=True):
        step.give(array, NUMBER, value, onto=step.take(array, NUMBER))
    return step.step()
