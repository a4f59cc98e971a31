"""From section to section: twists and accelerations to the tip, wrenches to the root."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.geometry import AccelerationMatrix, MatrixRotation, Vector
from eomc.derive.geometry.spatial import Spatial
from eomc.derive.graph import Expression

__all__ = ["Carried", "step_acceleration", "step_twist", "step_wrench"]

Pose = tuple[MatrixRotation, Vector]


@dataclass(frozen=True)
class Carried:
    """Motion of a section: w, w', the matrix U of both, and the acceleration a of its origin."""

    w: Vector
    alpha: Vector
    u: AccelerationMatrix
    a: Vector

    @staticmethod
    def resting(zero: Expression) -> Carried:
        """At rest."""
        still = Vector(zero, zero, zero)
        return Carried(still, still, AccelerationMatrix(still, still), still)


def step_twist(pose: Pose, parent: Spatial, relative: Spatial) -> Spatial:
    """w = R^T w_p + w_r,  v = R^T (v_p + w_p x p) + v_r."""
    (rotation, origin), (w, v) = pose, parent
    turned = rotation.to_child(w) + relative[0]
    return turned, rotation.to_child(v + w.cross(origin)) + relative[1]


def step_acceleration(pose: Pose, parent: Carried, relative: Spatial, change: Spatial) -> Carried:
    """w' = R^T w_p' + R^T w_p x w_r + w_t,
    a = R^T (a_p + U_p p) + (2 R^T w_p + w_r) x v_r + v_t, with (w_t, v_t) the change of (w_r, v_r).
    """
    (rotation, origin), (w_r, v_r), (w_t, v_t) = pose, relative, change
    turned = rotation.to_child(parent.w)
    w = turned + w_r
    alpha = rotation.to_child(parent.alpha) + turned.cross(w_r) + w_t
    a = rotation.to_child(parent.a + parent.u @ origin) + (turned * 2 + w_r).cross(v_r) + v_t
    return Carried(w, alpha, AccelerationMatrix(w, alpha), a)


def step_wrench(pose: Pose, wrench: Spatial) -> Spatial:
    """A wrench (moment, force) on a section, about the origin of the one before: R n + p x R f,
    R f."""
    rotation, origin = pose
    force = rotation.to_parent(wrench[1])
    return rotation.to_parent(wrench[0]) + origin.cross(force), force
