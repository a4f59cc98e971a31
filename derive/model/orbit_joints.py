"""Joint kinds of orbital coordinates, with their poses and motion subspaces.

The joint's parent-side frame stands in the centre of attraction, its z axis normal to the orbit
(or to the reference plane), x towards the perigee (or another reference direction): give the
placement of that frame for an inclined orbit.
"""

from __future__ import annotations

from eomc.derive.model.joint import Joint
from eomc.derive.model.joint_kinds import JointKind, register_joint_kind
from eomc.derive.model.placement import Placement
from eomc.derive.model.rotation import (
    Matrix3,
    from_axis_angle,
    matmul,
    rotate,
    snapped,
    transpose,
)
from eomc.derive.model.scalar import Scalar, Vector3

__all__: list[str] = []

Coordinates = tuple[Scalar, ...]
Column = tuple[Scalar, ...]
_X: Vector3 = (1, 0, 0)
_Z: Vector3 = (0, 0, 1)
_NORTHWARD: Vector3 = (0, -1, 0)


def _at_radius(radius: Scalar, matrix: Matrix3, turned: Matrix3 | None = None) -> Placement:
    """At `radius` along the x axis of `matrix`, turned further by `turned`."""
    xyz = rotate(matrix, (radius, 0, 0))
    axes = matrix if turned is None else matmul(matrix, turned)
    return Placement(xyz, rotation=snapped(axes))


def _polar(joint: Joint, q: Coordinates) -> Placement:
    return _at_radius(q[1], from_axis_angle(_Z, q[0]))


def _planar(joint: Joint, q: Coordinates) -> Placement:
    return _at_radius(q[1], from_axis_angle(_Z, q[0]), from_axis_angle(_Z, q[2]))


def _spherical(joint: Joint, q: Coordinates) -> Placement:
    axes = matmul(from_axis_angle(_Z, q[0]), from_axis_angle(_NORTHWARD, q[1]))
    return _at_radius(q[2], axes)


def _orbital(radius: Scalar) -> list[Column]:
    """Anomaly and radius, in orbital axes."""
    return [(*_Z, 0, radius, 0), (0, 0, 0, *_X)]


def _polar_motion(joint: Joint, q: Coordinates) -> list[Column]:
    return _orbital(q[1])


def _planar_motion(joint: Joint, q: Coordinates) -> list[Column]:
    back = transpose(from_axis_angle(_Z, q[2]))
    anomaly, radius = ((*_Z, *rotate(back, (0, q[1], 0))), (0, 0, 0, *rotate(back, _X)))
    return [anomaly, radius, (*_Z, 0, 0, 0)]


def _spherical_motion(joint: Joint, q: Coordinates) -> list[Column]:
    x, y, z = rotate(transpose(from_axis_angle(_NORTHWARD, q[1])), _Z)
    # velocities are w x (r, 0, 0)
    longitude = (x, y, z, 0, q[2] * z, -q[2] * y)
    return [longitude, (*_NORTHWARD, 0, 0, q[2]), (0, 0, 0, *_X)]


for _name, _suffixes, _pose, _subspace in (
    ("orbit_polar", ("theta", "r"), _polar, _polar_motion),
    ("orbit_planar", ("theta", "r", "psi"), _planar, _planar_motion),
    ("orbit_spherical", ("longitude", "latitude", "r"), _spherical, _spherical_motion),
):
    register_joint_kind(JointKind(_name, _suffixes, _suffixes, pose=_pose, subspace=_subspace))
