"""What the recursions do at one link, stated once for every kind of joint.

The equations are those of `eomc.derive.dynamics`; here each is a small function of arrays:

    pose      rows of R_parent_link and the origin, 12 numbers
    motion    angular velocity, angular and linear acceleration, 9
    wrench    force and moment about the link origin, 6
    shown     articulated inertia J, H, M, 21
    composite mass, first and second moment, 10
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.bodies.body import Acceleration
from eomc.derive.bodies.rigid import RigidBody
from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia
from eomc.derive.geometry import AccelerationMatrix, MatrixRotation, Rotation, Vector
from eomc.derive.graph import Expression, Step
from eomc.derive.joints.motion import Column, Motion
from eomc.derive.loops.links import with_numbers
from eomc.derive.loops.sketch import (
    Numbers,
    Sketch,
    columns,
    dyad,
    inertia,
    pose,
    symmetric,
    vectors,
)

POSE, MOTION, WRENCH, SHOWN, COMPOSITE = 12, 9, 6, 21, 10


def pose_step(name: str, motion: Motion, placement: Numbers) -> Step:
    """R = P R(q), p = d + P p(q) of links that hang on their parents by P, d."""
    sketch = Sketch(f"{name}_pose", "Pose of a link in its parent: rows of the rotation, origin.")
    count = motion.coordinates
    own = sketch.take("q", count)
    numbers = sketch.numbers("placement", placement)
    *rows, offset = vectors(numbers[:12])
    q = [
        factor * entry + shift
        for entry, factor, shift in zip(
            own, numbers[12 : 12 + count], numbers[12 + count : 12 + 2 * count], strict=True
        )
    ]
    moved = with_numbers(motion, iter(numbers[12 + 2 * count :]))
    rotation, displacement = moved.pose(q)
    constant = MatrixRotation((rows[0], rows[1], rows[2]))
    whole = Rotation([constant, *rotation.factors]).matrix(sketch.zero)
    origin = offset + constant.to_parent(displacement)
    sketch.give("pose", [entry for row in (*whole.rows, origin) for entry in row])
    return sketch.step()


def outward_step(name: str, speeds: int, own: Numbers, body: Numbers, loaded: bool) -> Step:
    """Motion of a link from that of its parent, and the wrench that it takes; `loaded` adds it to
    what stands there."""
    sketch = Sketch(
        f"{name}_outward", "Motion of a link from that of its parent, and the wrench that it takes."
    )
    rotation, origin = pose(sketch.take("pose", POSE))
    w_p, alpha_p, a_p = vectors(sketch.take("parent", MOTION))
    u, acceleration = sketch.take("u", speeds), sketch.take("a", speeds)
    s, factors = subspace(sketch, own, speeds)
    carried = inertia(sketch.numbers("inertia", body))
    w_r, v_r = along(s, [f * x for f, x in zip(factors, u, strict=True)], sketch.still)
    w_t, v_t = along(s, [f * x for f, x in zip(factors, acceleration, strict=True)], sketch.still)
    turned = rotation.to_child(w_p)
    w = turned + w_r
    alpha = rotation.to_child(alpha_p) + turned.cross(w_r) + w_t
    a = rotation.to_child(a_p + AccelerationMatrix(w_p, alpha_p) @ origin)
    a = a + (turned * 2 + w_r).cross(v_r) + v_t
    moved = Acceleration(w, alpha, AccelerationMatrix(w, alpha), a)
    taken = RigidBody(carried).forces(moved)
    wrench = [*taken.force, *taken.moment]
    if loaded:
        before = sketch.take("wrench", WRENCH)
        wrench = [x + y for x, y in zip(before, wrench, strict=True)]
    sketch.give("motion", [*w, *alpha, *a])
    sketch.give("wrench", wrench)
    return sketch.step()


def project_step(name: str, speeds: int, own: Numbers, shared: bool) -> Step:
    """S^T of the wrench; `shared` adds it to what other links give to the same speeds."""
    sketch = Sketch(f"{name}_project", "Generalized forces of the wrench on a link.")
    force, moment = vectors(sketch.take("wrench", WRENCH))
    s, factors = subspace(sketch, own, speeds)
    values = [
        factor * (angular.dot(moment) + linear.dot(force))
        for (angular, linear), factor in zip(s, factors, strict=True)
    ]
    if shared:
        before = sketch.take("force", speeds)
        values = [x + y for x, y in zip(before, values, strict=True)]
    sketch.give("force", values)
    return sketch.step()


def carry_step() -> Step:
    """The wrench on a link, on its parent: f_p += R f, n_p += R n + p x R f."""
    sketch = Sketch("carry_wrench", "The wrench on a link, added to that on its parent.")
    at = pose(sketch.take("pose", POSE))
    wrench = vectors(sketch.take("wrench", WRENCH))
    parent = sketch.take("parent", WRENCH)
    carried = to_parent(at, wrench[0], wrench[1])
    sketch.give("parent", [x + y for x, y in zip(parent, carried, strict=True)])
    return sketch.step()


def transfer_step() -> Step:
    """The same in place: a wrench or momentum seen from the parent."""
    sketch = Sketch("transfer", "A wrench or momentum, seen from the parent.")
    at = pose(sketch.take("pose", POSE))
    force, moment = vectors(sketch.take("wrench", WRENCH))
    sketch.give("wrench", to_parent(at, force, moment))
    return sketch.step()


def own_composite_step(name: str, body: Numbers) -> Step:
    """The inertia of a link alone."""
    sketch = Sketch(f"{name}_composite", "Mass, first and second moment of a link.")
    sketch.give("composite", sketch.numbers("inertia", body))
    return sketch.step()


def composite_step() -> Step:
    """The inertia of a locked subtree, added to that of its parent."""
    sketch = Sketch("carry_composite", "Inertia of a locked subtree, added to that of its parent.")
    rotation, origin = pose(sketch.take("pose", POSE))
    own = inertia(sketch.take("composite", COMPOSITE))
    above = inertia(sketch.take("parent", COMPOSITE))
    total = above + own.rotated(rotation).shifted(origin)
    sketch.give("parent", [total.mass, *total.first, *total.second.entries])
    return sketch.step()


def momentum_step(name: str, column: Numbers) -> Step:
    """Momentum of the subtree in unit motion along one column: (linear, angular)."""
    sketch = Sketch(f"{name}_momentum", "Momentum of a subtree in unit motion along one column.")
    total = inertia(sketch.take("composite", COMPOSITE))
    ((angular, linear),) = columns(sketch.numbers("column", column))
    p, h = total.momentum(angular, linear)
    sketch.give("wrench", [*p, *h])
    return sketch.step()


def add_step() -> Step:
    """A number onto another one."""
    sketch = Sketch("add", "A number onto another one.")
    (total,), (term,) = sketch.take("sum", 1), sketch.take("term", 1)
    sketch.give("sum", [total + term])
    return sketch.step()


def mirror_step() -> Step:
    """Both of M_ij and M_ji from the one that was found; the other one is zero still."""
    sketch = Sketch("mirror", "Both of two entries that are one; what was not found is zero.")
    (upper,), (lower,) = sketch.take("upper", 1), sketch.take("lower", 1)
    is_zero = sketch.graph.equal(upper.node, sketch.zero.node)
    value = Expression(sketch.graph, sketch.graph.select(is_zero, lower.node, upper.node))
    sketch.give("upper", [value])
    sketch.give("lower", [value])
    return sketch.step()


def show_step(name: str, body: Numbers) -> Step:
    """The articulated inertia of a link alone."""
    sketch = Sketch(f"{name}_show", "Articulated inertia of a link alone.")
    sketch.give("shown", _shown(ArticulatedInertia.of(inertia(sketch.numbers("inertia", body)))))
    return sketch.step()


def eliminate_step(name: str, column: Numbers, armature: Numbers) -> Step:
    """Take a speed out: U = I S, D = S^T U, I -= U U^T / D, p += U (tau - S^T p) / D.

    What the way back needs is kept: U (moment, force), 1/D, (tau - S^T p) / D.
    """
    sketch = Sketch(
        f"{name}_eliminate",
        "A speed taken out of the articulated inertia; what the way back needs is kept.",
    )
    shown = _articulated(sketch.take("shown", SHOWN))
    force, moment = vectors(sketch.take("wrench", WRENCH))
    (tau,) = sketch.take("force", 1)
    (s,) = columns(sketch.numbers("column", column))
    (rotor,) = sketch.numbers("armature", armature)
    u = shown.times(s)
    d = s[0].dot(u[0]) + s[1].dot(u[1]) + rotor
    reciprocal = 1 / d
    ready = (tau - (s[0].dot(moment) + s[1].dot(force))) * reciprocal
    # The rotor stays with D, so S^T I S does not vanish.
    clear = s if rotor.is_zero else (sketch.still, sketch.still)
    left = shown.without(clear, u, reciprocal)
    sketch.give("shown", _shown(left))
    sketch.give("wrench", [*(force + u[1] * ready), *(moment + u[0] * ready)])
    sketch.give("kept", [*u[0], *u[1], reciprocal, ready])
    sketch.positive(d, "singular_mass_matrix")
    return sketch.step()


def carry_shown_step() -> Step:
    """What is left of the inertia, and the wrench, on the parent."""
    sketch = Sketch(
        "carry_shown", "What is left of inertia and wrench, added to those of the parent."
    )
    at = pose(sketch.take("pose", POSE))
    own = _articulated(sketch.take("shown", SHOWN))
    force, moment = vectors(sketch.take("wrench", WRENCH))
    above = _articulated(sketch.take("parent_shown", SHOWN))
    parent = sketch.take("parent_wrench", WRENCH)
    carried = to_parent(at, force, moment)
    sketch.give("parent_shown", _shown(above + own.carried(*at)))
    sketch.give("parent_wrench", [x + y for x, y in zip(parent, carried, strict=True)])
    return sketch.step()


def follow_step() -> Step:
    """The acceleration that a link takes over from its parent: (angular, linear)."""
    sketch = Sketch("follow", "The acceleration that a link takes over from its parent.")
    rotation, origin = pose(sketch.take("pose", POSE))
    alpha, a = vectors(sketch.take("parent", 6))
    linear = rotation.to_child(a + alpha.cross(origin))
    sketch.give("added", [*rotation.to_child(alpha), *linear])
    return sketch.step()


def accelerate_step(name: str, column: Numbers) -> Step:
    """a = (tau - S^T p - U^T a_p) / D, and the motion of the link with it."""
    sketch = Sketch(
        f"{name}_accelerate", "Acceleration of one speed, and the motion of its link with it."
    )
    kept = sketch.take("kept", 8)
    moment, force = vectors(kept[:6])
    reciprocal, ready = kept[6:]
    angular, linear = vectors(sketch.take("added", 6))
    (s,) = columns(sketch.numbers("column", column))
    a = ready - (moment.dot(angular) + force.dot(linear)) * reciprocal
    sketch.give("a", [a])
    sketch.give("added", [*(angular + s[0] * a), *(linear + s[1] * a)])
    return sketch.step()


def subspace(
    sketch: Sketch, numbers: Numbers, speeds: int
) -> tuple[list[Column], Sequence[Expression]]:
    """Columns, and by how much the link's own speeds differ from those of the tree."""
    values = sketch.numbers("subspace", numbers)
    return columns(values[: 6 * speeds]), values[6 * speeds :]


def along(s: Sequence[Column], speeds: Sequence[Expression], still: Vector) -> Column:
    """S u = (w_r, v_r)"""
    w, v = still, still
    for (angular, linear), speed in zip(s, speeds, strict=True):
        w, v = w + angular * speed, v + linear * speed
    return w, v


def to_parent(at: tuple[Rotation, Vector], force: Vector, moment: Vector) -> list[Expression]:
    rotation, origin = at
    f = rotation.to_parent(force)
    return [*f, *(rotation.to_parent(moment) + origin.cross(f))]


def _articulated(entries: Sequence[Expression]) -> ArticulatedInertia:
    return ArticulatedInertia(symmetric(entries[:6]), dyad(entries[6:15]), symmetric(entries[15:]))


def _shown(inertia: ArticulatedInertia) -> list[Expression]:
    rows = [entry for column in inertia.h.columns for entry in column]
    return [*inertia.j.entries, *rows, *inertia.m.entries]
