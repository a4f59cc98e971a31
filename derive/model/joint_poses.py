"""The joint kinds of this package with their pose at given coordinates (what a locked joint needs)."""

from __future__ import annotations

from eomc.derive.model.joint import Joint, normal_directions
from eomc.derive.model.joint_kinds import JointKind, register_joint_kind
from eomc.derive.model.placement import Placement
from eomc.derive.model.rotation import (
    IDENTITY,
    Matrix3,
    add,
    from_axis_angle,
    from_quaternion,
    matmul,
    scale,
    snapped,
)
from eomc.derive.model.scalar import Scalar, Vector3

__all__: list[str] = []

Coordinates = tuple[Scalar, ...]
_AXES: dict[str, Vector3] = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


def _placement(xyz: Vector3, matrix: Matrix3 = IDENTITY) -> Placement:
    matrix = snapped(matrix)
    return Placement(xyz) if matrix == IDENTITY else Placement(xyz, rotation=matrix)


def _fixed(joint: Joint, q: Coordinates) -> Placement:
    return Placement()


def _revolute(joint: Joint, q: Coordinates) -> Placement:
    return _placement((0, 0, 0), from_axis_angle(joint.direction, q[0]))


def _prismatic(joint: Joint, q: Coordinates) -> Placement:
    return _placement(scale(q[0], joint.direction))


def _screw(joint: Joint, q: Coordinates) -> Placement:
    pitch = 0 if joint.pitch is None else joint.pitch
    return _placement(scale(pitch * q[0], joint.direction), from_axis_angle(joint.direction, q[0]))


def _cylindrical(joint: Joint, q: Coordinates) -> Placement:
    return _placement(scale(q[1], joint.direction), from_axis_angle(joint.direction, q[0]))


def _planar(joint: Joint, q: Coordinates) -> Placement:
    first, second = normal_directions(joint.direction)
    xyz = add(scale(q[0], first), scale(q[1], second))
    return _placement(xyz, from_axis_angle(joint.direction, q[2]))


def _universal(joint: Joint, q: Coordinates) -> Placement:
    assert joint.axis2 is not None
    first = from_axis_angle(joint.direction, q[0])
    return _placement((0, 0, 0), matmul(first, from_axis_angle(joint.axis2, q[1])))


def _spherical(joint: Joint, q: Coordinates) -> Placement:
    return _placement((0, 0, 0), from_quaternion(q))


def _floating(joint: Joint, q: Coordinates) -> Placement:
    return _placement((q[0], q[1], q[2]), from_quaternion(q[3:]))


def _euler(sequence: str | None, angles: Coordinates) -> Matrix3:
    matrix = IDENTITY
    for letter, angle in zip(sequence or "", angles, strict=True):
        matrix = matmul(matrix, from_axis_angle(_AXES[letter], angle))
    return matrix


def _spherical_euler(joint: Joint, q: Coordinates) -> Placement:
    return _placement((0, 0, 0), _euler(joint.sequence, q))


def _floating_euler(joint: Joint, q: Coordinates) -> Placement:
    return _placement((q[0], q[1], q[2]), _euler(joint.sequence, q[3:]))


_AXIS = frozenset({"axis"})
_SEQUENCE = frozenset({"sequence"})
_ONE = ("",)
_ANGLES = ("a1", "a2", "a3")
_QUATERNION = ("qw", "qx", "qy", "qz")
_OMEGA = ("wx", "wy", "wz")

for _kind in (
    JointKind("fixed", (), (), pose=_fixed),
    JointKind("revolute", _ONE, _ONE, _AXIS, pose=_revolute),
    JointKind("prismatic", _ONE, _ONE, _AXIS, pose=_prismatic),
    JointKind("screw", _ONE, _ONE, _AXIS | {"pitch"}, pose=_screw),
    JointKind("cylindrical", ("angle", "slide"), ("angle", "slide"), _AXIS, pose=_cylindrical),
    JointKind("planar", ("x", "y", "theta"), ("x", "y", "theta"), _AXIS, pose=_planar),
    JointKind("universal", ("1", "2"), ("1", "2"), _AXIS | {"axis2"}, pose=_universal),
    JointKind("spherical", _QUATERNION, _OMEGA, rates=False, pose=_spherical, neutral=(1, 0, 0, 0)),
    JointKind("spherical_euler", _ANGLES, _ANGLES, _SEQUENCE, pose=_spherical_euler),
    JointKind(
        "floating",
        ("x", "y", "z", *_QUATERNION),
        ("vx", "vy", "vz", *_OMEGA),
        rates=False,
        pose=_floating,
        neutral=(0, 0, 0, 1, 0, 0, 0),
    ),
    JointKind(
        "floating_euler",
        ("x", "y", "z", *_ANGLES),
        ("x", "y", "z", *_ANGLES),
        _SEQUENCE,
        pose=_floating_euler,
    ),
):
    register_joint_kind(_kind)
