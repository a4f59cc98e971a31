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
from dataclasses import dataclass, field, replace

from eomc.derive.dynamics.kinematics import KinematicState, accelerations
from eomc.derive.dynamics.mass_matrix import CompositeInertias
from eomc.derive.dynamics.quantities import of_each_link, of_each_motion, of_each_vector
from eomc.derive.geometry import (
    Inertia,
    LinkPose,
    SpatialForce,
    SpatialMomentum,
    SpatialMotion,
    Vector,
)
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, LinkCoordinate, LinkTree

Entries = dict[tuple[int, int], Expression]
"""(row speed, column speed) -> derivative; absent entries are structural zeros."""


@dataclass
class Partials:
    """dtau/dq (columns: tangent directions) and dtau/du over the independent speeds."""

    by_q: Entries = field(default_factory=dict)
    by_u: Entries = field(default_factory=dict)

    def add(
        self, row: LinkCoordinate, column: LinkCoordinate, change: tuple[Expression, Expression]
    ) -> None:
        """Add the derivatives by q and u of one speed to the row of another."""
        add_entry(self.by_q, row, column, change[0])
        add_entry(self.by_u, row, column, change[1])


@dataclass(frozen=True)
class LinkMotion:
    """Spatial velocity and acceleration of a link and of its parent, both in link axes at its
    origin."""

    v: SpatialMotion
    v_parent: SpatialMotion
    a_parent: SpatialMotion

    def change(self, s: SpatialMotion) -> ColumnChange:
        """By a column of the link: psi' = v_p x S, psi'' = a_p x S + v_p x psi', (v_i + v_p) x S"""
        psi_rate = self.v_parent.cross(s)
        psi = self.a_parent.cross(s) + self.v_parent.cross(psi_rate)
        return ColumnChange(s, psi_rate, psi, (self.v + self.v_parent).cross(s))


@dataclass(frozen=True)
class ColumnChange:
    """A column S and the motion of the parent that its subtree sees changed: psi', psi'' by q and
    (v_i + v_p) x S by u."""

    s: SpatialMotion
    psi_rate: SpatialMotion
    psi: SpatialMotion
    by_speed: SpatialMotion


@dataclass(frozen=True)
class SubtreeMomentum:
    """Momentum p = integral of v dm and C = integral of v r^T dm of a subtree."""

    p: Vector
    c: Dyad

    @staticmethod
    def of(inertia: Inertia, v: SpatialMotion) -> SubtreeMomentum:
        """Of one body: p = m v + w x h, C = v h^T + [w]x S"""
        p = (inertia @ v).linear
        turning = Dyad.product(v.linear, inertia.first)
        return SubtreeMomentum(p, turning + Dyad.cross_symmetric(v.angular, inertia.second))

    def with_child(self, at: LinkPose, child: SubtreeMomentum) -> SubtreeMomentum:
        """p += R p_c, C += R C_c R^T + (R p_c) p^T"""
        p = at.rotation.to_parent(child.p)
        turned = Dyad.turned(at.rotation, child.c)
        return SubtreeMomentum(self.p + p, self.c + turned + Dyad.product(p, at.origin))


@dataclass(frozen=True)
class Subtree:
    """Composite inertia and flow of a subtree."""

    inertia: Inertia
    flow: SubtreeMomentum

    def inertial(self, a: SpatialMotion) -> SpatialForce:
        """I a of an acceleration a."""
        force = self.inertia @ a
        return SpatialForce(linear=force.linear, angular=force.angular)

    def coriolis(self, w: Vector) -> SpatialForce:
        """2 B x of a motion with angular part w."""
        twice, c = w * 2, self.flow.c
        moment = twice * c.trace - c @ twice
        return SpatialForce(linear=twice.cross(self.flow.p), angular=moment)

    def coriolis_row(self, s: SpatialMotion) -> Vector:
        """b with b . w = s . (2 B x)."""
        z, c = s.angular, self.flow.c
        return (z * c.trace - c.transposed_times(z) + self.flow.p.cross(s.linear)) * 2

    def forces(self, by: ColumnChange) -> tuple[SpatialForce, SpatialForce]:
        """df/dq = I psi'' + 2 B psi' and df/du = I (v_i + v_p) x S + 2 B S, inside the subtree."""
        by_q = self.inertial(by.psi) + self.coriolis(by.psi_rate.angular)
        return by_q, self.inertial(by.by_speed) + self.coriolis(by.s.angular)


@dataclass(frozen=True)
class WrenchAscent:
    """One speed on its way to the base, seen from the link that it has come to: the wrenches of its
    subtree by q and u, the momentum I S and the moment vector b of its own column."""

    by_q: SpatialForce
    by_u: SpatialForce
    momentum: SpatialMomentum
    coriolis: Vector

    def leaving(self, s: SpatialMotion, wrench: SpatialForce) -> WrenchAscent:
        """Outside its subtree: the wrench f turns along, df/dq += S x* f"""
        return replace(self, by_q=s.cross_force(wrench) + self.by_q)

    def to_parent(self, at: LinkPose) -> WrenchAscent:
        """The same, seen from the parent."""
        by_q, by_u = at.to_parent(self.by_q), at.to_parent(self.by_u)
        momentum = at.to_parent(self.momentum)
        return WrenchAscent(by_q, by_u, momentum, at.rotation.to_parent(self.coriolis))

    def on(self, s: SpatialMotion) -> tuple[Expression, Expression]:
        """Derivatives by q and u of this speed of the force along a column of the link."""
        return s.dot(self.by_q), s.dot(self.by_u)

    def by(self, other: ColumnChange) -> tuple[Expression, Expression]:
        """Derivatives of the force on this speed by q and u of a column of the link."""
        by_q = other.psi.dot(self.momentum) + self.coriolis.dot(other.psi_rate.angular)
        by_u = other.by_speed.dot(self.momentum) + self.coriolis.dot(other.s.angular)
        return by_q, by_u


@dataclass(frozen=True)
class _PartialColumn:
    """A column of a link with what pairs of joints need of it."""

    speed: LinkCoordinate
    change: ColumnChange
    momentum: SpatialMomentum
    coriolis: Vector


def applies(tree: LinkTree, state: KinematicState) -> bool:
    """True if all bodies are rigid and all subspaces constant in their links, so that a
    displacement moves each subtree as one body and leaves its joints as they are."""
    return all(
        link.body.is_rigid
        and link.motion.drift(state.coordinates(link), state.speeds(link)) is None
        for link in tree.links
    )


def inverse_dynamics_partials(
    tree: LinkTree, state: KinematicState, pose: Sequence[LinkPose], base: Vector
) -> Partials:
    """Derivatives of the inertial and gravitational part of tau = M a + c at the given motion."""
    motions = spatial_motions(tree, state, pose, base)
    subtrees, wrenches = _subtrees(tree, state, pose, motions, base)
    columns = [
        list(_columns(tree, pose, i, motions[i], subtrees[i])) for i in range(len(tree.links))
    ]
    result = Partials()
    for index in range(len(tree.links)):
        for column in columns[index]:
            found = subtrees[index].forces(column.change)
            pair = WrenchAscent(*found, column.momentum, column.coriolis)
            for row in columns[index]:
                result.add(row.speed, column.speed, pair.on(row.change.s))
            pair = pair.leaving(column.change.s, wrenches[index])
            _meet_ancestors(result, tree, pose, columns, index, column.speed, pair)
    return result


def spatial_motions(
    tree: LinkTree, state: KinematicState, pose: Sequence[LinkPose], base: Vector
) -> list[LinkMotion]:
    """Spatial motions, seen from an inertial frame that moves with the origin of the root link.

    The dynamics do not change with that choice, and large common velocities (an orbit) cause no
    cancellation.
    """
    zero = tree.zero_vector()
    classical = accelerations(tree, state, pose, base)
    result: list[LinkMotion] = []
    for index, (link, at) in enumerate(zip(tree.links, pose, strict=True)):
        v_r = at.relative(state.speeds(link), zero).linear
        if link.parent == WORLD:
            v_parent = SpatialMotion(linear=-v_r, angular=zero)
            a_parent = SpatialMotion(linear=at.rotation.to_child(base), angular=zero)
        else:
            parent = classical[link.parent]
            v_parent, a_parent = in_link_axes(at, result[link.parent].v, parent.alpha, parent.a)
        v = SpatialMotion(linear=v_parent.linear + v_r, angular=classical[index].w)
        result.append(LinkMotion(v, v_parent, a_parent))
    of_each_motion(classical)
    of_each_vector(
        [at.v for at in result], [at.v_parent for at in result], [at.a_parent for at in result]
    )
    return result


def in_link_axes(
    at: LinkPose, v: SpatialMotion, alpha: Vector, a: Vector
) -> tuple[SpatialMotion, SpatialMotion]:
    """Spatial velocity and acceleration (a - w x v, w') of the parent in link axes."""
    spatial = SpatialMotion(linear=a - v.angular.cross(v.linear), angular=alpha)
    return at.to_child(v), at.to_child(spatial)


def _subtrees(
    tree: LinkTree,
    state: KinematicState,
    pose: Sequence[LinkPose],
    motions: Sequence[LinkMotion],
    base: Vector,
) -> tuple[list[Subtree], list[SpatialForce]]:
    """Subtrees and the wrenches that their motions take."""
    classical = accelerations(tree, state, pose, base)
    composites = CompositeInertias(tree, pose)
    composite = [composites.of(index) for index in range(len(tree.links))]
    flows, wrenches = [], []
    for link, motion, at in zip(tree.links, motions, classical, strict=True):
        flows.append(SubtreeMomentum.of(link.body.inertia, motion.v))
        wrenches.append(link.body.forces(at, (), ()).wrench)
    for index in reversed(range(len(tree.links))):
        parent, at_joint = tree.links[index].parent, pose[index]
        if parent != WORLD:
            flows[parent] = flows[parent].with_child(at_joint, flows[index])
            wrenches[parent] = wrenches[parent] + at_joint.to_parent(wrenches[index])
    of_each_link([each.first for each in composite])
    of_each_link([each.second for each in composite])
    of_each_link([flow.p for flow in flows])
    of_each_link([flow.c for flow in flows])
    of_each_vector(wrenches)
    return [Subtree(*both) for both in zip(composite, flows, strict=True)], wrenches


def _columns(
    tree: LinkTree, pose: Sequence[LinkPose], index: int, motion: LinkMotion, subtree: Subtree
) -> Iterator[_PartialColumn]:
    for speed, s in zip(tree.links[index].speeds, pose[index].columns, strict=True):
        if not speed.prescribed:
            change = motion.change(s)
            yield _PartialColumn(speed, change, subtree.inertia @ s, subtree.coriolis_row(s))


def _meet_ancestors(
    result: Partials,
    tree: LinkTree,
    pose: Sequence[LinkPose],
    columns: Sequence[Sequence[_PartialColumn]],
    index: int,
    speed: LinkCoordinate,
    pair: WrenchAscent,
) -> None:
    """Walk to the base: rows of ancestors by this speed, and this row by those of ancestors."""
    while tree.links[index].parent != WORLD:
        pair = pair.to_parent(pose[index])
        index = tree.links[index].parent
        for other in columns[index]:
            result.add(other.speed, speed, pair.on(other.change.s))
            result.add(speed, other.speed, pair.by(other.change))


def add_entry(
    entries: Entries, row: LinkCoordinate, column: LinkCoordinate, value: Expression
) -> None:
    """Add the share of a pair of columns of links to the entry of the speeds they refer to."""
    if value.is_zero:
        return
    for factor in (row.factor, column.factor):
        if factor is not None:
            value = factor * value
    key = (row.index, column.index)
    entries[key] = entries[key] + value if key in entries else value
