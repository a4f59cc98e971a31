"""The Coriolis matrix C(q, u) by composite bodies, in O(N d) for N links at depths up to d.

A particle at r moves with P(r) X = v_X + w_X x r under a spatial motion X. With P' X = w_X x r' the
inertia I = sum of P^T P dm and the map B = sum of P^T P' dm satisfy I' = B + B^T, and

    C = sum over bodies of J^T (I J' + B J),   C u + M u' = forces of the motion,   M' = C + C^T,

so that M' - 2 C is skew-symmetric. Where speeds are rates of coordinates its entries are those of
Christoffel's symbols of the first kind: J^T J' of every particle. With the composite inertia and
map of the subtree that the deeper of two speeds moves

    C_kl = S_k^T (I S_l' + B S_l),   S' = v x S + what changes of S in its link.

References: Echeandia and Wensing, *Numerical methods to compute the Coriolis matrix and Christoffel
symbols for rigid-body systems*, J. Comput. Nonlinear Dynamics 16 (2021), algorithm 1, with their B
of another form; Niemeyer and Slotine, *Performance in adaptive manipulator control*, Int. J.
Robotics Research 10 (1991).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from eomc.derive.dynamics.kinematics import KinematicState
from eomc.derive.dynamics.mass_matrix import CompositeInertias
from eomc.derive.dynamics.partials import (
    Entries,
    Subtree,
    SubtreeMomentum,
    add_entry,
    spatial_motions,
)
from eomc.derive.geometry import LinkPose, SpatialForce, SpatialMomentum, SpatialMotion, Vector
from eomc.derive.graph.columns import swept
from eomc.derive.tree.link import WORLD, LinkCoordinate, LinkTree, TreeLink

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class _CoriolisColumn:
    """A column S of a link, and its rate S'."""

    speed: LinkCoordinate
    s: SpatialMotion
    rate: SpatialMotion


@dataclass(frozen=True)
class _CoriolisAscent:
    """One speed on its way to the base: the wrench I S' + B S of its subtree, and I S and B^T S,
    of which the second is a moment alone."""

    wrench: SpatialForce
    momentum: SpatialMomentum
    moment: Vector

    def to_parent(self, at: LinkPose) -> _CoriolisAscent:
        """The same, seen from the parent."""
        wrench, momentum = at.to_parent(self.wrench), at.to_parent(self.momentum)
        return _CoriolisAscent(wrench, momentum, at.rotation.to_parent(self.moment))


def coriolis_matrix(tree: LinkTree, state: KinematicState, pose: Sequence[LinkPose]) -> Entries:
    """Entries of C over the free speeds; absent ones are structural zeros."""
    motions = spatial_motions(tree, state, pose, tree.zero_vector())
    subtrees = _subtrees(tree, pose, [motion.v for motion in motions])
    columns = [
        _columns(link, state, pose[index], motions[index].v)
        for index, link in enumerate(tree.links)
    ]
    entries: Entries = {}
    for index, own in enumerate(columns):
        subtree = subtrees[index]
        for column in own:
            half = column.s.angular * _HALF
            wrench = subtree.inertial(column.rate) + subtree.coriolis(half)
            for row in own:
                add_entry(entries, row.speed, column.speed, row.s.dot(wrench))
            moment = subtree.coriolis_row(column.s) * _HALF
            up = _CoriolisAscent(wrench, subtree.inertia @ column.s, moment)
            _meet_ancestors(entries, tree, pose, columns, index, column.speed, up)
    return entries


def _meet_ancestors(
    entries: Entries,
    tree: LinkTree,
    pose: Sequence[LinkPose],
    columns: Sequence[Sequence[_CoriolisColumn]],
    index: int,
    speed: LinkCoordinate,
    up: _CoriolisAscent,
) -> None:
    """Walk to the base: rows of ancestors in this column, and this row in those of ancestors."""
    while tree.links[index].parent != WORLD:
        up = up.to_parent(pose[index])
        index = tree.links[index].parent
        for other in columns[index]:
            add_entry(entries, other.speed, speed, other.s.dot(up.wrench))
            value = other.rate.dot(up.momentum) + up.moment.dot(other.s.angular)
            add_entry(entries, speed, other.speed, value)


def _columns(
    link: TreeLink, state: KinematicState, at: LinkPose, v: SpatialMotion
) -> list[_CoriolisColumn]:
    """Columns of the free speeds of a link that moves with the spatial velocity v."""
    changes = _changes(link, state, at)
    return [
        _CoriolisColumn(speed, s, v.cross(s) + changes[k] if changes else v.cross(s))
        for k, (speed, s) in enumerate(zip(link.speeds, at.columns, strict=True))
        if not speed.prescribed
    ]


def _changes(link: TreeLink, state: KinematicState, at: LinkPose) -> list[SpatialMotion]:
    """Rates of the columns in their link, sum of dS/dq_k q_k'; empty where they are constant."""
    q, u = state.coordinates(link), state.speeds(link)
    if link.motion.drift(q, u) is None:
        return []
    direction = {}
    for place, speed in zip(link.coordinates, link.speeds, strict=True):
        arrays = (state.s, state.s_rate) if place.prescribed else (state.q, state.u)
        direction[arrays[0][place.index].node] = arrays[1][speed.index].node
    entries = [entry for s in at.columns for entry in (*s.angular, *s.linear)]
    (found,) = swept(u[0].graph, entries, [direction])
    vectors = [Vector(*found[k : k + 3]) for k in range(0, len(found), 3)]
    pairs = zip(vectors[::2], vectors[1::2], strict=True)
    return [SpatialMotion(linear=linear, angular=angular) for angular, linear in pairs]


def _subtrees(
    tree: LinkTree, pose: Sequence[LinkPose], v: Sequence[SpatialMotion]
) -> list[Subtree]:
    """Composite inertias and flows."""
    composites = CompositeInertias(tree, pose)
    inertias = [composites.of(index) for index in range(len(tree.links))]
    flows = [
        SubtreeMomentum.of(link.body.inertia, w) for link, w in zip(tree.links, v, strict=True)
    ]
    for index in reversed(range(len(tree.links))):
        parent = tree.links[index].parent
        if parent != WORLD:
            flows[parent] = flows[parent].with_child(pose[index], flows[index])
    return [Subtree(*both) for both in zip(inertias, flows, strict=True)]
