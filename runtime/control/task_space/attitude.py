"""The attitude of a frame as an output, by Euler parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.task_space.frame import frame_functions
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

_ROUNDING = 1e-6
"""By which a squared quaternion may differ from one."""


@dataclass(frozen=True)
class Attitude:
    """Attitude of a frame: y = (eta, epsilon), its Euler parameters, a unit quaternion (w, x, y,
    z); the rate is its angular velocity omega in its own axes [rad/s].

    What is wanted is an attitude with omega_d and omega_d' in the axes of the wanted frame. With
    T_e from these to the frame's axes,

        e_omega = omega - T_e omega_d,
        e_eta = eta_d eta + epsilon_d . epsilon,
        e_epsilon = eta_d epsilon - eta epsilon_d - epsilon_d x epsilon,

    and the acceleration that `ResolvedAcceleration` asks for is, with K_p and K_d on these rows,

        T_e omega_d' + [omega]x e_omega - K_d e_omega
            - 2 (K_p - e_omega . e_omega/4) e_epsilon/e_eta,

    which for K_p = k_p 1, K_d = k_d 1 makes the error linear at any size,

        e_epsilon'' + k_d e_epsilon' + k_p e_epsilon = 0.

    Of the quaternions +-y_d the nearer is taken, so that the error is at most half a turn; at half
    a turn itself, e_eta = 0, the law has no value.

    References: Paielli and Bach, Attitude control with realization of linear error dynamics,
    J. Guidance, Control, and Dynamics 16 (1993); Moosavian 1996, equations 4.25 to 4.32.
    """

    frame: str

    @property
    def size(self) -> int:
        """A quaternion."""
        return 4

    def entries(self, model: CompiledModel) -> tuple[str, ...]:
        """``<frame>_qw`` and so on, of y."""
        return tuple(f"{self.frame}_q{axis}" for axis in "wxyz")

    def names(self, model: CompiledModel) -> tuple[str, ...]:
        """``<frame>_wx`` and so on."""
        frame_functions(model, self.frame)
        return tuple(f"{self.frame}_w{axis}" for axis in "xyz")

    def begin(self, model: CompiledModel) -> See:
        """As of `Output`."""
        known = frame_functions(model, self.frame)

        def seen(ask: Ask, at: Mapping[str, Any], by: Operations = NUMERIC, /) -> OutputState:
            R = ask(known["pose"])[:3, :3]
            return OutputState(
                quaternion(R, by),
                R.T @ ask(known["velocity"])[3:],
                R.T @ ask(known["jacobian"])[3:],
                R.T @ ask(known["acceleration"])[3:],
            )

        return seen

    def deviation(
        self, seen: OutputState, wanted: OutputReference, by: Operations = NUMERIC
    ) -> OutputError:
        """e = -2 e_epsilon/e_eta, e' = -e_omega, and what else the law above asks for."""

        def no_unit() -> ValueError:
            return ValueError(
                f"attitude of {self.frame!r}: the one wanted, {wanted.y.tolist()}, is no unit "
                "quaternion (w, x, y, z)"
            )

        off = wanted.y @ wanted.y - 1
        by.require(1.0 - (off / _ROUNDING) ** 2, "no_unit_quaternion", no_unit)
        e_epsilon, e_eta = attitude_error(seen.y, wanted.y, by)
        T_e = _rotation(e_eta, e_epsilon).T
        omega = seen.rate
        e_omega = omega - T_e @ wanted.rate
        tangent = e_epsilon / e_eta
        acceleration = (
            T_e @ wanted.acceleration
            + np.cross(omega, e_omega)
            + 0.5 * (e_omega @ e_omega) * tangent
        )
        return OutputError(-2 * tangent, -e_omega, acceleration)


def attitude_error(y: Array, wanted: Array, by: Operations = NUMERIC) -> tuple[Array, Any]:
    """(e_epsilon, e_eta) of two unit quaternions (w, x, y, z); e_eta >= 0.

    Raises ValueError for attitudes that are half a turn apart.

    >>> attitude_error(np.array([0.0, 1.0, 0, 0]), np.array([np.sqrt(0.5), np.sqrt(0.5), 0, 0]))[1]
    np.float64(0.7071067811865476)
    """
    eta, epsilon = y[0], y[1:]
    eta_d, epsilon_d = wanted[0], wanted[1:]
    e_eta = eta_d * eta + epsilon_d @ epsilon
    e_epsilon = eta_d * epsilon - eta * epsilon_d - np.cross(epsilon_d, epsilon)
    by.require(
        e_eta * e_eta,
        "half_a_turn",
        lambda: ValueError("the attitude is half a turn from the one wanted: e_eta = 0"),
    )
    nearer = np.ravel(by.less(e_eta, 0.0, -1.0, 1.0))[0]
    return nearer * e_epsilon, nearer * e_eta


def quaternion(R: Array, by: Operations = NUMERIC) -> Array:
    """(w, x, y, z) of a rotation matrix, by its largest component (Shepperd 1978).

    >>> quaternion(np.diag([-1.0, -1.0, 1.0])).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    squares = np.array(
        [
            1 + R[0, 0] + R[1, 1] + R[2, 2],
            1 + R[0, 0] - R[1, 1] - R[2, 2],
            1 - R[0, 0] + R[1, 1] - R[2, 2],
            1 - R[0, 0] - R[1, 1] + R[2, 2],
        ]
    )
    w = (R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
    sums = (R[1, 2] + R[2, 1], R[0, 2] + R[2, 0], R[0, 1] + R[1, 0])
    rows = (
        (squares[0], *w),
        (w[0], squares[1], sums[2], sums[1]),
        (w[1], sums[2], squares[2], sums[0]),
        (w[2], sums[1], sums[0], squares[3]),
    )
    largest, row = squares[0], np.array(rows[0])
    for square, other in zip(squares[1:], rows[1:], strict=True):
        row = by.less(largest, square, np.array(other), row)
        largest = np.ravel(by.less(largest, square, square, largest))[0]
    found: Array = row / (2 * by.elementary("sqrt", largest))
    return found


def _rotation(eta: Any, epsilon: Array) -> Array:
    """R of (eta, epsilon): from the turned axes to those in which it turns."""
    x, y, z = epsilon
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    found: Array = (2 * eta**2 - 1) * np.eye(3) + 2 * np.outer(epsilon, epsilon) + 2 * eta * cross
    return found
