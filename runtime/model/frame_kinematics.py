"""The kinematics of one frame of a compiled model."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

QUESTIONS = ("pose", "velocity", "acceleration", "jacobian", "jacobian_rate")
"""Quantities of a frame that can be asked for, each a compiled function."""


def function_names(frame: str) -> tuple[str, ...]:
    """Names of the five functions of a frame, in the order of `QUESTIONS`.

    >>> function_names("tool-tip")[0]
    'frame_tool_tip_pose'
    """
    return tuple(f"frame_{word_of(frame)}_{question}" for question in QUESTIONS)


def word_of(frame: str) -> str:
    """The name of a frame as it stands in names of functions."""
    return re.sub(r"\W", "_", frame, flags=re.ASCII)


class FrameKinematics:
    """Kinematics of the frame `name`; world axes, linear rows before angular ones.

    - ``pose(q)`` -> (..., 4, 4), homogeneous, [1, m]
    - ``velocity(q, u)`` -> (..., 6), of the frame's origin, and angular [m/s, rad/s]
    - ``acceleration(q, u, a)`` -> (..., 6) [m/s^2, rad/s^2]
    - ``jacobian(q)`` -> (..., 6, nu), velocity = J u
    - ``jacobian_rate(q, u)`` -> (..., 6, nu), acceleration = J a + J' u

    Each is the compiled function itself. Prescribed coordinates s, s_rate and s_acceleration are
    further arguments where the model has them.
    """

    pose: Callable[..., Any]
    velocity: Callable[..., Any]
    acceleration: Callable[..., Any]
    jacobian: Callable[..., Any]
    jacobian_rate: Callable[..., Any]

    def __init__(self, name: str, model: str, functions: dict[str, Callable[..., Any]]) -> None:
        self.name = name
        self._model = model
        self.__dict__.update(functions)

    def __repr__(self) -> str:
        return f"<frame {self.name!r} of {self._model}>"
