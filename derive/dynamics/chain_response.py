"""Responses of the accelerations of a chain to displacements, speeds and forces, in O(N^2).

Solving M da = -dtau column by column through M = L^T D L takes N^2 operations a column. Here the
chain answers column by column through its articulated inertias instead, and every pair of links
costs a few products of six-vectors, whatever N.

Let link i with the subtree T_i behind it be cut off at its joint. If its parent has the motion
change (da, w) more - an acceleration da, and a velocity whose angular part is w - the body wrenches
change by I da + 2 B w (see `partials`), and with free joints the accelerations behind the joint by

    dq''_j = -(k_ij . da + l_ij . w),    j in T_i,

and the wrench that the parent has to supply by

    f = (I_i - U U^T / D) da + (b_i - U c^T / D) w,    U = I_i S,  D = S^T U,  c = b_i^T S,

with the articulated inertia I_i and b_i, the articulated sum of 2 B, recursively from the tips.
A row starts as k_jj = U / D, l_jj = c / D and travels to the base, passing a joint by k -= (k . S)
U / D, l -= (k . S) c / D.

The rest of the chain answers a wrench f at the parent by the motion -P f, P the inverse inertia
seen there, recursively from the base, which changes what the subtree sees by as much; and ancestors
by dq''_m = -t_mi . f, where t_mi is the acceleration that a unit force at joint m gives to the
parent of i, a motion that travels to the tips. So column i needs its f and its change of motion:

    by q_i:  da = psi'' - P f,  w = psi',  f of psi'', psi', and S x* f_i;
    by u_i:  da = (v_i + v_p) x S - P f,  w = S.

The force columns, M^-1, come with t. References: Featherstone, *Rigid Body Dynamics Algorithms*,
ch. 7, and those of `mobility`; the combination with derivatives is our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.dynamics import partials
from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia, EliminatedSpeed
from eomc.derive.dynamics.kinematics import KinematicState, accelerations
from eomc.derive.dynamics.mobility import Mobility
from eomc.derive.dynamics.partials import ColumnChange, LinkMotion, SubtreeMomentum, spatial_motions
from eomc.derive.dynamics.quantities import of_each_link, of_each_vector
from eomc.derive.dynamics.velocity_map import VelocityMap
from eomc.derive.geometry import LinkPose, SpatialForce, SpatialMotion, Vector
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, LinkTree

Columns = list[list[Expression]]
MotionChange = tuple[SpatialMotion, Vector]
"""An acceleration more, and the angular part of a velocity more."""


@dataclass(frozen=True)
class Responses:
    """Columns of d q''/d q (tangent directions), d q''/d u and M^-1, at constant forces."""

    by_q: Columns
    by_u: Columns
    inverse: Columns


@dataclass(frozen=True)
class SubtreeResponse:
    """Of a subtree to the link before its joint, which is free: I - U U^T / D and b - U c^T / D."""

    inertia: ArticulatedInertia
    velocity: VelocityMap

    def supplied(self, a: SpatialMotion, w: Vector) -> SpatialForce:
        """Wrench for a motion change (a, w) of the parent."""
        return self.inertia @ a + self.velocity @ w


@dataclass(frozen=True)
class EliminatedJoint:
    """The elimination of one joint: U/D, c/D, 1/D, and what its link shows beyond the joint."""

    s: SpatialMotion
    u: SpatialForce
    by_d: SpatialForce
    velocity_by_d: Vector
    reciprocal: Expression
    beyond: SubtreeResponse

    @staticmethod
    def taken_out(
        s: SpatialMotion, inertia: ArticulatedInertia, velocity: VelocityMap, rotor: Expression
    ) -> tuple[EliminatedJoint, Expression]:
        """Of what its link shows to the parent, and the pivot D."""
        gone, d = EliminatedSpeed.along(s, inertia, rotor)
        by_d, c = gone.by_d, velocity.along(s)
        beyond = SubtreeResponse(gone.inertia(inertia), velocity.without(by_d, c))
        return EliminatedJoint(s, gone.u, by_d, c * gone.reciprocal, gone.reciprocal, beyond), d

    def passed(self, row: SpatialForce, velocity_row: Vector) -> tuple[SpatialForce, Vector]:
        """A row behind the joint as one before it."""
        share = self.s.dot(row)
        return row - self.by_d * share, velocity_row - self.velocity_by_d * share


def applies(tree: LinkTree, state: KinematicState) -> bool:
    """True for a chain of rigid bodies with one free speed a joint and constant subspaces."""
    return partials.applies(tree, state) and all(
        link.parent == (index - 1 if index else WORLD)
        and len(link.speeds) == 1
        and not link.speeds[0].prescribed
        and link.speeds[0].factor is None
        for index, link in enumerate(tree.links)
    )


def chain_responses(
    tree: LinkTree, state: KinematicState, pose: Sequence[LinkPose], base: Vector
) -> Responses:
    """Exact derivatives of the accelerations; `state` moves with the accelerations it has.

    Forces that depend on the state are not among them: they add M^-1 times their derivatives.
    """
    n = len(tree.links)
    motions = spatial_motions(tree, state, pose, base)
    wrenches, joints = _backward(tree, state, pose, motions, base)
    _tell(wrenches, joints)
    zero = tree.zero
    by_q, by_u, inverse = ([[zero] * n for _ in range(n)] for _ in range(3))
    rows: list[int] = [link.speeds[0].index for link in tree.links]
    reach = _ChainReach(tree, pose, joints)
    changes: list[tuple[MotionChange, MotionChange]] = []
    mobilities: list[ArticulatedInertia] = []
    for i, joint in enumerate(joints):
        k = rows[i]
        reach.to(i)
        mobilities.append(reach.mobility.stored)
        change_q, change_u = changes_by(motions[i].change(joint.s))
        f_q, f_u = joint.beyond.supplied(*change_q), joint.beyond.supplied(*change_u)
        f_q = f_q + joint.s.cross_force(wrenches[i])
        for m, t in enumerate(reach.fields[:i]):
            by_q[k][rows[m]] = t.dot(f_q)
            by_u[k][rows[m]] = t.dot(f_u)
            inverse[k][rows[m]] = inverse[rows[m]][k] = reach.forces[m]
        inverse[k][k] = reach.own
        changes.append(
            (
                (reach.mobility @ f_q - change_q[0], change_q[1]),
                (reach.mobility @ f_u - change_u[0], change_u[1]),
            )
        )
        reach.pass_joint(i)
    _tell_inertias(mobilities)
    for j in range(n):
        row, velocity_row = joints[j].by_d, joints[j].velocity_by_d
        for i in range(j, -1, -1):
            if i < j:
                row = pose[i + 1].to_parent(row)
                velocity_row = pose[i + 1].rotation.to_parent(velocity_row)
                row, velocity_row = joints[i].passed(row, velocity_row)
            for columns, (a, w) in zip((by_q, by_u), changes[i], strict=True):
                columns[rows[i]][rows[j]] = a.dot(row) - velocity_row.dot(w)
    return Responses(by_q, by_u, inverse)


def _tell(wrenches: Sequence[SpatialForce], joints: Sequence[EliminatedJoint]) -> None:
    """Name the quantities that each link has besides its motion."""
    of_each_vector(wrenches, [joint.by_d for joint in joints], [joint.u for joint in joints])
    of_each_link([joint.velocity_by_d for joint in joints])
    of_each_link([joint.beyond.velocity.moment for joint in joints])
    of_each_link([joint.beyond.velocity.force for joint in joints])
    _tell_inertias([joint.beyond.inertia for joint in joints])


def _tell_inertias(inertias: Sequence[ArticulatedInertia]) -> None:
    of_each_link([each.j for each in inertias])
    of_each_link([each.h for each in inertias])
    of_each_link([each.m for each in inertias])


def _backward(
    tree: LinkTree,
    state: KinematicState,
    pose: Sequence[LinkPose],
    motions: Sequence[LinkMotion],
    base: Vector,
) -> tuple[list[SpatialForce], list[EliminatedJoint]]:
    """Wrench through each joint and its elimination, tips to base."""
    classical = accelerations(tree, state, pose, base)
    wrenches: list[SpatialForce] = []
    joints: list[EliminatedJoint] = []
    for index in reversed(range(len(tree.links))):
        at, link = pose[index], tree.links[index]
        inertia = ArticulatedInertia.of(link.body.inertia)
        velocity = VelocityMap.of(SubtreeMomentum.of(link.body.inertia, motions[index].v))
        wrench = link.body.forces(classical[index], (), ()).wrench
        if joints:
            behind, beyond = pose[index + 1], joints[-1].beyond
            inertia = inertia + beyond.inertia.carried(behind.rotation, behind.origin)
            velocity = velocity + beyond.velocity.carried(behind)
            wrench = wrench + behind.to_parent(wrenches[-1])
        joints.append(_eliminated(tree, link.speeds[0].index, at.columns[0], inertia, velocity))
        wrenches.append(wrench)
    return wrenches[::-1], joints[::-1]


def _eliminated(
    tree: LinkTree, speed: int, s: SpatialMotion, inertia: ArticulatedInertia, velocity: VelocityMap
) -> EliminatedJoint:
    """Take a joint out of what its link shows to the parent."""
    joint, d = EliminatedJoint.taken_out(s, inertia, velocity, tree.armature.get(speed, tree.zero))
    d.named(f"pivot of {tree.speed_names[speed]}")
    return joint


class _ChainReach:
    """Base to tip: what the chain before a joint does under forces, in the axes of its link.

    fields : for each joint before, the acceleration of the parent under a unit force there
    forces : accelerations of this joint under these forces, entries of M^-1; own : under its own
    """

    def __init__(
        self, tree: LinkTree, pose: Sequence[LinkPose], joints: Sequence[EliminatedJoint]
    ) -> None:
        self.pose, self.joints = pose, joints
        vector = tree.zero_vector()
        self.mobility = Mobility.none(vector)
        self.fields: list[SpatialMotion] = []
        self.forces: list[Expression] = []
        self.own = tree.zero
        self._y = SpatialMotion.zero(vector)

    def to(self, index: int) -> None:
        """Move on from the link before to the axes and origin of link `index`, before its joint."""
        at, joint = self.pose[index], self.joints[index]
        if index > 0:
            self.fields = [at.to_child(t) for t in self.fields]
            self.mobility = self.mobility.to_child(at)
        self.forces = [t.dot(joint.by_d) for t in self.fields]
        self._y = self.mobility @ joint.by_d
        self.own = joint.reciprocal + self._y.dot(joint.by_d)

    def pass_joint(self, index: int) -> None:
        """From before the joint to its link: t - S q'' of each field, and P of the link."""
        s, y = self.joints[index].s, self._y
        pairs = zip(self.fields, self.forces, strict=True)
        self.fields = [t - s * x for t, x in pairs]
        self.fields.append(y - s * self.own)
        self.mobility = self.mobility.behind(s, y, self.own)


def changes_by(by: ColumnChange) -> tuple[MotionChange, MotionChange]:
    """Changes of motion (a, w) that the subtree sees by q and by u of its joint."""
    return (by.psi, by.psi_rate.angular), (by.by_speed, by.s.angular)
