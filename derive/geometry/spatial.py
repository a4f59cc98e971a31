"""Spatial vectors: motions and forces at the origin of a frame, in its axes.

Motions (velocities, accelerations, columns of a motion subspace) and forces (wrenches, momenta) are
elements of two spaces that are dual to each other: they transform and differentiate differently,
and only a motion and a force have a scalar product. They are types of their own, and their parts
are given and read by name, so that an exchange of types or of parts is an error of type checking.
Where the six entries stand in one array, the linear part is first, as in all public arrays.

Sums and products of the angular part are formed first; the order in which nodes are created decides
the order of statements in emitted code.

Reference: Featherstone, *Rigid Body Dynamics Algorithms*, ch. 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

from eomc.derive.geometry.vector import Scalar, Vector
from eomc.derive.graph import Expression


@dataclass(kw_only=True, slots=True, eq=False)
class _SpatialVector:
    """The linear and the angular part of a spatial vector, and its vector space."""

    linear: Vector
    angular: Vector

    @classmethod
    def zero(cls, zero: Vector) -> Self:
        """The zero vector, of two parts `zero`."""
        return cls(linear=zero, angular=zero)

    @classmethod
    def of(cls, entries: Sequence[Expression]) -> Self:
        """Read the six entries, the linear part first."""
        return cls(linear=Vector(*entries[:3]), angular=Vector(*entries[3:]))

    @property
    def entries(self) -> tuple[Expression, ...]:
        """The six entries, the linear part first."""
        return (*self.linear, *self.angular)

    @property
    def is_zero(self) -> bool:
        """True if all six entries are structural zeros."""
        return self.angular.is_zero and self.linear.is_zero

    def __add__(self, other: Self) -> Self:
        angular = self.angular + other.angular
        return type(self)(linear=self.linear + other.linear, angular=angular)

    def __sub__(self, other: Self) -> Self:
        angular = self.angular - other.angular
        return type(self)(linear=self.linear - other.linear, angular=angular)

    def __neg__(self) -> Self:
        angular = -self.angular
        return type(self)(linear=-self.linear, angular=angular)

    def __mul__(self, factor: Scalar) -> Self:
        angular = self.angular * factor
        return type(self)(linear=self.linear * factor, angular=angular)


class SpatialForce(_SpatialVector):
    """A force (linear part) with its moment about the origin (angular part)."""

    __slots__ = ()


class SpatialMomentum(SpatialForce):
    """Linear momentum with the angular momentum about the origin: the force vector I v."""

    __slots__ = ()


ForceVector = TypeVar("ForceVector", bound=SpatialForce)


def summed(known: ForceVector, more: ForceVector) -> ForceVector:
    """known + more, for wrenches collected on links: there the forces are summed first."""
    linear = known.linear + more.linear
    return type(known)(linear=linear, angular=known.angular + more.angular)


def reduced(known: SpatialForce, less: SpatialForce) -> SpatialForce:
    """known - less, in the same order."""
    linear = known.linear - less.linear
    return SpatialForce(linear=linear, angular=known.angular - less.angular)


class SpatialMotion(_SpatialVector):
    """The velocity or acceleration of the origin (linear part) with the angular one of the body."""

    __slots__ = ()

    def dot(self, force: SpatialForce) -> Expression:
        """m . f, the power of a force along a motion."""
        return self.angular.dot(force.angular) + self.linear.dot(force.linear)

    def cross(self, other: SpatialMotion) -> SpatialMotion:
        """v x m: (w x m_v + v x m_w, w x m_w)"""
        angular = self.angular.cross(other.angular)
        linear = self.angular.cross(other.linear) + self.linear.cross(other.angular)
        return SpatialMotion(linear=linear, angular=angular)

    def cross_force(self, force: ForceVector) -> ForceVector:
        """v x* f: (w x f, w x n + v x f)"""
        angular = self.angular.cross(force.angular) + self.linear.cross(force.linear)
        return type(force)(linear=self.angular.cross(force.linear), angular=angular)
