"""Rotation matrices of model data, exact where the data are exact.

Entries are scalars: whole numbers where a structural 0 or 1 is known, SymPy where a symbol or an
exact constant such as pi/2 stands, doubles otherwise. Matrices are tuples of rows and map vectors
of the rotated frame into the reference frame, v_reference = R v.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import sympy

from eomc.derive.language.scalar import Scalar, Vector3, is_zero

Matrix3: TypeAlias = tuple[Vector3, Vector3, Vector3]
IDENTITY: Matrix3 = ((1, 0, 0), (0, 1, 0), (0, 0, 1))

#: Entries of a matrix of doubles closer than this to 0 (or, alone in row and column, to 1) are
#: rounding.
ROUNDING = 1e-15


def _product(a: Scalar, b: Scalar) -> Scalar:
    """a*b where a structural 0 or 1 leaves the other exact (0*0.3 is 0, not 0.0)."""
    if a == 0 or b == 0:
        return 0
    if isinstance(a, int) and a == 1:
        return b
    if isinstance(b, int) and b == 1:
        return a
    return a * b


def _sum(*terms: Scalar) -> Scalar:
    total: Scalar = 0
    for term in terms:
        if term != 0:
            total = term if total == 0 else total + term
    return total


def add(a: Vector3, b: Vector3) -> Vector3:
    """a + b."""
    return (_sum(a[0], b[0]), _sum(a[1], b[1]), _sum(a[2], b[2]))


def scale(factor: Scalar, a: Vector3) -> Vector3:
    """factor * a."""
    return (_product(factor, a[0]), _product(factor, a[1]), _product(factor, a[2]))


def cross(a: Vector3, b: Vector3) -> Vector3:
    """a x b."""

    def minor(i: int, j: int) -> Scalar:
        return _sum(_product(a[i], b[j]), -_product(a[j], b[i]))

    return (minor(1, 2), minor(2, 0), minor(0, 1))


def rotate(matrix: Matrix3, a: Vector3) -> Vector3:
    """R a."""
    if matrix == IDENTITY:
        return a
    x, y, z = [_sum(*map(_product, row, a)) for row in matrix]
    return (x, y, z)


def transpose(matrix: Matrix3) -> Matrix3:
    """R^T, the inverse rotation."""
    return (
        (matrix[0][0], matrix[1][0], matrix[2][0]),
        (matrix[0][1], matrix[1][1], matrix[2][1]),
        (matrix[0][2], matrix[1][2], matrix[2][2]),
    )


def matmul(a: Matrix3, b: Matrix3) -> Matrix3:
    """A B."""
    if b == IDENTITY:
        return a
    columns = transpose(b)
    return transpose((rotate(a, columns[0]), rotate(a, columns[1]), rotate(a, columns[2])))


def rotate_inertia(matrix: Matrix3, inertia: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """R I R^T of (ixx, iyy, izz, ixy, ixz, iyz); exact for axis permutations."""
    if matrix == IDENTITY:
        return inertia
    xx, yy, zz, xy, xz, yz = inertia
    full: Matrix3 = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    turned = matmul(matmul(matrix, full), transpose(matrix))
    return (turned[0][0], turned[1][1], turned[2][2], turned[0][1], turned[0][2], turned[1][2])


def _sine_cosine(angle: Scalar) -> tuple[Scalar, Scalar]:
    if isinstance(angle, sympy.Basic):
        return _whole(sympy.sin(angle)), _whole(sympy.cos(angle))
    if angle == 0:
        return 0, 1
    return math.sin(angle), math.cos(angle)


def _whole(value: Any) -> Scalar:
    return int(value) if isinstance(value, sympy.Integer) else value


def from_axis_angle(axis: Vector3, angle: Scalar) -> Matrix3:
    """Rotation by `angle` (rad) about the unit vector `axis`: R = c 1 + s [n]x + (1 - c) n n^T."""
    if angle == 0:
        return IDENTITY
    s, c = _sine_cosine(angle)
    x, y, z = axis
    one_c: Scalar = 1 - c

    def entry(n: Scalar, m: Scalar, diagonal: Scalar, skew: Scalar) -> Scalar:
        return _sum(_product(one_c, _product(n, m)), diagonal, _product(s, skew))

    if sum(is_zero(component) for component in axis) == 2:  # a coordinate axis: no (1 - c) + c
        d = tuple(c if is_zero(component) else 1 for component in axis)
        return (
            (d[0], _product(s, -z), _product(s, y)),
            (_product(s, z), d[1], _product(s, -x)),
            (_product(s, -y), _product(s, x), d[2]),
        )
    return (
        (entry(x, x, c, 0), entry(x, y, 0, -z), entry(x, z, 0, y)),
        (entry(x, y, 0, z), entry(y, y, c, 0), entry(y, z, 0, -x)),
        (entry(x, z, 0, -y), entry(y, z, 0, x), entry(z, z, c, 0)),
    )


def from_rpy(rpy: Vector3) -> Matrix3:
    """Roll, pitch, yaw about fixed axes, as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    roll, pitch, yaw = rpy
    about_z = from_axis_angle((0, 0, 1), yaw)
    about_y = from_axis_angle((0, 1, 0), pitch)
    return matmul(matmul(about_z, about_y), from_axis_angle((1, 0, 0), roll))


def from_quaternion(quaternion: tuple[Scalar, ...]) -> Matrix3:
    """Rotation of the quaternion (w, x, y, z), normalized here; it must not be zero."""
    w, x, y, z = quaternion
    square = _sum(*(_product(e, e) for e in quaternion))
    if isinstance(square, float) and abs(square - 1.0) < 4e-16:
        square = 1

    def over(value: Scalar) -> Scalar:
        if is_zero(value):
            return 0
        if isinstance(value, int) and isinstance(square, int):
            return _whole(sympy.Rational(value, square))
        return value if isinstance(square, int) and square == 1 else value / square

    def twice(a: Scalar, b: Scalar, c: Scalar, d: Scalar) -> Scalar:
        return over(_product(2, _sum(_product(a, b), _product(c, d))))

    def diagonal(a: Scalar, b: Scalar, c: Scalar, d: Scalar) -> Scalar:
        return over(_sum(_product(a, a), _product(b, b), -_product(c, c), -_product(d, d)))

    return (
        (diagonal(w, x, y, z), twice(x, y, -w, z), twice(x, z, w, y)),
        (twice(x, y, w, z), diagonal(w, y, x, z), twice(y, z, -w, x)),
        (twice(x, z, -w, y), twice(y, z, w, x), diagonal(w, z, x, y)),
    )


def snapped(matrix: Matrix3, tolerance: float = ROUNDING) -> Matrix3:
    """Doubles within `tolerance` of 0 become 0; an entry then alone in row and column becomes +-1.

    >>> snapped(((6e-17, -1.0, 0), (1.0, 6e-17, 0), (0, 0, 1)))
    ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    """
    if {type(entry) for row in matrix for entry in row} == {int}:
        return matrix
    rows: list[list[Scalar]] = [
        [float(entry) if isinstance(entry, sympy.Float) else entry for entry in row]
        for row in matrix
    ]
    rows = [
        [0 if isinstance(entry, float) and abs(entry) <= tolerance else entry for entry in row]
        for row in rows
    ]
    for i in range(3):
        for j in range(3):
            entry = rows[i][j]
            if not isinstance(entry, float) or abs(abs(entry) - 1.0) > tolerance:
                continue
            others = [rows[i][k] for k in range(3) if k != j]
            others += [rows[k][j] for k in range(3) if k != i]
            if all(map(is_zero, others)):
                rows[i][j] = 1 if entry > 0 else -1
    first, second, third = ((a, b, c) for a, b, c in rows)
    return (first, second, third)
