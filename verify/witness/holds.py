"""Joints that close loops, and constraints between bodies, as linear functions of a pose.

X (4, 4) is the child-side frame in the parent-side frame, with the rotation R and the origin r.
Where a joint holds, some entries of it have fixed values:

    d.r = c        the origin does not move along d,
    d.R e = c      the angle between d of the one side and e of the other stays.

Each is one row: sum(row * X) = value. A screw has one more, n.r = pitch angle about n. Only the
declaration is read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.verify.witness.joint_motion import homogeneous, in_plane
from eomc.verify.witness.mechanism import Array, Hold

_AXES = np.eye(3)
Rows = list[tuple[Array, float]]


def _slides(*directions: Array) -> Rows:
    """d.r = 0"""
    rows = []
    for direction in directions:
        row = np.zeros((4, 4))
        row[:3, 3] = direction
        rows.append((row, 0.0))
    return rows


def _turns(*pairs: tuple[Array, Array]) -> Rows:
    """d.R e = d.e"""
    rows = []
    for d, e in pairs:
        row = np.zeros((4, 4))
        row[:3, :3] = np.outer(d, e)
        rows.append((row, float(d @ e)))
    return rows


def _aligned(n: Array) -> Rows:
    """R n = n"""
    return _turns(*((t, n) for t in in_plane(n)))


_LOCKED = _turns(*((_AXES[i], _AXES[k]) for i, k in ((0, 1), (0, 2), (1, 2))))


def _of_joint(kind: str, n: Array, n2: Array) -> Rows | None:
    point = _slides(*_AXES)
    on_axis = _slides(*in_plane(n))
    known = {
        "fixed": lambda: point + _LOCKED,
        "revolute": lambda: point + _aligned(n),
        "prismatic": lambda: on_axis + _LOCKED,
        "translational": lambda: list(_LOCKED),
        "screw": lambda: on_axis + _aligned(n),
        "cylindrical": lambda: on_axis + _aligned(n),
        "planar": lambda: _slides(n) + _aligned(n),
        "universal": lambda: point + _turns((n, n2)),
        "spherical": lambda: point,
    }
    return known[kind]() if kind in known else None


def joint_hold(joint: Any, reader: Any) -> Hold | None:
    """Rows held by a joint that closes a loop, if of a kind known here; `reader` turns data to
    numbers."""
    made = reader.closing(joint)
    n = _AXES[2] if made.axis is None else made.axis
    n2 = _AXES[1] if made.axis2 is None else made.axis2
    pitch = made.pitch if joint.kind == "screw" else None
    rows = _of_joint(joint.kind, n, n2)
    if rows is None:
        return None
    return Hold(joint.name, made.parent, made.child, made.before, made.after, tuple(rows), n, pitch)


def constraint_hold(element: Any, reader: Any) -> Hold | None:
    """Rows held by a constraint between two bodies, if of such a kind; b is its parent side."""
    numbers = reader.numbers
    if element.kind not in ("coincident", "point_on_line", "parallel", "perpendicular"):
        return None
    if element.kind == "coincident":
        rows = _slides(*_AXES)
    elif element.kind == "point_on_line":
        rows = _slides(*in_plane(_unit(element.axis_b, numbers)))
    else:
        first, second = _unit(element.axis_a, numbers), _unit(element.axis_b, numbers)
        across = in_plane(second) if element.kind == "parallel" else (second,)
        rows = [(row, 0.0) for row, _ in _turns(*((t, first) for t in across))]
    before = homogeneous(np.eye(3), numbers.vector(element.b.xyz))
    after = homogeneous(np.eye(3), -numbers.vector(element.a.xyz))
    parent, child = reader.places[element.b.body], reader.places[element.a.body]
    return Hold(element.name, parent, child, before, after, tuple(rows), _AXES[2], None)


def _unit(vector: Any, numbers: Any) -> Array:
    entries: Array = numbers.vector(vector)
    return entries / np.float64(np.linalg.norm(entries))
