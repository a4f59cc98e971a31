"""Joint kinds as sequences of constant placements and elementary motions.

A joint kind answers with the steps from the joint frame on the parent to the joint frame on the
child. A new kind is one file that registers its steps here and its declaration with
`eomc.derive.model.register_joint_kind`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.derive.geometry import MatrixRotation, Vector
from eomc.derive.joints.motion import Motion
from eomc.derive.joints.screw import Screw
from eomc.derive.joints.turn import Turn
from eomc.derive.joints.turn_about import TurnAbout

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@dataclass(frozen=True)
class Fixed:
    """A constant placement: rotation and origin of the next frame in the present one."""

    rotation: MatrixRotation
    origin: Vector


Step = Fixed | Motion
Steps = Callable[["Joint", "Scalars"], list[Step]]

_KINDS: dict[str, Steps] = {}


def register(kind: str) -> Callable[[Steps], Steps]:
    """Decorator: the function gives the steps of joint kind `kind`."""

    def remember(function: Steps) -> Steps:
        _KINDS[kind] = function
        return function

    return remember


def steps(joint: Joint, scalars: Scalars) -> list[Step]:
    """Steps of `joint`, from the parent's joint frame to the child's."""
    return _KINDS[joint.kind](joint, scalars)


def aligned(axis: Vector) -> MatrixRotation:
    """A constant rotation C whose z axis is `axis`; a signed permutation for a coordinate axis.

    Its x axis is the coordinate axis that follows the largest component cyclically, made normal.
    """
    g = axis.x.graph
    a = [float(g.value[e.node]) for e in axis]  # type: ignore[arg-type]
    largest = max(range(3), key=lambda i: abs(a[i]))
    following = (largest + 1) % 3
    x = [(1.0 if i == following else 0.0) - a[following] * a[i] for i in range(3)]
    length = sum(e * e for e in x) ** 0.5
    x = [e / length for e in x]
    y = [a[1] * x[2] - a[2] * x[1], a[2] * x[0] - a[0] * x[2], a[0] * x[1] - a[1] * x[0]]
    zero = axis.x * 0
    first, second = (Vector(*(zero + e for e in column)) for column in (x, y))
    columns = MatrixRotation((first, second, axis))
    return MatrixRotation(columns.columns)


def turn_about(axis: Vector) -> list[Step]:
    """A turn about a unit vector of the present frame."""
    if not axis.is_constant:
        return [TurnAbout(axis)]
    return along_z(axis, Turn())


def screw_along(axis: Vector, pitch: object, scalars: Scalars) -> list[Step]:
    """A screw along a constant unit vector of the present frame; pitch in metres per radian."""
    return along_z(axis, Screw(scalars(pitch)))


def along_z(axis: Vector, motion: Motion) -> list[Step]:
    """A motion about the z axis, made one about `axis`: C, motion, C^T."""
    zero = axis.x * 0
    still = Vector(zero, zero, zero)
    c = aligned(axis)
    return [Fixed(c, still), motion, Fixed(MatrixRotation(c.columns), still)]
