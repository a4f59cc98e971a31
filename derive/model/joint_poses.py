"""The joint kinds of this package, with their pose at given coordinates for locking."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

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
    rotate,
    scale,
    snapped,
    transpose,
)
from eomc.derive.model.scalar import Scalar, Vector3

__all__: list[str] = []

Coordinates: TypeAlias = tuple[Scalar, ...]
Column: TypeAlias = tuple[Scalar, ...]
Pose: TypeAlias = Callable[[Joint, Coordinates], Placement]
Subspace: TypeAlias = Callable[[Joint, Coordinates], list[Column]]
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


# Motion subspaces: columns (omega, v) in the child-side joint frame, for joints of plain numbers.


def _turn(axis: Vector3) -> Column:
    return (*axis, 0, 0, 0)


def _slide(axis: Vector3) -> Column:
    return (0, 0, 0, *axis)


def _one_turn(joint: Joint, q: Coordinates) -> list[Column]:
    return [_turn(joint.direction)]


def _one_slide(joint: Joint, q: Coordinates) -> list[Column]:
    return [_slide(joint.direction)]


def _screw_motion(joint: Joint, q: Coordinates) -> list[Column]:
    pitch = 0 if joint.pitch is None else joint.pitch
    return [(*joint.direction, *scale(pitch, joint.direction))]


def _turn_and_slide(joint: Joint, q: Coordinates) -> list[Column]:
    return [_turn(joint.direction), _slide(joint.direction)]


def _planar_motion(joint: Joint, q: Coordinates) -> list[Column]:
    back = transpose(from_axis_angle(joint.direction, q[2]))
    first, second = normal_directions(joint.direction)
    return [_slide(rotate(back, first)), _slide(rotate(back, second)), _turn(joint.direction)]


def _planar_body_motion(joint: Joint, q: Coordinates) -> list[Column]:
    first, second = normal_directions(joint.direction)
    return [_slide(first), _slide(second), _turn(joint.direction)]


def _universal_motion(joint: Joint, q: Coordinates) -> list[Column]:
    assert joint.axis2 is not None
    back = transpose(from_axis_angle(joint.axis2, q[1]))
    return [_turn(rotate(back, joint.direction)), _turn(joint.axis2)]


def _any_turn(joint: Joint, q: Coordinates) -> list[Column]:
    return [_turn(axis) for axis in IDENTITY]


def _any_motion(joint: Joint, q: Coordinates) -> list[Column]:
    return [_slide(axis) for axis in IDENTITY] + _any_turn(joint, q)


def _euler_turns(joint: Joint, q: Coordinates) -> list[Column]:
    sequence = joint.sequence or ""
    columns = []
    for i, letter in enumerate(sequence):
        back = transpose(_euler(sequence[i + 1 :], q[len(q) - 2 + i :]))
        columns.append(_turn(rotate(back, _AXES[letter])))
    return columns


def _floating_euler_motion(joint: Joint, q: Coordinates) -> list[Column]:
    back = transpose(_euler(joint.sequence, q[3:]))
    return [_slide(rotate(back, axis)) for axis in IDENTITY] + _euler_turns(joint, q)


_AXIS = frozenset({"axis"})
_SEQUENCE = frozenset({"sequence"})
_ONE = ("",)
_ANGLES = ("a1", "a2", "a3")
_CYLINDRICAL = ("angle", "slide")
_PLANAR = ("x", "y", "theta")
_TWO = ("1", "2")
_QUATERNION = ("qw", "qx", "qy", "qz")
_OMEGA = ("wx", "wy", "wz")
_POSITION = ("x", "y", "z")
_VELOCITY = ("vx", "vy", "vz")


def _rates(
    name: str, suffixes: tuple[str, ...], takes: frozenset[str], pose: Pose, subspace: Subspace
) -> JointKind:
    """A kind whose speeds are the rates of its coordinates."""
    return JointKind(name, suffixes, suffixes, takes, pose=pose, subspace=subspace)


for _kind in (
    _rates("fixed", (), frozenset(), _fixed, lambda joint, q: []),
    _rates("revolute", _ONE, _AXIS, _revolute, _one_turn),
    _rates("prismatic", _ONE, _AXIS, _prismatic, _one_slide),
    _rates("screw", _ONE, _AXIS | {"pitch"}, _screw, _screw_motion),
    _rates("cylindrical", _CYLINDRICAL, _AXIS, _cylindrical, _turn_and_slide),
    _rates("planar", _PLANAR, _AXIS, _planar, _planar_motion),
    JointKind(
        "planar_body",
        _PLANAR,
        ("vx", "vy", "wz"),
        _AXIS,
        rates=False,
        pose=_planar,
        subspace=_planar_body_motion,
    ),
    _rates("universal", _TWO, _AXIS | {"axis2"}, _universal, _universal_motion),
    JointKind(
        "spherical",
        _QUATERNION,
        _OMEGA,
        rates=False,
        pose=_spherical,
        subspace=_any_turn,
        neutral=(1, 0, 0, 0),
    ),
    _rates("spherical_euler", _ANGLES, _SEQUENCE, _spherical_euler, _euler_turns),
    JointKind(
        "floating",
        (*_POSITION, *_QUATERNION),
        (*_VELOCITY, *_OMEGA),
        rates=False,
        pose=_floating,
        subspace=_any_motion,
        neutral=(0, 0, 0, 1, 0, 0, 0),
    ),
    _rates(
        "floating_euler",
        (*_POSITION, *_ANGLES),
        _SEQUENCE,
        _floating_euler,
        _floating_euler_motion,
    ),
):
    register_joint_kind(_kind)
