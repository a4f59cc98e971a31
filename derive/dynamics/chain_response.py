"""How the accelerations of a chain answer to displacements, speeds and forces, in O(N^2).

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
ch. 7; Wensing, Featherstone and Orin, *A reduced-order recursive algorithm for the computation of
the operational-space inertia matrix*, ICRA 2012, for the recursion of P; the combination with
derivatives is our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.dynamics import partials
from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia
from eomc.derive.dynamics.kinematics import Pose, State, accelerations
from eomc.derive.dynamics.partials import (
    Six,
    SpatialMotion,
    cross_motion,
    six_dot,
    six_sum,
    spatial_motions,
    wrench_to_parent,
)
from eomc.derive.geometry import Inertia, Rotation, Symmetric, Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.geometry.rotation import MatrixRotation, PlaneRotation
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, Tree

Columns = list[list[Expression]]


@dataclass(frozen=True)
class Responses:
    """Columns of d q''/d q (tangent directions), d q''/d u and M^-1, at constant forces."""

    by_q: Columns
    by_u: Columns
    inverse: Columns


@dataclass(frozen=True)
class _Joint:
    """The elimination of one joint: U/D, c/D, 1/D, and what its link shows beyond the joint."""

    s: Six
    u: Six
    by_d: Six
    velocity_by_d: Vector
    reciprocal: Expression
    inertia: ArticulatedInertia
    velocity: _VelocityMap

    def supplied(self, a: Six, w: Vector) -> Six:
        """Wrench for a motion change (a, w) of the parent, the joint being free."""
        return six_sum(self.inertia.times(a), self.velocity.times(w))

    def passed(self, row: Six, velocity_row: Vector) -> tuple[Six, Vector]:
        """A row behind the joint as one before it."""
        share = six_dot(row, self.s)
        return _less(row, self.by_d, share), velocity_row - self.velocity_by_d * share


@dataclass(frozen=True)
class _VelocityMap:
    """Wrench (moment, force) by the angular part of a velocity change."""

    moment: Dyad
    force: Dyad

    def times(self, w: Vector) -> Six:
        return self.moment @ w, self.force @ w

    def along(self, s: Six) -> Vector:
        """c with c . w = s . (this w)."""
        return self.moment.transposed_times(s[0]) + self.force.transposed_times(s[1])

    def carried(self, at: Pose) -> _VelocityMap:
        """Seen from the parent."""
        moment, force = Dyad.turned(at.rotation, self.moment), Dyad.turned(at.rotation, self.force)
        x, y, z = (at.origin.cross(column) for column in force.columns)
        return _VelocityMap(moment + Dyad((x, y, z)), force)

    def __add__(self, other: _VelocityMap) -> _VelocityMap:
        return _VelocityMap(self.moment + other.moment, self.force + other.force)


def applies(tree: Tree) -> bool:
    """True for a chain of rigid bodies with one free speed a joint."""
    return partials.applies(tree) and all(
        link.parent == (index - 1 if index else WORLD)
        and len(link.speeds) == 1
        and not link.speeds[0].prescribed
        and link.speeds[0].factor is None
        for index, link in enumerate(tree.links)
    )


def chain_responses(tree: Tree, state: State, pose: Sequence[Pose], base: Vector) -> Responses:
    """Exact derivatives of the accelerations; `state` moves with the accelerations it has.

    Forces that depend on the state are not among them: they add M^-1 times their derivatives.
    """
    n = len(tree.links)
    motions = spatial_motions(tree, state, pose, base)
    wrenches, joints = _backward(tree, state, pose, motions, base)
    zero = tree.zero
    by_q, by_u, inverse = ([[zero] * n for _ in range(n)] for _ in range(3))
    rows: list[int] = [link.speeds[0].index for link in tree.links]
    reach = _Reach(tree, pose, joints)
    changes: list[tuple[tuple[Six, Vector], tuple[Six, Vector]]] = []
    for i, joint in enumerate(joints):
        k = rows[i]
        reach.to(i)
        change_q, change_u = _changes(motions[i], joint.s)
        f_q, f_u = joint.supplied(*change_q), joint.supplied(*change_u)
        f_q = six_sum(f_q, _turned(joint.s, wrenches[i]))
        for m, t in enumerate(reach.fields[:i]):
            by_q[k][rows[m]] = -six_dot(t, f_q)
            by_u[k][rows[m]] = -six_dot(t, f_u)
            inverse[k][rows[m]] = inverse[rows[m]][k] = reach.forces[m]
        inverse[k][k] = reach.own
        changes.append(
            (
                (_minus(change_q[0], reach.answer(f_q)), change_q[1]),
                (_minus(change_u[0], reach.answer(f_u)), change_u[1]),
            )
        )
        reach.pass_joint(i)
    for j in range(n):
        row, velocity_row = joints[j].by_d, joints[j].velocity_by_d
        for i in range(j, -1, -1):
            if i < j:
                row = wrench_to_parent(pose[i + 1], row)
                velocity_row = pose[i + 1].rotation.to_parent(velocity_row)
                row, velocity_row = joints[i].passed(row, velocity_row)
            for columns, (a, w) in zip((by_q, by_u), changes[i], strict=True):
                columns[rows[i]][rows[j]] = -(six_dot(row, a) + velocity_row.dot(w))
    return Responses(by_q, by_u, inverse)


def _backward(
    tree: Tree, state: State, pose: Sequence[Pose], motions: Sequence[SpatialMotion], base: Vector
) -> tuple[list[Six], list[_Joint]]:
    """Wrench through each joint and its elimination, tips to base."""
    classical = accelerations(tree, state, pose, base)
    inertias, velocities, wrenches = [], [], []
    for link, motion, moved in zip(tree.links, motions, classical, strict=True):
        inertias.append(ArticulatedInertia.of(link.body.inertia))
        velocities.append(_velocity_map(link.body.inertia, motion.v))
        taken = link.body.forces(moved, (), ())
        wrenches.append((taken.moment, taken.force))
    joints: list[_Joint] = []
    for index in reversed(range(len(tree.links))):
        at, (speed,) = pose[index], tree.links[index].speeds
        joint = _eliminated(tree, speed.index, at.columns[0], inertias[index], velocities[index])
        joints.insert(0, joint)
        if index > 0:
            carried = joint.inertia.carried(at.rotation, at.origin)
            inertias[index - 1] = inertias[index - 1] + carried
            velocities[index - 1] = velocities[index - 1] + joint.velocity.carried(at)
            wrench = wrench_to_parent(at, wrenches[index])
            wrenches[index - 1] = six_sum(wrenches[index - 1], wrench)
    return wrenches, joints


def _velocity_map(inertia: Inertia, v: Six) -> _VelocityMap:
    """2 B of one body: 2 B w = (2 tr(C) w - 2 C w, 2 w x p), C = integral of v r^T dm."""
    p, _ = inertia.momentum(*v)
    c = Dyad.product(v[1], inertia.first) + Dyad.cross_symmetric(v[0], inertia.second)
    (a, b, d), trace = c.columns, c.trace
    moment = Dyad(
        (
            Vector(trace - a.x, -a.y, -a.z) * 2,
            Vector(-b.x, trace - b.y, -b.z) * 2,
            Vector(-d.x, -d.y, trace - d.z) * 2,
        )
    )
    return _VelocityMap(moment, Dyad.cross(p * -2))


def _eliminated(
    tree: Tree, speed: int, s: Six, inertia: ArticulatedInertia, velocity: _VelocityMap
) -> _Joint:
    """Take a joint out of what its link shows to the parent."""
    u = inertia.times(s)
    d, turned = six_dot(s, u), s
    if speed in tree.armature:  # the rotor stays with D, so S^T I S does not vanish
        d, turned = d + tree.armature[speed], (tree.zero_vector(), tree.zero_vector())
    reciprocal = 1 / d.named(f"pivot of {tree.speed_names[speed]}")
    by_d = (u[0] * reciprocal, u[1] * reciprocal)
    c = velocity.along(s)
    beyond = _VelocityMap(
        velocity.moment - Dyad.product(by_d[0], c), velocity.force - Dyad.product(by_d[1], c)
    )
    return _Joint(
        s, u, by_d, c * reciprocal, reciprocal, inertia.without(turned, u, reciprocal), beyond
    )


class _Reach:
    """Base to tip: what the chain before a joint does under forces, in the axes of its link.

    fields : for each joint before, the acceleration of the parent under a unit force there
    forces : accelerations of this joint under these forces, entries of M^-1; own : under its own
    """

    def __init__(self, tree: Tree, pose: Sequence[Pose], joints: Sequence[_Joint]) -> None:
        self.tree, self.pose, self.joints = tree, pose, joints
        zero, vector = tree.zero, tree.zero_vector()
        none = Symmetric(*(zero,) * 6)
        # Response to wrenches, stored like an inertia: linear by force, by moment, angular by it.
        self.mobility = ArticulatedInertia(none, Dyad((vector,) * 3), none)
        self.fields: list[Six] = []
        self.forces: list[Expression] = []
        self.own = zero
        self._y: Six = (vector, vector)

    def answer(self, wrench: Six) -> Six:
        """P f: the acceleration of the parent under a wrench."""
        moment, force = wrench
        linear, angular = self.mobility.times((force, moment))
        return angular, linear

    def to(self, index: int) -> None:
        """Move on from the link before to the axes and origin of link `index`, before its joint."""
        at, joint = self.pose[index], self.joints[index]
        if index > 0:
            self.fields = [_to_child(at, t) for t in self.fields]
            shifted = self.mobility.carried(Rotation([]), -at.origin)
            zero = self.tree.zero_vector()
            self.mobility = shifted.carried(_inverse(at.rotation), zero)
        self.forces = [-six_dot(joint.by_d, t) for t in self.fields]
        self._y = self.answer(joint.by_d)
        self.own = joint.reciprocal + six_dot(joint.by_d, self._y)

    def pass_joint(self, index: int) -> None:
        """From before the joint to its link: t + S q'' of each field, and P of the link."""
        s, y = self.joints[index].s, self._y
        pairs = zip(self.fields, self.forces, strict=True)
        self.fields = [six_sum(t, (s[0] * x, s[1] * x)) for t, x in pairs]
        own = (s[0] * self.own, s[1] * self.own)
        self.fields.append((own[0] - y[0], own[1] - y[1]))
        # P - S y^T - y S^T + S S^T m = P + S t^T - y S^T with t = m S - y
        t, p = self.fields[-1], self.mobility
        self.mobility = ArticulatedInertia(
            p.j + _symmetric_pair(s[1], t[1], y[1]),
            p.h + Dyad.product(s[1], t[0]) - Dyad.product(y[1], s[0]),
            p.m + _symmetric_pair(s[0], t[0], y[0]),
        )


def _changes(motion: SpatialMotion, s: Six) -> tuple[tuple[Six, Vector], tuple[Six, Vector]]:
    """Changes of motion (a, w) that the subtree sees by q and by u of its joint."""
    psi_rate = cross_motion(motion.v_parent, s)
    psi = six_sum(cross_motion(motion.a_parent, s), cross_motion(motion.v_parent, psi_rate))
    by_speed = cross_motion(six_sum(motion.v, motion.v_parent), s)
    return (psi, psi_rate[0]), (by_speed, s[0])


def _turned(s: Six, wrench: Six) -> Six:
    """S x* f"""
    (angular, linear), (moment, force) = s, wrench
    return angular.cross(moment) + linear.cross(force), angular.cross(force)


def _to_child(at: Pose, motion: Six) -> Six:
    """A motion of the parent at the link's origin, in link axes."""
    angular, linear = motion
    return at.rotation.to_child(angular), at.rotation.to_child(linear + angular.cross(at.origin))


def _inverse(rotation: Rotation) -> Rotation:
    """R^T as a product of factors."""
    factors: list[MatrixRotation | PlaneRotation] = []
    for factor in reversed(rotation.factors):
        if isinstance(factor, PlaneRotation):
            factors.append(PlaneRotation(factor.c, -factor.s, factor.axis))
        else:
            factors.append(MatrixRotation(factor.columns))
    return Rotation(factors)


def _symmetric_pair(s: Vector, t: Vector, y: Vector) -> Symmetric:
    """s t^T - y s^T, known to be symmetric."""
    return Symmetric(
        s.x * t.x - y.x * s.x,
        s.y * t.y - y.y * s.y,
        s.z * t.z - y.z * s.z,
        s.x * t.y - y.x * s.y,
        s.x * t.z - y.x * s.z,
        s.y * t.z - y.y * s.z,
    )


def _minus(a: Six, b: Six) -> Six:
    return a[0] - b[0], a[1] - b[1]


def _less(a: Six, b: Six, factor: Expression) -> Six:
    return a[0] - b[0] * factor, a[1] - b[1] * factor
