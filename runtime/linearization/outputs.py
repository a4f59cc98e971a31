"""Outputs of a linearized model, and their derivatives by displacements and speeds.

coordinate, displacement(speed)     a displacement
speed(name)                         a generalized speed
acceleration(name)                  its time derivative
motor_effort                        a state of an element
tip.x, .y, .z                       place of a frame, world axes [m]
tip.rx, .ry, .rz                    small rotation of a frame, world axes [rad]
tip.vx, .vy, .vz, tip.wx, .wy, .wz  its velocity and angular velocity, world axes
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.model.frame_kinematics import function_names
from eomc.runtime.names.near_names import near_names

Row = tuple[Array, Array, Array]
"""Factors of all displacements, speeds and accelerations, (nu,) each."""

_PLACES = ("x", "y", "z", "rx", "ry", "rz")
_RATES = ("vx", "vy", "vz", "wx", "wy", "wz")


class Outputs:
    """Rows of output matrices of one model in one state."""

    def __init__(self, around: Surroundings, values: Mapping[str, Any]) -> None:
        self.around, self.values = around, values
        model = around.model
        self.speeds = model.speeds
        self.displacements = model.displacements
        self._frames: dict[str, tuple[Array, Array, Array]] = {}

    def row(self, name: str) -> Row:
        """Factors of the output `name`; ValueError with near names if there is none."""
        n = len(self.speeds)
        zero = np.zeros(n)
        for place, (displacement, speed) in enumerate(
            zip(self.displacements, self.speeds, strict=True)
        ):
            unit = np.zeros(n)
            unit[place] = 1.0
            if name == displacement:
                return unit, zero, zero
            if name == f"speed({speed})":
                return zero, unit, zero
            if name == f"acceleration({speed})":
                return zero, zero, unit
        frame, dot, part = name.rpartition(".")
        if dot and frame in self.around.model.frames:
            if part in _PLACES:
                jacobian, _, _ = self._frame(frame)
                return jacobian[_PLACES.index(part)], zero, zero
            if part in _RATES:
                _, by_q, by_u = self._frame(frame)
                k = _RATES.index(part)
                return by_q[k], by_u[k], zero
            raise ValueError(f"output {name!r}: {near_names(part, (*_PLACES, *_RATES))}")
        raise ValueError(f"no output {name!r}; {near_names(name, self._known())}")

    def _frame(self, frame: str) -> tuple[Array, Array, Array]:
        """(Jacobian, d velocity / d q, d velocity / d u), (6, nu) each."""
        if frame not in self._frames:
            pose = function_names(frame)[0]
            jacobian = pose.removesuffix("pose") + "jacobian"
            derivative = pose.removesuffix("pose") + "velocity_derivatives"
            by_q, by_u = self.around.call(derivative, self.values)
            rows = np.asarray(self.around.call(jacobian, self.values))
            self._frames[frame] = rows, np.asarray(by_q), np.asarray(by_u)
        return self._frames[frame]

    def _known(self) -> list[str]:
        named = [f"{what}({name})" for what in ("speed", "acceleration") for name in self.speeds]
        frames = [f"{frame}.x" for frame in self.around.model.frames]
        return [*self.displacements, *named, *frames, *self.around.model.element_states]
