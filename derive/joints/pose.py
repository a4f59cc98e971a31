"""Pose, motion subspace and neutral position of a joint at given coordinates, from its motions.

Steps are evaluated on a graph of their own, where numbers fold and parameters stay symbols.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from eomc.derive.fields.parameter import Parameter
from eomc.derive.geometry import LinkPose, Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression, Graph
from eomc.derive.graph.sympy_writer import to_sympy
from eomc.derive.joints.joint import Joint
from eomc.derive.joints.steps import Fixed, Step
from eomc.derive.language.scalar import Scalar, scalar, symbols_of
from eomc.derive.motions.motion import Motion
from eomc.derive.placement.placement import Placement
from eomc.derive.placement.rotation import IDENTITY, Matrix3, snapped
from eomc.derive.tree.scalars import Scalars

__all__ = ["motions", "neutral", "pose", "pose_and_subspace", "rates"]


def pose(joint: Joint, q: Sequence[Scalar]) -> Placement:
    """Placement of the child-side joint frame in the parent-side one; quaternions are put to unit
    length."""
    return pose_and_subspace(joint, q)[0]


def pose_and_subspace(
    joint: Joint, q: Sequence[Scalar]
) -> tuple[Placement, list[tuple[Scalar, ...]]]:
    """The pose, and the twists (v, omega) of the child-side joint frame in its own axes, one a
    unit speed."""
    scalars = _scalars(joint, q)
    zero = scalars(0)
    rotation, origin = Rotation(), Vector(zero, zero, zero)
    columns: list[SpatialMotion] = []
    ahead = [scalars(entry) for entry in q]
    for step in joint.declaration.steps(joint, scalars):
        turned, moved, own = _one(step, ahead)
        at = LinkPose(turned, moved)
        columns = [at.to_child(column) for column in columns] + own
        origin = origin + rotation.to_parent(moved)
        rotation = rotation @ turned
    x, y, z = (tuple(map(_scalar, row)) for row in rotation.matrix(zero).rows)
    twists = [tuple(map(_scalar, column.entries)) for column in columns]
    return _placement([*map(_scalar, origin)], snapped((x, y, z))), twists  # type: ignore[arg-type]


def rates(joint: Joint, q: Sequence[Scalar]) -> list[tuple[Scalar, ...]]:
    """The rates q' of all coordinates, one tuple a unit speed."""
    scalars = _scalars(joint, q)
    ahead, columns, before = [scalars(entry) for entry in q], [], 0
    for step in joint.declaration.steps(joint, scalars):
        if isinstance(step, Fixed):
            continue
        own, ahead = ahead[: step.coordinates], ahead[step.coordinates :]
        for k in range(step.speeds):
            moved = step.rates(own, [scalars(int(k == i)) for i in range(step.speeds)])
            found = [_scalar(rate) for rate in moved]
            columns.append((*(0,) * before, *found, *(0,) * len(ahead)))
        before += step.coordinates
    return columns


def neutral(joint: Joint) -> tuple[Scalar, ...]:
    """Coordinates of the neutral position: zeros, the identity quaternion, or what the motions
    say."""
    kind = joint.declaration
    if kind.rides:
        return (0,) * len(kind.coordinates)
    values = [x for motion in motions(joint) for x in motion.neutral()]
    return tuple(int(x) if x.is_integer() else x for x in values)


def motions(joint: Joint) -> list[Motion]:
    """The elementary motions of a joint, without the constant placements between them."""
    steps = joint.declaration.steps(joint, _scalars(joint, ()))
    return [step for step in steps if not isinstance(step, Fixed)]


def _scalars(joint: Joint, q: Sequence[Scalar]) -> Scalars:
    names = symbols_of(*_leaves((joint.axis, joint.axis_2, joint.pitch, joint.own, *q)))
    return Scalars(Graph(), {name: Parameter(name, 0) for name in names}, names)


def _leaves(value: Any) -> Iterator[Any]:
    if not isinstance(value, tuple):
        yield value
        return
    for entry in value:
        yield from _leaves(entry)


def _one(step: Step, ahead: list[Expression]) -> tuple[Rotation, Vector, list[SpatialMotion]]:
    """Pose and subspace of one step, which takes its coordinates from the front of `ahead`."""
    if isinstance(step, Fixed):
        return Rotation([step.rotation]), step.origin, []
    q = step.normalize(ahead[: step.coordinates])
    del ahead[: step.coordinates]
    return *step.pose(q), step.subspace(q)


def _scalar(entry: Expression) -> Scalar:
    """A number as it is, an expression as one of SymPy."""
    if entry.is_constant:
        value = entry.graph.value[entry.node]
        if isinstance(value, int | float):
            return value
        if isinstance(value, Fraction) and float(value) == value:  # the double that was given
            return float(value)
    return scalar(to_sympy(entry.graph, entry.node))


def _placement(xyz: list[Scalar], matrix: Matrix3) -> Placement:
    x, y, z = xyz
    return Placement((x, y, z), rotation=None if matrix == IDENTITY else matrix)
