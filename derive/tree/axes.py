"""Link axes in which the constant rotations cost the fewest operations.

The axes of a link may turn about the axis of its own turn without any change of the motion. So a
general constant rotation R = R_z(gamma) R_x(alpha) R_z(theta) loses theta to the axes of the link,
and gamma to those of the parent, if the parent turns about its z axis too: what remains is the
twist alpha of Denavit and Hartenberg (Khalil and Dombre, *Modeling, Identification and Control of
Robots*, sec. 3.2), a plane rotation. Across a slide the axes of link and parent become parallel.
Rotations that are plane or cheaper already stay as they are; only placements by numbers are
touched.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from eomc.derive.geometry import MatrixRotation, PlaneRotation, Rotation
from eomc.derive.graph import Expression
from eomc.derive.motions.about_axis import Slide, Turn
from eomc.derive.tree.draft import Draft, LinkFrame, product
from eomc.derive.tree.link import WORLD, LinkCoordinate

Matrix = NDArray[np.float64]

# A rotation about a coordinate axis has four entries that are neither 0 nor 1.
PLANE_ENTRIES = 4


def canonical_axes(drafts: Sequence[Draft], frames: Mapping[str, LinkFrame]) -> None:
    """Turn the axes of the links in place, base to tip; `frames` stay where they are in space."""
    for index, draft in enumerate(drafts):
        if not draft.is_placed_by_numbers or not draft.inertia.is_constant:
            continue
        if isinstance(draft.motion, Slide) and not is_identity(draft.rotation):
            turn = draft.rotation
            draft.rotation = product(turn, transposed(turn))
            draft.motion = Slide(turn.to_parent(draft.motion.axis))
            _turn_axes(index, drafts, frames, turn)
        elif isinstance(draft.motion, Turn) and not _is_cheap(draft.rotation):
            gamma, alpha, theta = _angles(_numbers(draft.rotation))
            zero = draft.offset.x * 0
            _turn_axes(index, drafts, frames, _about_z(zero, theta))
            if _turns_by_numbers(draft.parent, drafts):
                parent = drafts[draft.parent]
                draft.rotation = _about_x(zero, alpha)
                _turn_others(draft, drafts, frames, _about_z(zero, -gamma))
                parent.coordinates = (_advanced(parent, gamma),)
            else:
                draft.rotation = product(_about_z(zero, gamma), _about_x(zero, alpha))


def factors(rotation: MatrixRotation) -> Rotation:
    """A constant rotation as cheaply applied: itself, or R_z(gamma) R_x(alpha) R_z(theta)."""
    numeric = all(row.is_constant for row in rotation.rows)
    if not numeric or _is_cheap(rotation):
        return Rotation([rotation])
    zero = rotation.rows[0].x * 0
    turns = []
    for angle, axis in zip(_angles(_numbers(rotation)), (2, 0, 2), strict=True):
        if abs(angle) > np.finfo(float).eps:
            turns.append(PlaneRotation(zero + math.cos(angle), zero + math.sin(angle), axis))
    return Rotation(turns)


def transposed(rotation: MatrixRotation) -> MatrixRotation:
    """The inverse rotation."""
    return MatrixRotation(rotation.columns)


def is_identity(rotation: MatrixRotation) -> bool:
    """True if all entries are exactly those of the identity."""
    return all(
        entry == int(i == j) for i, row in enumerate(rotation.rows) for j, entry in enumerate(row)
    )


def _is_cheap(rotation: MatrixRotation) -> bool:
    entries = [entry for row in rotation.rows for entry in row]
    return sum(entry not in (0, 1, -1) for entry in entries) <= PLANE_ENTRIES


def _numbers(rotation: MatrixRotation) -> Matrix:
    graph = rotation.rows[0].x.graph
    return np.array(
        [[float(graph.number(entry.node) or 0) for entry in row] for row in rotation.rows]
    )


def _angles(matrix: Matrix) -> tuple[float, float, float]:
    """(gamma, alpha, theta) with R = R_z(gamma) R_x(alpha) R_z(theta)."""
    sine = math.hypot(matrix[0, 2], matrix[1, 2])
    alpha = math.atan2(sine, matrix[2, 2])
    gamma = math.atan2(matrix[0, 2], -matrix[1, 2]) if sine > 0 else 0.0
    # Row x of R_z(gamma)^T R is (cos(theta), -sin(theta), 0), whatever the size of alpha.
    c, s = math.cos(gamma), math.sin(gamma)
    first = c * matrix[0] + s * matrix[1]
    return gamma, alpha, math.atan2(-first[1], first[0])


def _about_z(zero: Expression, angle: float) -> MatrixRotation:
    return Rotation([PlaneRotation(zero + math.cos(angle), zero + math.sin(angle))]).matrix(zero)


def _about_x(zero: Expression, angle: float) -> MatrixRotation:
    plane = PlaneRotation(zero + math.cos(angle), zero + math.sin(angle), axis=0)
    return Rotation([plane]).matrix(zero)


def _turns_by_numbers(parent: int, drafts: Sequence[Draft]) -> bool:
    if parent == WORLD:
        return False
    draft = drafts[parent]
    constant = draft.is_placed_by_numbers and draft.inertia.is_constant
    return constant and isinstance(draft.motion, Turn)


def _advanced(draft: Draft, angle: float) -> LinkCoordinate:
    """The coordinate of a turn whose link axes are turned further by `angle`."""
    (coordinate,) = draft.coordinates
    zero = draft.offset.x * 0
    offset = zero + angle if coordinate.offset is None else coordinate.offset + angle
    return replace(coordinate, offset=offset)


def _turn_axes(
    index: int, drafts: Sequence[Draft], frames: Mapping[str, LinkFrame], turn: MatrixRotation
) -> None:
    """Express everything fixed in link `index` in axes from which the old ones are turned."""
    draft = drafts[index]
    draft.inertia = draft.inertia.rotated(Rotation([turn]))
    carried: Iterable[Draft | LinkFrame] = [
        *(child for child in drafts if child.parent == index),
        *(frame for frame in frames.values() if frame.link == index),
    ]
    for item in carried:
        item.rotation = product(turn, item.rotation)
        if isinstance(item, LinkFrame):
            item.origin = turn.to_parent(item.origin)
        else:
            item.offset = turn.to_parent(item.offset)


def _turn_others(
    child: Draft, drafts: Sequence[Draft], frames: Mapping[str, LinkFrame], turn: MatrixRotation
) -> None:
    """Turn the axes of the parent of `child`, whose own rotation is right already."""
    kept = child.rotation
    _turn_axes(child.parent, drafts, frames, turn)
    child.rotation = kept
