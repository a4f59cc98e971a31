"""Derivatives of a frame's velocity by the state: output matrices of linearized models."""

from __future__ import annotations

from eomc.derive.functions.derivatives import swept_columns
from eomc.derive.functions.frames import function_name
from eomc.derive.functions.registry import SIX, Kind, matrix
from eomc.derive.graph import Argument
from eomc.derive.system import System

QUESTION = "velocity_derivatives"


def frame_derivative_kind(frame: str) -> Kind:
    """The function ``frame_<name>_velocity_derivatives``."""
    return Kind(
        function_name(frame, QUESTION),
        ("q", "u"),
        f"Derivatives of the velocity of frame {frame!r}; columns by q are tangent directions.",
        lambda system: _velocity_derivatives(system, frame),
    )


def _velocity_derivatives(system: System, frame: str) -> list[Argument]:
    """(dv/dq, dv/du), each (6, nu), of (linear, angular) velocity in world axes."""
    values = system.frame(frame).velocity(system.tree, system.world, system.twist).entries
    one = (system.tree.zero + 1).node
    outputs = []
    for name, directions in (
        ("dv_dq", system.directions()),
        ("dv_du", [{u.node: one} for u in system.u]),
    ):
        columns = swept_columns(system, values, directions)
        rows = [[column[i] for column in columns] for i in range(len(values))]
        outputs.append(matrix(name, rows, len(columns), f"d velocity / d {name[-1]}", "", SIX))
    return outputs
