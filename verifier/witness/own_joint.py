"""A joint of a kind that the witness has no formulas for, by its pose and its rates alone.

The pose is differentiated here, by SymPy or by differences, so that subspace, drift and all
recursions are judged by it, and speeds that are no rates enter by q' = E(q) u; what pose and E
should be, the author of the kind knows. The pose of strings that unwind is stated here once more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from eomc.derive.joints.pose import neutral, pose, rates
from eomc.derive.model import Model
from eomc.verifier.witness.deformation import place
from eomc.verifier.witness.joint_motion import KINDS, STRINGS, in_plane
from eomc.verifier.witness.section_chain import Substitution

__all__ = ["has_own_pose", "neutral", "speed_rates", "station_pose"]


def has_own_pose(joint: Any) -> bool:
    """True for a joint of a kind unknown here."""
    return joint.kind not in KINDS


def speed_rates(joint: Any, symbols: Any, parameters: Substitution) -> Any | None:
    """E(q) (coordinates, speeds) nested; None for speeds that are rates of the coordinates."""
    if joint.declaration.rides or joint.declaration.rates:
        return None
    columns = rates(joint, symbols)
    rows = [[sympy.sympify(entry).xreplace(parameters) for entry in row] for row in columns]
    return [list(row) for row in zip(*rows, strict=True)]


def station_pose(model: Model, joint: Any, parameters: Substitution) -> tuple[Any, Any, Any]:
    """(names, symbols, 4x4 matrix) of a place on a deformable parent, or of a joint's pose."""
    if joint.declaration.rides:
        return place(model, joint, parameters)
    symbols = sympy.symbols(f"joint_q_0:{len(joint.coordinates)}")
    if joint.kind in STRINGS:
        return list(joint.coordinates), list(symbols), _string_end(joint, symbols, parameters)
    placed = pose(joint, symbols)
    matrix = sympy.eye(4)
    matrix[:3, :3] = sympy.Matrix(placed.matrix)
    matrix[:3, 3] = sympy.Matrix(placed.xyz)
    return list(joint.coordinates), list(symbols), matrix.xreplace(parameters)


def _string_end(joint: Any, q: Any, parameters: Substitution) -> Any:
    """C X C^T: the string leaves the circle at the angle phi + 90 degrees, along its tangent.

    X turns by phi; its origin is r (-sin, cos) + l (cos, sin), in the plane across the axis.
    """
    axis = [float(sympy.sympify(entry).xreplace(parameters)) for entry in joint.axis]
    first, second = in_plane(np.array(axis))
    c = sympy.eye(4)
    c[:3, :3] = sympy.Matrix(np.array([first, second, axis]).T)
    radius = sympy.sympify(joint.argument("radius")).xreplace(parameters)
    cosine, sine, length = sympy.cos(q[0]), sympy.sin(q[0]), STRINGS[joint.kind](radius, q)
    origin = length * cosine - radius * sine, length * sine + radius * cosine
    x = sympy.Matrix(
        [[cosine, -sine, 0, origin[0]], [sine, cosine, 0, origin[1]], [0, 0, 1, 0], [0, 0, 0, 1]]
    )
    return c * x * c.T
