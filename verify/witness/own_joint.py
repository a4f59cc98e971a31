"""A joint of a kind that the witness has no formulas for, by its pose and its rates alone.

The pose is differentiated here, by SymPy or by differences, so that subspace, drift and all
recursions are judged by it, and speeds that are no rates enter by q' = E(q) u; what pose and E
should be, the author of the kind knows.
"""

from __future__ import annotations

from typing import Any

import sympy

from eomc.derive.joints.pose import neutral, pose, rates
from eomc.derive.model import Model
from eomc.verify.witness.deformation import Substitution, place
from eomc.verify.witness.joint_motion import KINDS

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
    placed = pose(joint, symbols)
    matrix = sympy.eye(4)
    matrix[:3, :3] = sympy.Matrix(placed.matrix)
    matrix[:3, 3] = sympy.Matrix(placed.xyz)
    return list(joint.coordinates), list(symbols), matrix.xreplace(parameters)
