"""Unit vectors of a declaration: axes, and directions normal to them."""

from __future__ import annotations

import math

import sympy

from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Vector3, is_zero, scalar
from eomc.derive.placement.rotation import cross


def unit_vector(vector: Vector3, what: str) -> Vector3:
    """`vector` divided by its length; coordinate axes become exact, unit vectors stay as they are.

    >>> unit_vector((0, 0, -2.0), "axis")
    (0, 0, -1)

    Raises `ModelError` if the length is zero.
    """
    nonzero = [i for i, entry in enumerate(vector) if not is_zero(entry)]
    if not nonzero:
        raise ModelError(f"{what} has zero length; give a nonzero 3-vector")
    numeric = all(isinstance(entry, int | float) for entry in vector)
    if numeric and len(nonzero) == 1:
        sign = 1 if vector[nonzero[0]] > 0 else -1
        x, y, z = (sign if i in nonzero else 0 for i in range(3))
        return (x, y, z)
    if numeric:
        return _unit_numbers(vector)
    return _unit_expressions(vector, what)


def _unit_numbers(vector: Vector3) -> Vector3:
    number = [float(entry) for entry in vector]
    largest = max(abs(entry) for entry in number)
    number = [entry / largest for entry in number]
    norm = math.sqrt(math.fsum(entry * entry for entry in number))
    if abs(largest * norm - 1.0) <= 1e-15:  # a unit vector already, to rounding: keep its digits
        return vector
    x, y, z = (0 if is_zero(entry) else entry / norm for entry in number)
    return (x, y, z)


def _unit_expressions(vector: Vector3, what: str) -> Vector3:
    square = sympy.Add(*(entry**2 for entry in map(sympy.sympify, vector)))
    if square.count_ops() > 100:
        raise ModelError(f"{what} is too long an expression to normalize; give shorter components")
    if sympy.trigsimp(sympy.cancel(square)) == 1:
        return vector
    if square == 0:
        raise ModelError(f"{what} has zero length; give a nonzero 3-vector")
    x, y, z = (0 if is_zero(entry) else scalar(entry / sympy.sqrt(square)) for entry in vector)
    return (x, y, z)


def normal_directions(axis: Vector3) -> tuple[Vector3, Vector3]:
    """Two unit vectors t1, t2 with t1 x t2 = axis: the x and y directions of a planar joint.

    For the coordinate axes they follow cyclically: z has x, y; x has y, z; y has z, x. Otherwise t1
    is the cyclically next coordinate axis after the largest component of `axis`, made normal to it.

    >>> normal_directions((0, 0, 1))
    ((1, 0, 0), (0, 1, 0))
    """
    sizes = [abs(float(entry)) if isinstance(entry, int | float) else 0.5 for entry in axis]
    if sum(is_zero(entry) for entry in axis) == 2:
        largest = next(i for i, entry in enumerate(axis) if not is_zero(entry))
    else:
        largest = max(range(3), key=lambda i: sizes[i])
    following = (largest + 1) % 3
    along = axis[following]
    rejected = tuple(
        (1 if i == following else 0) - (0 if is_zero(along) else along * entry)
        for i, entry in enumerate(axis)
    )
    x, y, z = rejected
    first = unit_vector((x, y, z), "direction normal to the axis")
    return first, cross(axis, first)
