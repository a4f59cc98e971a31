"""Losses of a joint that closes a loop, which has no speeds of its own.

The force -d u - f tanh(u / u_0) on the rate u of each freedom, written as a wrench between the two
bodies: moment m about the origin of the child-side frame, and force f. It does on the motions of
the joint the work of the forces Q_k on its freedoms. With the axis n of the parent side, a turn
about it takes m = Q n, a slide along it f = Q n.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from eomc.derive.geometry import Rotation, SpatialForce, Vector
from eomc.derive.graph import Expression
from eomc.derive.joints.joint import Joint
from eomc.derive.placement.directions import normal_directions
from eomc.derive.tree.scalars import Scalars

__all__ = ["Sides"]


@dataclass(frozen=True)
class Sides:
    """The two frames of a joint from the common ancestor: axes, origin, rates of child in parent
    (of the child-side origin, and angular), all in the ancestor's axes.

    `loss(k, rate)` is the force on freedom k at its rate.
    """

    joint: Joint
    scalars: Scalars
    parent: Rotation
    child: Rotation
    origin: Vector
    v: Vector
    w: Vector
    loss: Callable[[int, Expression], Expression]

    @property
    def axis(self) -> Vector:
        """n"""
        return self.parent.to_parent(self.scalars.vector(self.joint.direction))

    @property
    def normals(self) -> tuple[Vector, Vector]:
        """t1, t2"""
        first, second = normal_directions(self.joint.direction)
        vector = self.scalars.vector
        return self.parent.to_parent(vector(first)), self.parent.to_parent(vector(second))

    @property
    def none(self) -> Vector:
        """No force, or no moment."""
        return self.scalars.vector((0, 0, 0))

    def turning(self, k: int, n: Vector) -> SpatialForce:
        """Moment of freedom k, a turn about n."""
        return self.moment(n * self.loss(k, n.dot(self.w)))

    def sliding(self, k: int, n: Vector) -> SpatialForce:
        """Force of freedom k, a slide along n."""
        return SpatialForce(linear=n * self.loss(k, n.dot(self.v)), angular=self.none)

    def moment(self, moment: Vector) -> SpatialForce:
        """A moment without a force."""
        return SpatialForce(linear=self.none, angular=moment)
