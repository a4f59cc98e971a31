"""Euler angles of a frame as outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.task_space.frame import chosen, frame_functions
from eomc.runtime.control.task_space.output import (
    NUMERIC,
    Ask,
    OutputError,
    OutputReference,
    OutputState,
    See,
)
from eomc.runtime.difference import Operations
from eomc.runtime.model.compiled import CompiledModel

_ANGLES = ("alpha", "beta", "gamma")


@dataclass(frozen=True)
class EulerAngles:
    """y = delta = (alpha, beta, gamma) of R = Rot_z(gamma) Rot_y(beta) Rot_x(alpha), or some of
    them [rad].

    With the angular velocity omega = S delta' in the frame's own axes,

        omega_x = alpha' - sin(beta) gamma',
        omega_y = cos(alpha) beta' + sin(alpha) cos(beta) gamma',
        omega_z = -sin(alpha) beta' + cos(alpha) cos(beta) gamma',

        delta' = S^-1 omega,    delta'' = S^-1 (omega' - S' delta').

    Singular where beta is +-90 degrees. In the plane ``angles=("gamma",)`` is the angle of the
    frame; (beta, gamma) say where its x axis points: azimuth gamma, elevation -beta. Errors are
    taken within half a turn.

    Raises ValueError for other angles and UnknownFrameError for a frame that the model has not.
    """

    frame: str
    angles: tuple[str, ...] = _ANGLES

    def __post_init__(self) -> None:
        chosen(f"Euler angles of {self.frame!r}:", tuple(self.angles), _ANGLES)

    @property
    def size(self) -> int:
        """Number of angles."""
        return len(self.angles)

    def names(self, model: CompiledModel) -> tuple[str, ...]:
        """``<frame>_alpha`` and so on."""
        frame_functions(model, self.frame)
        return tuple(f"{self.frame}_{angle}" for angle in self.angles)

    def begin(self, model: CompiledModel) -> See:
        """As of `Output`."""
        known, rows = frame_functions(model, self.frame), chosen("", self.angles, _ANGLES)

        def seen(ask: Ask, at: Mapping[str, Any], by: Operations = NUMERIC, /) -> OutputState:
            R = ask(known["pose"])[:3, :3]
            # Body axes: R^T omega; its rate is R^T omega', as omega x omega = 0.
            omega = R.T @ ask(known["velocity"])[3:]
            turning = R.T @ ask(known["acceleration"])[3:]
            delta = euler_angles(R, by)
            S_inverse, S_rate = angle_rates(delta, omega, by)
            rate = S_inverse @ omega
            drift = S_inverse @ (turning - S_rate @ rate)
            jacobian = (S_inverse @ R.T) @ ask(known["jacobian"])[3:]
            return OutputState(delta[rows], rate[rows], jacobian[rows], drift[rows])

        return seen

    def deviation(
        self, seen: OutputState, wanted: OutputReference, by: Operations = NUMERIC
    ) -> OutputError:
        """e = delta_d - delta, each within (-pi, pi]."""
        over = np.pi - (wanted.y - seen.y)
        e = np.pi - over + 2 * np.pi * by.elementary("floor", over / (2 * np.pi))
        return OutputError(e, wanted.rate - seen.rate, wanted.acceleration)


def euler_angles(R: Array, by: Operations = NUMERIC) -> Array:
    """(alpha, beta, gamma) of R = Rot_z(gamma) Rot_y(beta) Rot_x(alpha).

    >>> euler_angles(np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))[2] / np.pi
    np.float64(0.5)
    """
    level = by.elementary("sqrt", R[2, 1] * R[2, 1] + R[2, 2] * R[2, 2])
    y = np.array([R[2, 1], -R[2, 0], R[1, 0]])
    return np.asarray(by.angle(y, np.array([R[2, 2], np.ravel(level)[0], R[0, 0]])))


def angle_rates(delta: Array, omega: Array, by: Operations) -> tuple[Array, Array]:
    """S^-1 and S' at the angles, turning with omega in body axes."""
    (ca, cb, _), (sa, sb, _) = by.elementary("cos", delta), by.elementary("sin", delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        S_inverse = np.array(
            [[1.0, sa * sb / cb, ca * sb / cb], [0.0, ca, -sa], [0.0, sa / cb, ca / cb]]
        )
    a, b, _ = S_inverse @ omega
    S_rate = np.array(
        [
            [0.0, 0.0, -cb * b],
            [0.0, -sa * a, ca * cb * a - sa * sb * b],
            [0.0, -ca * a, -sa * cb * a - ca * sb * b],
        ]
    )
    return S_inverse, S_rate
