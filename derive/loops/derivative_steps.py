"""Derivatives of inverse dynamics at one link and at a pair of speeds (see `dynamics.partials`).

seen      spatial velocity and acceleration of the parent, in link axes, 12 numbers
flow      of a subtree: integrals of v dm and of v r^T dm, 12
partials  of a speed: psi', psi'', change of velocity, 18
pair      of a speed on its way to the base: wrenches by q and u, momentum, Coriolis row, 21
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.dynamics.partials import Subtree, cross_motion, six_dot, six_sum
from eomc.derive.geometry import Rotation, Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import Expression, Step
from eomc.derive.joints.motion import Column
from eomc.derive.loops.sketch import Numbers, Sketch, columns, dyad, inertia, pose, vectors
from eomc.derive.loops.steps import (
    COMPOSITE,
    MOTION,
    POSE,
    WRENCH,
    along,
    subspace,
    to_parent,
)

SEEN, FLOW, PARTIALS, PAIR = 12, 12, 18, 21


def seen_step(name: str, speeds: int, own: Numbers, body: Numbers) -> Step:
    """Spatial motion of a link and of its parent, and the flow of the body."""
    sketch = Sketch(f"{name}_seen", "Spatial motion of a link and its parent; flow of mass.")
    rotation, origin = pose(sketch.take("pose", POSE))
    w_p, v_p = vectors(sketch.take("parent_velocity", 6))
    _, alpha_p, a_p = vectors(sketch.take("parent", MOTION))
    u = sketch.take("u", speeds)
    s, factors = subspace(sketch, own, speeds)
    w_r, v_r = along(s, [f * x for f, x in zip(factors, u, strict=True)], sketch.still)
    spatial = a_p - w_p.cross(v_p)
    velocity = rotation.to_child(w_p), rotation.to_child(v_p + w_p.cross(origin))
    acceleration = rotation.to_child(alpha_p), rotation.to_child(spatial + alpha_p.cross(origin))
    w, v = velocity[0] + w_r, velocity[1] + v_r
    carried = inertia(sketch.numbers("inertia", body))
    p, _ = carried.momentum(w, v)
    c = Dyad.product(v, carried.first) + Dyad.cross_symmetric(w, carried.second)
    sketch.give("velocity", [*w, *v])
    sketch.give("seen", _flat(*velocity, *acceleration))
    sketch.give("flow", _flat(p, *c.columns))
    return sketch.step()


def carry_flow_step() -> Step:
    """Flow of a subtree, added to that of its parent."""
    sketch = Sketch("carry_flow", "Flow of mass of a subtree, added to that of its parent.")
    rotation, origin = pose(sketch.take("pose", POSE))
    own = sketch.take("flow", FLOW)
    above = sketch.take("parent", FLOW)
    p = rotation.to_parent(Vector(*own[:3]))
    c = Dyad.turned(rotation, dyad(own[3:])) + Dyad.product(p, origin)
    total = (Vector(*above[:3]) + p, *(dyad(above[3:]) + c).columns)
    sketch.give("parent", _flat(*total))
    return sketch.step()


def column_step(name: str, column: Numbers) -> Step:
    """What pairs of speeds need of one, and the wrenches of its subtree by its q and u."""
    sketch = Sketch(f"{name}_partials", "What pairs of speeds need of one of them.")
    (s,) = columns(sketch.numbers("column", column))
    v_p, a_p = _sixes(sketch.take("seen", SEEN))
    (v,) = _sixes(sketch.take("velocity", 6))
    subtree = _subtree(sketch)
    psi_rate = cross_motion(v_p, s)
    psi_acceleration = six_sum(cross_motion(a_p, s), cross_motion(v_p, psi_rate))
    change = cross_motion(six_sum(v, v_p), s)
    momentum, b = subtree.inertial(s), subtree.coriolis_row(s)
    by_q = six_sum(subtree.inertial(psi_acceleration), subtree.coriolis(psi_rate[0]))
    by_u = six_sum(subtree.inertial(change), subtree.coriolis(s[0]))
    sketch.give("partials", _flat(*psi_rate, *psi_acceleration, *change))
    sketch.give("pair", _flat(*by_q, *by_u, *momentum, b))
    return sketch.step()


def own_pair_step(name: str, row: Numbers) -> Step:
    """Rows of the same link."""
    sketch = Sketch(f"{name}_own_pair", "Derivatives of one force of the link itself.")
    (s,) = columns(sketch.numbers("column", row))
    by_q, by_u, *_ = _sixes(sketch.take("pair", PAIR)[:18])
    for array, change in (("row_q", by_q), ("row_u", by_u)):
        (before,) = sketch.take(array, 1)
        sketch.give(array, [before + six_dot(s, change)])
    return sketch.step()


def leave_step(name: str, column: Numbers) -> Step:
    """A pair leaves its link: the wrench turns with it, and all is seen from the parent."""
    sketch = Sketch(f"{name}_leave", "A pair leaves its link, with the wrench that turns along.")
    z, linear = columns(sketch.numbers("column", column))[0]
    force, moment = vectors(sketch.take("wrench", WRENCH))
    turned = z.cross(moment) + linear.cross(force), z.cross(force)
    at = pose(sketch.take("pose", POSE))
    entries = sketch.take("pair", PAIR)
    by_q, by_u, momentum = _sixes(entries[:18])
    sketch.give("pair", _carried(at, six_sum(turned, by_q), by_u, momentum, entries[18:]))
    return sketch.step()


def climb_step() -> Step:
    """A pair, seen from the parent."""
    sketch = Sketch("climb_pair", "A pair of speeds, seen from the parent.")
    at = pose(sketch.take("pose", POSE))
    entries = sketch.take("pair", PAIR)
    by_q, by_u, momentum = _sixes(entries[:18])
    sketch.give("pair", _carried(at, by_q, by_u, momentum, entries[18:]))
    return sketch.step()


def pair_step(name: str, column: Numbers) -> Step:
    """Both derivatives of a pair: of the ancestor's force, and by the ancestor's motion."""
    sketch = Sketch(f"{name}_pair", "Derivatives between a speed and one of an ancestor.")
    (s,) = columns(sketch.numbers("column", column))
    entries = sketch.take("pair", PAIR)
    by_q, by_u, momentum = _sixes(entries[:18])
    b = Vector(*entries[18:])
    psi_rate, psi_acceleration, change = _sixes(sketch.take("partials", PARTIALS))
    values = {
        "row_q": six_dot(s, by_q),
        "row_u": six_dot(s, by_u),
        "column_q": six_dot(momentum, psi_acceleration) + b.dot(psi_rate[0]),
        "column_u": six_dot(momentum, change) + b.dot(s[0]),
    }
    for array, value in values.items():
        (before,) = sketch.take(array, 1)
        sketch.give(array, [before + value])
    return sketch.step()


def _subtree(sketch: Sketch) -> Subtree:
    total = inertia(sketch.take("composite", COMPOSITE))
    flow = sketch.take("flow", FLOW)
    still = sketch.still
    return Subtree(total, Vector(*flow[:3]), dyad(flow[3:]), (still, still))


def _sixes(entries: Sequence[Expression]) -> list[Column]:
    return columns(entries)


def _flat(*parts: Vector) -> list[Expression]:
    return [entry for part in parts for entry in part]


def _carried(
    at: tuple[Rotation, Vector],
    by_q: Column,
    by_u: Column,
    momentum: Column,
    b: Sequence[Expression],
) -> list[Expression]:
    values: list[Expression] = []
    for moment, force in (by_q, by_u, momentum):
        carried = to_parent(at, force, moment)
        values += [*carried[3:], *carried[:3]]
    return [*values, *at[0].to_parent(Vector(*b))]
