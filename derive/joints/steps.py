"""Joint kinds as sequences of constant placements and elementary motions.

A joint kind answers with the steps from the joint frame on the parent to the joint frame on the
child; the pieces that kinds share stand here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.derive.geometry import MatrixRotation, Vector, unit
from eomc.derive.motions.about_axis import Slide, Turn, TurnAbout
from eomc.derive.motions.motion import Motion
from eomc.derive.placement.directions import normal_directions

if TYPE_CHECKING:
    from eomc.derive.language.scalar import Vector3
    from eomc.derive.tree.scalars import Scalars


@dataclass(frozen=True)
class Fixed:
    """A constant placement: rotation and origin of the next frame in the present one."""

    rotation: MatrixRotation
    origin: Vector


Step = Fixed | Motion


def turn_about(axis: Vector) -> list[Step]:
    """A turn about a unit vector of the present frame."""
    if not axis.is_constant:
        return [TurnAbout(axis)]
    return _between(_aligned(axis), Turn())


def euler_turns(sequence: str | None, scalars: Scalars) -> list[Step]:
    """Successive turns about the axes named by the letters, each in the frame already turned."""
    axes = [unit(scalars(0), "xyz".index(letter)) for letter in sequence or ""]
    return [step for axis in axes for step in turn_about(axis)]


def slides_along_axes(scalars: Scalars) -> list[Step]:
    """Slides along x, y and z."""
    return [Slide(unit(scalars(0), axis)) for axis in range(3)]


def along_z(direction: Vector3, motion: Motion, scalars: Scalars) -> list[Step]:
    """A motion about the z axis, made one about `direction`: C, motion, C^T."""
    axis = scalars.vector(direction)
    if axis.is_constant:
        return _between(_aligned(axis), motion)
    first, second = (scalars.vector(normal) for normal in normal_directions(direction))
    return _between(MatrixRotation(MatrixRotation((first, second, axis)).columns), motion)


def _between(c: MatrixRotation, motion: Motion) -> list[Step]:
    zero = c.rows[0].x * 0
    still = Vector(zero, zero, zero)
    return [Fixed(c, still), motion, Fixed(MatrixRotation(c.columns), still)]


def _aligned(axis: Vector) -> MatrixRotation:
    """A constant rotation C whose z axis is `axis`; a signed permutation for a coordinate axis.

    Its x axis is the coordinate axis that follows the largest component cyclically, made normal.
    """
    g = axis.x.graph
    a = [float(g.value[e.node]) for e in axis]  # type: ignore[arg-type]
    largest = max(range(3), key=lambda i: abs(a[i]))
    following = (largest + 1) % 3
    x = [(1.0 if i == following else 0.0) - a[following] * a[i] for i in range(3)]
    length = sum([e * e for e in x]) ** 0.5
    x = [e / length for e in x]
    y = [a[1] * x[2] - a[2] * x[1], a[2] * x[0] - a[0] * x[2], a[0] * x[1] - a[1] * x[0]]
    zero = axis.x * 0
    first, second = (Vector(*(zero + e for e in column)) for column in (x, y))
    return MatrixRotation(MatrixRotation((first, second, axis)).columns)
