"""Kinematics of frames and bodies, and derivatives of frame velocities by the state."""

from __future__ import annotations

import re

from eomc.derive.functions.derivatives import swept_columns
from eomc.derive.functions.registry import SIX, Kind, function, matrix, six
from eomc.derive.graph import Argument, forward_derivative
from eomc.derive.picture.picture import body_points, pose_rows
from eomc.derive.system import System

QUESTIONS = {
    "pose": (("q",), "Homogeneous 4x4 pose of {} in the world."),
    "velocity": (("q", "u"), "Velocity of {}: of its origin, and angular, world axes."),
    "acceleration": (
        ("q", "u", "a"),
        "Acceleration of {}: of its origin, and angular, world axes.",
    ),
    "jacobian": (
        ("q",),
        "Jacobian of {}: (velocity of its origin, angular velocity) = J u, world axes.",
    ),
    "jacobian_rate": (("q", "u"), "Time derivative of the Jacobian of {}."),
}


"""Questions that a frame answers: the inputs that each takes, and its description."""


def identifier(frame: str) -> str:
    """The frame's name as part of a C identifier."""
    return re.sub(r"\W", "_", frame, flags=re.ASCII)


def function_name(frame: str, question: str) -> str:
    """Name of the function that answers `question` about `frame`."""
    return f"frame_{identifier(frame)}_{question}"


def frame_kinds(frame: str) -> list[Kind]:
    """All functions of one frame."""
    makers = {
        "pose": _pose,
        "velocity": _velocity,
        "acceleration": _acceleration,
        "jacobian": _jacobian,
        "jacobian_rate": _jacobian_rate,
    }
    kinds = []
    for question, (inputs, sentence) in QUESTIONS.items():
        make = makers[question]
        kinds.append(
            Kind(
                function_name(frame, question),
                inputs,
                sentence.format(f"frame {frame!r}"),
                lambda system, make=make: make(system, frame),  # type: ignore[misc]
            )
        )
    return kinds


def _pose(system: System, frame: str) -> list[Argument]:
    rows = system.frame(frame).pose(system.tree, system.world)
    return [matrix("pose", rows, 4, "homogeneous pose", "1 and m")]


def _velocity(system: System, frame: str) -> list[Argument]:
    v = system.frame(frame).velocity(system.tree, system.world, system.twist)
    return [six("velocity", v, "(linear, angular) velocity", "m/s, rad/s")]


def _acceleration(system: System, frame: str) -> list[Argument]:
    a = system.frame(frame).acceleration(system.tree, system.world, system.motion)
    return [six("acceleration", a, "(linear, angular) acceleration", "m/s^2, rad/s^2")]


def _jacobian_rows(system: System, frame: str) -> Argument:
    columns = system.frame(frame).jacobian(system.tree, system.pose, system.world)
    stacked = [column.entries for column in columns]
    rows = [[entry[i] for entry in stacked] for i in range(6)]
    names = ("vx", "vy", "vz", "wx", "wy", "wz")
    return matrix("J", rows, len(columns), "(linear, angular) Jacobian", "m or 1", names)


def _jacobian(system: System, frame: str) -> list[Argument]:
    return [_jacobian_rows(system, frame)]


def _jacobian_rate(system: System, frame: str) -> list[Argument]:
    jacobian = _jacobian_rows(system, frame)
    direction = dict(system.configuration_rates)
    direction |= {s.node: rate.node for s, rate in zip(system.s, system.s_rate, strict=True)}
    rates = forward_derivative(system.graph, jacobian.entries, direction)
    return [Argument("J_rate", jacobian.shape, tuple(rates), "dJ/dt", "m/s, 1/s", jacobian.rows)]


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


@function(
    "poses",
    ("q",),
    "Poses of all bodies and frames: the first three rows of each, one after the other.",
    needs=("bodies",),
)
def poses(system: System) -> list[Argument]:
    """(R, r) in the world, in the order that the picture of the model tells."""
    model, known = system.model, system.tree.pose_of
    rows = [
        row
        for name in pose_rows(model)
        # What was declared after the derivation is not in it.
        if (model.frames[name].body if name in model.frames else name) in known
        for row in system.frame(name).pose(system.tree, system.world)[:3]
    ]
    return [matrix("poses", rows, 4, "rows of (R, r)", "1 and m")]


@function(
    "body_lines",
    ("q",),
    "Points of the lines that pictures show of deformable bodies, one after the other.",
    needs=("body lines",),
)
def body_lines(system: System) -> list[Argument]:
    """Along their outlines or stations, in the order that the picture of the model tells."""
    scene, rows = system.scene, []
    for name, places in body_points(system.model).items():
        expanded = system.model.deformables[name].is_expanded
        for place in places:
            point = scene.point(name, place).position if expanded else scene.along(name, place)
            rows.append([*point])
    return [matrix("points", rows, 3, "points in the world", "m")]
