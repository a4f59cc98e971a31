"""Placements of frames in bodies, and points of bodies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import sympy

from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, Vector3, is_zero, vector, vector3
from eomc.derive.placement.rotation import (
    IDENTITY,
    Matrix3,
    add,
    from_quaternion,
    from_rpy,
    matmul,
    rotate,
    scale,
    snapped,
    transpose,
)

#: Largest deviation of R^T R from the identity that counts as rounding of the given digits.
ORTHONORMAL = 1e-6


@dataclass(frozen=True)
class Placement:
    """Position and orientation of a frame in a body frame: r_body = xyz + R r_frame.

    `xyz` in metres. The orientation is one of `rpy` (roll, pitch, yaw about fixed axes, radians:
    R = Rz(yaw) Ry(pitch) Rx(roll)), `rotation` (3x3, rows) or `quaternion` (w, x, y, z, normalized
    when used); none of them: the frames are parallel. Entries are scalars or expressions in
    parameters.

    >>> Placement(xyz=(0, 0, "l/2"), rpy=("pi/2", 0, 0)).matrix
    ((1, 0, 0), (0, 0, -1), (0, 1, 0))

    Raises `ModelError` for a wrong number of entries, more than one orientation, a zero quaternion
    or a numeric matrix that is no rotation.
    """

    xyz: Vector3 = (0, 0, 0)
    rpy: Vector3 | None = None
    rotation: Matrix3 | None = None
    quaternion: tuple[Scalar, Scalar, Scalar, Scalar] | None = None

    def __post_init__(self) -> None:
        given = [
            word for word in ("rpy", "rotation", "quaternion") if getattr(self, word) is not None
        ]
        if len(given) > 1:
            raise ModelError(f"placement: {' and '.join(given)} are both given; give one of them")
        set_field = object.__setattr__
        set_field(self, "xyz", vector3(self.xyz, "xyz"))
        if self.rpy is not None:
            set_field(self, "rpy", vector3(self.rpy, "rpy"))
        if self.quaternion is not None:
            quaternion = vector(self.quaternion, 4, "quaternion")
            if all(is_zero(entry) for entry in quaternion):
                raise ModelError("quaternion has zero length; give (w, x, y, z) of a rotation")
            set_field(self, "quaternion", quaternion)
        if self.rotation is not None:
            set_field(self, "rotation", _rotation(self.rotation))

    @property
    def matrix(self) -> Matrix3:
        """R (3, 3): the frame's axes in the body's; structural zeros and ones are whole numbers."""
        if self.rpy is not None:
            return snapped(from_rpy(self.rpy))
        if self.quaternion is not None:
            return snapped(from_quaternion(self.quaternion))
        return self.rotation if self.rotation is not None else IDENTITY

    @property
    def is_identity(self) -> bool:
        """True if the two frames coincide structurally."""
        return all(is_zero(entry) for entry in self.xyz) and self.matrix == IDENTITY

    def __matmul__(self, other: Placement) -> Placement:
        """Placement of a frame given in this frame: (r1 + R1 r2, R1 R2)."""
        xyz = add(self.xyz, rotate(self.matrix, other.xyz))
        if other.matrix == IDENTITY:
            return Placement(xyz, self.rpy, self.rotation, self.quaternion)
        if self.matrix == IDENTITY:
            return Placement(xyz, other.rpy, other.rotation, other.quaternion)
        rotation = snapped(matmul(self.matrix, other.matrix))
        return Placement(xyz) if rotation == IDENTITY else Placement(xyz, rotation=rotation)

    def inverse(self) -> Placement:
        """Placement of the body frame in this frame: (-R^T r, R^T)."""
        back = transpose(self.matrix)
        xyz = rotate(back, scale(-1, self.xyz))
        return Placement(xyz) if back == IDENTITY else Placement(xyz, rotation=back)

    def point(self, xyz: Vector3) -> Vector3:
        """Body coordinates of a point given in this frame."""
        return add(self.xyz, rotate(self.matrix, xyz))


def _rotation(value: Any) -> Matrix3:
    if isinstance(value, sympy.MatrixBase):
        value = value.tolist()
    try:
        rows = [vector3(row, "rotation") for row in value]
    except TypeError:
        raise ModelError("rotation: give 3 rows of 3 numbers") from None
    if len(rows) != 3:
        raise ModelError(f"rotation: has {len(rows)} rows, needs 3")
    matrix: Matrix3 = (rows[0], rows[1], rows[2])
    if all(isinstance(entry, int | float) for row in matrix for entry in row):
        check_rotation(matrix)
    return matrix


def check_rotation(matrix: Matrix3) -> None:
    """Raise `ModelError` unless the numeric matrix is orthonormal and right-handed to 1e-6."""
    number = [[float(entry) for entry in row] for row in matrix]
    for i in range(3):
        for j in range(3):
            dot = math.fsum([number[k][i] * number[k][j] for k in range(3)])
            if not abs(dot - (i == j)) <= ORTHONORMAL:
                raise ModelError("rotation: the rows are not orthonormal; give a rotation matrix")
    (a, b, c), (d, e, f), (g, h, i) = number  # type: ignore[assignment]
    if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0:
        raise ModelError("rotation: the matrix is a reflection (determinant -1)")


def placement(value: Any) -> Placement:
    """A placement from None, a `Placement`, a mapping of its fields or a position alone."""
    if value is None:
        return Placement()
    if isinstance(value, Placement):
        return value
    if isinstance(value, dict):
        unknown = sorted(set(map(str, value)) - {"xyz", "rpy", "rotation", "quaternion"})
        if unknown:
            raise ModelError(
                f"unknown key {unknown[0]!r}; valid: 'xyz', 'rpy', 'rotation', 'quaternion'"
            )
        return Placement(**value)
    return Placement(xyz=value)


@dataclass(frozen=True)
class Point:
    """A point of a body: `xyz` in metres in the frame of `body`, the world or a declared frame.

    >>> Point("link", (0, 0, "-l"))
    Point(body='link', xyz=(0, 0, -l))
    """

    body: str
    xyz: Vector3 = (0, 0, 0)

    def __post_init__(self) -> None:
        if not isinstance(self.body, str):
            raise ModelError(f"point: the body is named by text, not {type(self.body).__name__}")
        object.__setattr__(self, "xyz", vector3(self.xyz, "xyz"))


def point(value: Any) -> Point:
    """A point from a `Point`, the name of a body or a frame (its origin), or a mapping with `body`
    and `xyz`."""
    if isinstance(value, Point):
        return value
    if isinstance(value, str):
        return Point(value)
    if isinstance(value, dict):
        unknown = sorted(set(map(str, value)) - {"body", "xyz"})
        if unknown or "body" not in value:
            raise ModelError(
                "point: give a body and optionally xyz, {body = 'name', xyz = [x, y, z]}"
            )
        return Point(**value)
    raise ModelError(f"point: give Point(body, xyz), not {type(value).__name__}")
