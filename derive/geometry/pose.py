"""The pose of a frame in its parent, and the step of the recursions from one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.geometry.acceleration import Acceleration, AccelerationMatrix
from eomc.derive.geometry.rotation import Rotation
from eomc.derive.geometry.spatial import ForceVector, SpatialMotion
from eomc.derive.geometry.vector import Vector
from eomc.derive.graph import Expression


@dataclass(frozen=True)
class LinkPose:
    """Pose of a link in its parent link: rotation, origin, and the motion subspace in link axes."""

    rotation: Rotation
    origin: Vector
    columns: Sequence[SpatialMotion] = ()

    def then(self, step: LinkPose) -> LinkPose:
        """The pose of a frame that has the pose `step` in this one; its rotation is one matrix."""
        rotation = (self.rotation @ step.rotation).matrix(self.origin.x * 0)
        return LinkPose(Rotation([rotation]), self.origin + self.rotation.to_parent(step.origin))

    def relative(self, speeds: Sequence[Expression], zero: Vector) -> SpatialMotion:
        """S u = (v_r, w_r)."""
        v, w = zero, zero
        for s, speed in zip(self.columns, speeds, strict=True):
            w, v = w + s.angular * speed, v + s.linear * speed
        return SpatialMotion(linear=v, angular=w)

    def to_child(self, motion: SpatialMotion) -> SpatialMotion:
        """A motion of the parent at the link's origin, in link axes: R^T (v + w x p), R^T w."""
        w = self.rotation.to_child(motion.angular)
        v = self.rotation.to_child(motion.linear + motion.angular.cross(self.origin))
        return SpatialMotion(linear=v, angular=w)

    def motion_to_parent(self, motion: SpatialMotion) -> SpatialMotion:
        """A motion of the link at the parent's origin, in parent axes: R v + p x R w, R w."""
        w = self.rotation.to_parent(motion.angular)
        v = self.rotation.to_parent(motion.linear) + self.origin.cross(w)
        return SpatialMotion(linear=v, angular=w)

    def to_parent(self, force: ForceVector) -> ForceVector:
        """A force on the link, about the parent's origin: R f, R n + p x R f."""
        f = self.rotation.to_parent(force.linear)
        n = self.rotation.to_parent(force.angular) + self.origin.cross(f)
        return type(force)(linear=f, angular=n)

    def twist(self, parent: SpatialMotion, relative: SpatialMotion) -> SpatialMotion:
        """v = R^T (v_p + w_p x p) + v_r,  w = R^T w_p + w_r."""
        w = self.rotation.to_child(parent.angular) + relative.angular
        at_origin = parent.linear + parent.angular.cross(self.origin)
        return SpatialMotion(linear=self.rotation.to_child(at_origin) + relative.linear, angular=w)

    def acceleration(
        self, parent: Acceleration, relative: SpatialMotion, change: SpatialMotion
    ) -> Acceleration:
        """Motion of the link, `relative` to its parent and with the `change` S u' + S' u of that.

        w' = R^T w_p' + (R^T w_p) x w_r + S_w u',
        a = R^T (a_p + U_p p) + (2 R^T w_p + w_r) x v_r + S_v u'
        """
        w_r, v_r = relative.angular, relative.linear
        turned = self.rotation.to_child(parent.w)
        w = turned + w_r
        alpha = self.rotation.to_child(parent.alpha) + turned.cross(w_r) + change.angular
        a = self.rotation.to_child(parent.a + parent.u @ self.origin)
        a = a + (turned * 2 + w_r).cross(v_r) + change.linear
        return Acceleration(w, alpha, AccelerationMatrix(w, alpha), a)
