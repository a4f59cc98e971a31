"""Constraints between bodies as linear functions of a pose.

X (4, 4) is the frame at point a, with the axes of its body, in that at point b of the other. Where
the constraint holds, some entries of it have fixed values:

    d.r = 0        the origin does not move along d,
    d.R e = 0      d of the one side stays normal to e of the other.

Each is one row: sum(row * X) = 0. Only the declaration is read. The constraints that are known here
are stated a second time on purpose: the check of rows takes each kind at its author's word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.joint_motion import homogeneous, in_plane
from eomc.verifier.witness.mechanism import RigidHold


def _slide(d: Array) -> Array:
    row = np.zeros((4, 4))
    row[:3, 3] = d
    return row


def _turn(d: Array, e: Array) -> Array:
    row = np.zeros((4, 4))
    row[:3, :3] = np.outer(d, e)
    return row


def _rows(element: Any, numbers: Any) -> list[Array] | None:
    def unit(word: str) -> Array:
        entries: Array = numbers.vector(getattr(element, word))
        return entries / np.float64(np.linalg.norm(entries))

    match element.kind:
        case "coincident":
            return [_slide(d) for d in np.eye(3)]
        case "point_on_line":
            return [_slide(d) for d in in_plane(unit("axis_b"))]
        case "parallel":
            return [_turn(d, unit("axis_a")) for d in in_plane(unit("axis_b"))]
        case "perpendicular":
            return [_turn(unit("axis_b"), unit("axis_a"))]
    return None


def constraint_hold(element: Any, reader: Any) -> RigidHold | None:
    """Rows held by a constraint, if of a kind known here; b is its parent side."""
    rows = _rows(element, reader.numbers)
    if rows is None:
        return None
    before = homogeneous(np.eye(3), reader.numbers.vector(element.b.xyz))
    after = homogeneous(np.eye(3), -reader.numbers.vector(element.a.xyz))
    parent, child = reader.places[element.b.body], reader.places[element.a.body]
    return RigidHold(element.name, parent, child, before, after, tuple(rows))
