"""Forward dynamics in O(N) by articulated bodies.

M a + c = tau is solved without M: tips first, each speed is eliminated from the inertia that its
subtree shows to the parent,

    U = I S,  D = S^T U,  I -= U U^T / D,  p += U (tau - S^T p) / D,

what is left travels to the parent, and on the way back a = (tau - S^T p - U^T a_p) / D. The wrench
p starts from what the motion without acceleration takes. Reference: Featherstone, *Rigid Body
Dynamics Algorithms*, ch. 7; the bias is here that of inverse dynamics, so that velocities enter
once.

An articulated inertia is J (moment by angular acceleration), H (moment by linear, force by H^T) and
M (force by linear): 21 numbers. Eliminating a turn about z makes the z row and column of J and the
z row of H zero, exactly and by structure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derive.dynamics.inverse import Wrench
from eomc.derive.dynamics.kinematics import Pose, State, accelerations
from eomc.derive.geometry import Inertia, Rotation, Symmetric, Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import Expression
from eomc.derive.joints.motion import Column
from eomc.derive.tree.link import WORLD, Coordinate, Tree

Six = tuple[Vector, Vector]
"""(angular, linear) motion, or (moment, force)."""


@dataclass(frozen=True)
class ArticulatedInertia:
    """The inertia that a subtree with free joints shows at its root link."""

    j: Symmetric
    h: Dyad
    m: Symmetric

    @staticmethod
    def of(inertia: Inertia) -> ArticulatedInertia:
        """Of a rigid body: J, [h]x, m 1."""
        zero = inertia.mass * 0
        mass = Symmetric(*(inertia.mass,) * 3, *(zero,) * 3)
        return ArticulatedInertia(inertia.rotational(), Dyad.cross(inertia.first), mass)

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.j + other.j, self.h + other.h, self.m + other.m)

    def times(self, x: Column) -> Six:
        """(moment, force) of the acceleration x."""
        angular, linear = x
        moment = self.j @ angular + self.h @ linear
        return moment, self.h.transposed_times(angular) + self.m @ linear

    def without(self, s: Column, u: Six, reciprocal: Expression) -> ArticulatedInertia:
        """I - U U^T / D, with the zeros in the direction S that this makes by structure."""
        moment, force = u
        by_d = moment * reciprocal
        force_by_d = force * reciprocal
        j = self.j - _outer(moment, by_d)
        h = self.h - Dyad.product(by_d, force)
        m = self.m - _outer(force, force_by_d)
        angular, linear = (_unit_axis(part) for part in s)
        if angular is not None and s[1].is_zero:
            j, h = _without_axis(j, angular), _without_row(h, angular)
        elif linear is not None and s[0].is_zero:
            m = _without_axis(m, linear)
            h = _without_row(h.transposed, linear).transposed
        return ArticulatedInertia(j, h, m)

    def carried(self, rotation: Rotation, r: Vector) -> ArticulatedInertia:
        """The same seen from the parent: turned, and about an origin from which this one is at r.

        H' = H + [r]x M,  J' = J + [r]x H^T + H' [r]x^T
        """
        j, m = rotation.congruence(self.j), rotation.congruence(self.m)
        h = Dyad.turned(rotation, self.h)
        if r.is_zero:
            return ArticulatedInertia(j, h, m)
        shifted = h + Dyad.cross_symmetric(r, m)
        rows, shifted_rows = h.transposed.columns, shifted.transposed.columns
        # Column k of [r]x H^T is r x (row k of H); row k of H' [r]x^T is r x (row k of H').
        left = [r.cross(row) for row in rows]
        right = [r.cross(row) for row in shifted_rows]
        moment = Symmetric(
            j.xx + left[0].x + right[0].x,
            j.yy + left[1].y + right[1].y,
            j.zz + left[2].z + right[2].z,
            j.xy + left[1].x + right[0].y,
            j.xz + left[2].x + right[0].z,
            j.yz + left[2].y + right[1].z,
        )
        return ArticulatedInertia(moment, shifted, m)


def _outer(a: Vector, b: Vector) -> Symmetric:
    """a b^T of parallel vectors."""
    return Symmetric(a.x * b.x, a.y * b.y, a.z * b.z, a.x * b.y, a.x * b.z, a.y * b.z)


def _unit_axis(v: Vector) -> int | None:
    """0, 1 or 2 if v is plus or minus that coordinate axis."""
    ones = [k for k, entry in enumerate(v) if entry in (1, -1)]
    zeros = sum(entry.is_zero for entry in v)
    return ones[0] if len(ones) == 1 and zeros == 2 else None


def _without_axis(s: Symmetric, axis: int) -> Symmetric:
    zero = s.xx * 0
    names = ("xx", "yy", "zz", "xy", "xz", "yz")
    return Symmetric(*(zero if "xyz"[axis] in name else getattr(s, name) for name in names))


def _without_row(h: Dyad, axis: int) -> Dyad:
    columns = []
    for column in h.columns:
        entries = list(column)
        entries[axis] = entries[axis] * 0
        columns.append(Vector(*entries))
    return Dyad((columns[0], columns[1], columns[2]))


@dataclass(frozen=True)
class _Eliminated:
    """One speed after its elimination: U, 1/D and (tau - S^T p)/D."""

    speed: Coordinate
    s: Column
    u: Six
    reciprocal: Expression
    ready: Expression


@dataclass(frozen=True)
class ArticulatedSolution:
    """Accelerations of the independent speeds, and the pivots D that must be positive."""

    acceleration: list[Expression]
    pivots: list[Expression]


def applies(tree: Tree) -> bool:
    """True if every speed moves one joint only (no mimic joints) and all bodies are rigid."""
    speeds = [speed for link in tree.links for speed in link.speeds if not speed.prescribed]
    single = len({speed.index for speed in speeds}) == len(speeds)
    plain = all(speed.factor is None for speed in speeds)
    return single and plain and not any(link.body.internal_speeds for link in tree.links)


def forward_dynamics(
    tree: Tree,
    state: State,
    pose: Sequence[Pose],
    tau: Sequence[Expression],
    *,
    base: Vector,
    external: Mapping[int, Wrench],
) -> ArticulatedSolution:
    """Accelerations under the generalized forces `tau`; `state` moves without free acceleration."""
    inertias = [ArticulatedInertia.of(link.body.inertia) for link in tree.links]
    wrenches = _bias_wrenches(tree, state, pose, base, external)
    eliminated: list[list[_Eliminated]] = [[] for _ in tree.links]
    pivots: list[Expression] = []
    for index in reversed(range(len(tree.links))):
        link, at = tree.links[index], pose[index]
        for speed, s in zip(link.speeds, at.columns, strict=True):
            if speed.prescribed:
                continue
            moment, force = wrenches[index]
            u = inertias[index].times(s)
            d = s[0].dot(u[0]) + s[1].dot(u[1])
            if speed.index in tree.armature:
                d = d + tree.armature[speed.index]
            reciprocal = 1 / d.named(f"pivot of {tree.speed_names[speed.index]}")
            ready = (tau[speed.index] - s[0].dot(moment) - s[1].dot(force)) * reciprocal
            eliminated[index].append(_Eliminated(speed, s, u, reciprocal, ready))
            pivots.append(d)
            if link.parent != WORLD or s is not at.columns[-1]:
                inertias[index] = _eliminate(inertias[index], tree, speed, s, u, reciprocal)
                wrenches[index] = (moment + u[0] * ready, force + u[1] * ready)
        if link.parent != WORLD:
            carried = inertias[index].carried(at.rotation, at.origin)
            inertias[link.parent] = inertias[link.parent] + carried
            force = at.rotation.to_parent(wrenches[index][1])
            moment = at.rotation.to_parent(wrenches[index][0]) + at.origin.cross(force)
            above = wrenches[link.parent]
            wrenches[link.parent] = (above[0] + moment, above[1] + force)
    return ArticulatedSolution(_accelerations(tree, pose, eliminated), pivots)


def _eliminate(
    inertia: ArticulatedInertia,
    tree: Tree,
    speed: Coordinate,
    s: Column,
    u: Six,
    reciprocal: Expression,
) -> ArticulatedInertia:
    if speed.index in tree.armature:  # the rotor stays with D, so S^T I S does not vanish
        zero = tree.zero_vector()
        return inertia.without((zero, zero), u, reciprocal)
    return inertia.without(s, u, reciprocal)


def _bias_wrenches(
    tree: Tree,
    state: State,
    pose: Sequence[Pose],
    base: Vector,
    external: Mapping[int, Wrench],
) -> list[Six]:
    """(moment, force) on each body in the motion without free acceleration."""
    zero = tree.zero_vector()
    wrenches: list[Six] = []
    motion = accelerations(tree, state, pose, base)
    for index, (link, at) in enumerate(zip(tree.links, motion, strict=True)):
        force, moment = link.body.wrench(at.u, at.a)
        outer_force, outer_moment = external.get(index, (zero, zero))
        wrenches.append((moment - outer_moment, force - outer_force))
    return wrenches


def _accelerations(
    tree: Tree, pose: Sequence[Pose], eliminated: Sequence[Sequence[_Eliminated]]
) -> list[Expression]:
    """Base to tip: what each speed adds to the acceleration of its parent."""
    zero = tree.zero_vector()
    result = [tree.zero] * tree.nu
    added: list[Six] = []
    for index, (link, at) in enumerate(zip(tree.links, pose, strict=True)):
        alpha, a = (zero, zero) if link.parent == WORLD else added[link.parent]
        angular = at.rotation.to_child(alpha)
        linear = at.rotation.to_child(a + alpha.cross(at.origin))
        for step in reversed(eliminated[index]):
            carried = step.u[0].dot(angular) + step.u[1].dot(linear)
            x = step.ready - carried * step.reciprocal
            result[step.speed.index] = x
            angular, linear = angular + step.s[0] * x, linear + step.s[1] * x
        added.append((angular, linear))
    return result
