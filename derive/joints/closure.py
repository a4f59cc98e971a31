"""Constraints that a joint holds where it closes a loop, written between its two frames.

In the parent-side joint frame, r is the origin of the child-side frame and R its axes. With the
unit axis n of the joint and t1, t2 normal to it, kinds hold some of

    same_point   r = 0                   on_axis    t1.r = t2.r = 0
    same_axes    turn(R) = 0             same_axis  tilt(R n) = 0

    turn(R) = 4 axial(R) / (1 + tr R) = 2 tan(theta/2) e,
    tilt(m) = 2 (t1.m, t2.m) / (1 + n.m),

with axial(R) half the vector of the skew part, e and theta axis and angle of R. Both are angles to
first order, and grow without bound towards half a turn: the skew part alone, or t1.m and t2.m
alone, vanish there too, and Newton's steps would close the joint the wrong way round. Reference:
Nikravesh, *Computer-Aided Analysis of Mechanical Systems*, ch. 7; where they are closed these rows
have the Jacobians of Trom (1990), table 2.6, with the rotation lock of its table 2.4 corrected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from eomc.derive.geometry import MatrixRotation, Vector
from eomc.derive.graph import Expression
from eomc.derive.joints.joint import Joint
from eomc.derive.placement.directions import normal_directions
from eomc.derive.tree.scalars import Scalars

__all__ = ["Closure", "Hold", "on_axis", "same_axes", "same_axis", "same_point", "turn"]

Hold = tuple[str, Expression]
"""Label of the force or torque that holds, and the residual that is to be zero."""


@dataclass(frozen=True)
class Closure:
    """The child-side frame of a joint in its parent-side frame: origin r, axes R."""

    joint: Joint
    scalars: Scalars
    r: Vector
    turned: MatrixRotation

    @property
    def axis(self) -> Vector:
        """n"""
        return self.scalars.vector(self.joint.direction)

    @property
    def normals(self) -> tuple[Vector, Vector]:
        """t1, t2"""
        first, second = normal_directions(self.joint.direction)
        return self.scalars.vector(first), self.scalars.vector(second)


def same_point(at: Closure) -> Iterator[Hold]:
    """r = 0"""
    for label, entry in zip(("x", "y", "z"), at.r, strict=True):
        yield f"force_{label}", entry


def on_axis(at: Closure) -> Iterator[Hold]:
    """t1.r = t2.r = 0"""
    for label, t in zip(("1", "2"), at.normals, strict=True):
        yield f"force_{label}", t.dot(at.r)


def same_axes(at: Closure) -> Iterator[Hold]:
    """turn(R) = 0"""
    for label, entry in zip(("x", "y", "z"), turn(at.turned), strict=True):
        yield f"torque_{label}", entry


def turn(rotation: MatrixRotation) -> Vector:
    """2 tan(theta/2) e"""
    x, y, z = rotation.rows
    scale = 2 / (1 + x.x + y.y + z.z)
    return Vector((z.y - y.z) * scale, (x.z - z.x) * scale, (y.x - x.y) * scale)


def same_axis(at: Closure) -> Iterator[Hold]:
    """tilt(R n) = 0"""
    n = at.axis
    m = at.turned.to_parent(n)
    scale = 2 / (1 + n.dot(m))
    for label, t in zip(("1", "2"), at.normals, strict=True):
        yield f"torque_{label}", t.dot(m) * scale
