"""Partial derivatives of inverse dynamics by q and u, analytically, in O(N^2).

A displacement along the subspace column S_k of joint i moves the subtree of i as one rigid body.
Seen from that subtree nothing has changed but the motion of the parent, by the spatial vectors

    psi' = v_p x S_k,    psi'' = a_p x S_k + v_p x psi'

(v_p, a_p: spatial velocity and acceleration of the parent, weight included). With the composite
inertia I and the Coriolis map B X = integral of (w_X x v) dm of a subtree, the wrench of subtree j
changes by

    df_j/dq_k = I_j psi'' + 2 B_j psi'   inside the subtree of i,   and by S_k x* f_i more outside;
    df_j/du_k = I_j (v_i + v_p) x S_k + 2 B_j S_k.

Rows of ancestors read it from the wrench of i on its way to the base; rows of descendants j read
it through their own momentum I_j S_j and moment vector b_j = (2 B_j)^T S_j on the same way. A pair
of joints thus costs a few vector products. B acts on the angular part of X only, through p =
integral of v dm and C = integral of v r^T dm: B X = (tr(C) w - C w, w x p).

References: Carpentier and Mansard, RSS 2018; Singh, Russell and Wensing, *Efficient analytical
derivatives of rigid-body dynamics*, IEEE RA-L 7 (2022). The form in link frames and in p, C is our
own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from eomc.derive.dynamics.kinematics import Pose, State, accelerations, relative_twist
from eomc.derive.dynamics.mass_matrix import composite_inertias
from eomc.derive.geometry import Inertia, Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, Coordinate, Tree

Six = tuple[Vector, Vector]
"""A spatial vector as (angular, linear) for motions, (moment, force) for wrenches, about a link
origin."""

Entries = dict[tuple[int, int], Expression]
"""(row speed, column speed) -> derivative; absent entries are structural zeros."""


@dataclass
class Partials:
    """dtau/dq (columns: tangent directions) and dtau/du over the independent speeds."""

    by_q: Entries = field(default_factory=dict)
    by_u: Entries = field(default_factory=dict)


@dataclass(frozen=True)
class SpatialMotion:
    """Spatial velocity and acceleration of a link and of its parent, both in link axes at its
    origin."""

    v: Six
    v_parent: Six
    a_parent: Six


@dataclass(frozen=True)
class _Column:
    """A column S of a link with everything that pairs of joints need of it."""

    speed: Coordinate
    s: Six
    psi_rate: Six
    psi_acceleration: Six
    velocity_change: Six
    momentum: Six
    coriolis: Vector


def cross_motion(a: Six, b: Six) -> Six:
    """a x b of two motions."""
    return a[0].cross(b[0]), a[0].cross(b[1]) + a[1].cross(b[0])


def six_sum(a: Six, b: Six) -> Six:
    """a + b"""
    return a[0] + b[0], a[1] + b[1]


def six_dot(a: Six, b: Six) -> Expression:
    """a . b"""
    return a[0].dot(b[0]) + a[1].dot(b[1])


@dataclass
class Subtree:
    """Composite inertia, momentum p, C = integral of v r^T dm and wrench of a subtree."""

    inertia: Inertia
    p: Vector
    c: Dyad
    wrench: Six

    def inertial(self, x: Six) -> Six:
        """I x as (moment, force)."""
        force, moment = self.inertia.momentum(*x)
        return moment, force

    def coriolis(self, w: Vector) -> Six:
        """2 B x of a motion with angular part w."""
        twice = w * 2
        return twice * self.c.trace - self.c @ twice, twice.cross(self.p)

    def coriolis_row(self, s: Six) -> Vector:
        """b with b . w = s . (2 B x)."""
        z, linear = s
        return (z * self.c.trace - self.c.transposed_times(z) + self.p.cross(linear)) * 2


def applies(tree: Tree) -> bool:
    """True if all bodies are rigid, so that a displacement moves each subtree as one body."""
    return all(link.body.is_rigid for link in tree.links)


def inverse_dynamics_partials(
    tree: Tree, state: State, pose: Sequence[Pose], base: Vector
) -> Partials:
    """Derivatives of the inertial and gravitational part of tau = M a + c at the given motion."""
    motions = spatial_motions(tree, state, pose, base)
    subtrees = _subtrees(tree, state, pose, motions, base)
    columns = [
        list(_columns(tree, pose, i, motions[i], subtrees[i])) for i in range(len(tree.links))
    ]
    result = Partials()
    for index in range(len(tree.links)):
        for column in columns[index]:
            _own_rows(result, columns[index], column, subtrees[index])
            _ancestor_pairs(result, tree, pose, columns, index, column, subtrees[index])
    return result


def spatial_motions(
    tree: Tree, state: State, pose: Sequence[Pose], base: Vector
) -> list[SpatialMotion]:
    """Spatial motions, seen from an inertial frame that moves with the origin of the root link.

    The dynamics do not change with that choice, and large common velocities (an orbit) cause no
    cancellation.
    """
    zero = tree.zero_vector()
    classical = accelerations(tree, state, pose, base)
    result: list[SpatialMotion] = []
    for index, (link, at) in enumerate(zip(tree.links, pose, strict=True)):
        _, v_r = relative_twist(at, state.speeds(link), zero)
        if link.parent == WORLD:
            v_parent: Six = (zero, -v_r)
            a_parent: Six = (zero, at.rotation.to_child(base))
        else:
            w_p, v_p = result[link.parent].v
            parent = classical[link.parent]
            alpha_p, a_p = parent.alpha, parent.a - w_p.cross(v_p)  # spatial acceleration
            turned = at.rotation.to_child
            v_parent = (turned(w_p), turned(v_p + w_p.cross(at.origin)))
            a_parent = (turned(alpha_p), turned(a_p + alpha_p.cross(at.origin)))
        v = (classical[index].w, v_parent[1] + v_r)
        result.append(SpatialMotion(v, v_parent, a_parent))
    return result


def _subtrees(
    tree: Tree, state: State, pose: Sequence[Pose], motions: Sequence[SpatialMotion], base: Vector
) -> list[Subtree]:
    classical = accelerations(tree, state, pose, base)
    subtrees = []
    for link, motion, at, composite in zip(
        tree.links, motions, classical, composite_inertias(tree, pose), strict=True
    ):
        body = link.body.inertia
        w, v = motion.v
        p, _ = body.momentum(w, v)
        c = Dyad.product(v, body.first) + Dyad.cross_symmetric(w, body.second)
        taken = link.body.forces(at, (), ())
        subtrees.append(Subtree(composite, p, c, (taken.moment, taken.force)))
    for index in reversed(range(len(tree.links))):
        parent = tree.links[index].parent
        if parent == WORLD:
            continue
        at_joint, child, above = pose[index], subtrees[index], subtrees[parent]
        p = at_joint.rotation.to_parent(child.p)
        turned = Dyad.turned(at_joint.rotation, child.c)
        above.p = above.p + p
        above.c = above.c + turned + Dyad.product(p, at_joint.origin)
        above.wrench = six_sum(above.wrench, wrench_to_parent(at_joint, child.wrench))
    return subtrees


def wrench_to_parent(at: Pose, wrench: Six) -> Six:
    """About the parent's origin, in parent axes."""
    force = at.rotation.to_parent(wrench[1])
    return at.rotation.to_parent(wrench[0]) + at.origin.cross(force), force


def _columns(
    tree: Tree, pose: Sequence[Pose], index: int, motion: SpatialMotion, subtree: Subtree
) -> Iterator[_Column]:
    for speed, s in zip(tree.links[index].speeds, pose[index].columns, strict=True):
        if speed.prescribed:
            continue
        psi_rate = cross_motion(motion.v_parent, s)
        psi_acceleration = six_sum(
            cross_motion(motion.a_parent, s), cross_motion(motion.v_parent, psi_rate)
        )
        yield _Column(
            speed,
            s,
            psi_rate,
            psi_acceleration,
            cross_motion(six_sum(motion.v, motion.v_parent), s),
            subtree.inertial(s),
            subtree.coriolis_row(s),
        )


def _own_rows(result: Partials, rows: Sequence[_Column], column: _Column, subtree: Subtree) -> None:
    by_q = six_sum(subtree.inertial(column.psi_acceleration), subtree.coriolis(column.psi_rate[0]))
    by_u = six_sum(subtree.inertial(column.velocity_change), subtree.coriolis(column.s[0]))
    for row in rows:
        _add(result.by_q, row.speed, column.speed, six_dot(row.s, by_q))
        _add(result.by_u, row.speed, column.speed, six_dot(row.s, by_u))


def _ancestor_pairs(
    result: Partials,
    tree: Tree,
    pose: Sequence[Pose],
    columns: Sequence[Sequence[_Column]],
    index: int,
    column: _Column,
    subtree: Subtree,
) -> None:
    """Walk to the base: rows of ancestors by this column, and this row by columns of ancestors."""
    (z, s), (moment, force) = column.s, subtree.wrench
    turned = z.cross(moment) + s.cross(force), z.cross(force)  # S x* f
    by_q = six_sum(
        turned,
        six_sum(subtree.inertial(column.psi_acceleration), subtree.coriolis(column.psi_rate[0])),
    )
    by_u = six_sum(subtree.inertial(column.velocity_change), subtree.coriolis(column.s[0]))
    momentum, b = column.momentum, column.coriolis
    while tree.links[index].parent != WORLD:
        at = pose[index]
        by_q, by_u = wrench_to_parent(at, by_q), wrench_to_parent(at, by_u)
        momentum, b = wrench_to_parent(at, momentum), at.rotation.to_parent(b)
        index = tree.links[index].parent
        for other in columns[index]:
            _add(result.by_q, other.speed, column.speed, six_dot(other.s, by_q))
            _add(result.by_u, other.speed, column.speed, six_dot(other.s, by_u))
            row_q = six_dot(momentum, other.psi_acceleration) + b.dot(other.psi_rate[0])
            row_u = six_dot(momentum, other.velocity_change) + b.dot(other.s[0])
            _add(result.by_q, column.speed, other.speed, row_q)
            _add(result.by_u, column.speed, other.speed, row_u)


def _add(entries: Entries, row: Coordinate, column: Coordinate, value: Expression) -> None:
    if value.is_zero:
        return
    for factor in (row.factor, column.factor):
        if factor is not None:
            value = factor * value
    key = (row.index, column.index)
    entries[key] = entries[key] + value if key in entries else value
