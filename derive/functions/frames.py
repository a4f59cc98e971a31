"""Kinematics of declared frames and of body frames."""

from __future__ import annotations

import re

from eomc.derive.functions.registry import Kind, matrix, six
from eomc.derive.graph import Argument, forward_derivative
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
