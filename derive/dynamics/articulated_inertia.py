"""The inertia that a subtree with free joints shows at its root link.

J (moment by angular acceleration), H (moment by linear, force by H^T) and M (force by linear): 21
numbers. Eliminating a turn about z makes the z row and column of J and the z row of H zero, exactly
and by structure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from eomc.derive.geometry import Inertia, Rotation, SpatialForce, SpatialMotion, Symmetric, Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.graph import ZERO, Expression


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

    @staticmethod
    def zero(zero: Vector) -> ArticulatedInertia:
        """No inertia at all."""
        none = Symmetric(*(zero.x,) * 6)
        return ArticulatedInertia(none, Dyad((zero,) * 3), none)

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.j + other.j, self.h + other.h, self.m + other.m)

    def __matmul__(self, motion: SpatialMotion) -> SpatialForce:
        """I a: the moment J w' + H a and the force H^T w' + M a."""
        linear, angular = motion.linear, motion.angular
        moment = self.j @ angular + self.h @ linear
        force = self.h.transposed_times(angular) + self.m @ linear
        return SpatialForce(linear=force, angular=moment)

    def without(
        self, s: SpatialMotion | None, u: SpatialForce, reciprocal: Expression
    ) -> ArticulatedInertia:
        """I - U U^T / D, with the zeros in the direction S that this makes by structure; no S if
        D is more than S^T I S."""
        force, moment = u.linear, u.angular
        by_d = moment * reciprocal
        force_by_d = force * reciprocal
        j = self.j - Symmetric.parallel(moment, by_d)
        h = self.h - Dyad.product(by_d, force)
        m = self.m - Symmetric.parallel(force, force_by_d)
        if s is None:
            return ArticulatedInertia(j, h, m)
        angular, linear = _unit_axis(s.angular), _unit_axis(s.linear)
        if angular is not None and s.linear.is_zero:
            j, h = _without_axis(j, angular), _without_row(h, angular)
        elif linear is not None and s.angular.is_zero:
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


@dataclass(frozen=True)
class EliminatedSpeed:
    """A speed taken out of an articulated inertia I: U = I S, D = S^T U and what stays with D.

    `s` is None where D is more than S^T I S: with a rotor, or if the speed moves other links too.
    """

    s: SpatialMotion | None
    u: SpatialForce
    reciprocal: Expression

    @staticmethod
    def along(
        s: SpatialMotion, inertia: ArticulatedInertia, rotor: Expression
    ) -> tuple[EliminatedSpeed, Expression]:
        """Of a speed that moves this link alone, with its pivot D = S^T I S + rotor."""
        u = inertia @ s
        d = s.dot(u) + rotor
        return EliminatedSpeed(s if rotor.is_zero else None, u, 1 / d), d

    @property
    def by_d(self) -> SpatialForce:
        """U / D, with the one along a unit S that this makes by structure."""
        by_d, s = self.u * self.reciprocal, self.s
        if s is None:
            return by_d
        angular, linear = _unit_axis(s.angular), _unit_axis(s.linear)
        if angular is not None and s.linear.is_zero:
            return replace(by_d, angular=_with_entry(by_d.angular, angular, s.angular))
        if linear is not None and s.angular.is_zero:
            return replace(by_d, linear=_with_entry(by_d.linear, linear, s.linear))
        return by_d

    def inertia(self, before: ArticulatedInertia) -> ArticulatedInertia:
        """I - U U^T / D"""
        return before.without(self.s, self.u, self.reciprocal)

    def wrench(self, before: SpatialForce, ready: Expression) -> SpatialForce:
        """p + U (tau - S^T p) / D, with `ready` for the fraction."""
        return before + self.u * ready

    def acceleration(self, ready: Expression, above: Expression) -> Expression:
        """(tau - S^T p - U^T a_p) / D, with `above` for U^T a_p."""
        return ready - above * self.reciprocal


def _unit_axis(v: Vector) -> int | None:
    """0, 1 or 2 if v is plus or minus that coordinate axis."""
    entries = (v.x, v.y, v.z)
    axes = [k for k, entry in enumerate(entries) if entry.node != ZERO]
    return axes[0] if len(axes) == 1 and entries[axes[0]] in (1, -1) else None


def _with_entry(v: Vector, axis: int, other: Vector) -> Vector:
    """`v` with that entry of the other."""
    entries = list(v)
    entries[axis] = list(other)[axis]
    return Vector(*entries)


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
