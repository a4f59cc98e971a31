"""An independent witness of figures 5-4 to 5-6: the arm on a joint that moves as it is told.

Feedback linearization with the joint's deformation measured leads rotor and length exactly, so that
alpha(t) and l(t) are given, and the platform turns with the orbit. What is left is a link of one
bending mode w = phi(x/l) delta that turns by alpha + beta on the spring of its joint, and the
platform's mode under the forces at the joint. With the momenta of elements dm at (x, w), in the
link's axes, whose material moves out with the deployable link,

    p_theta = sum dm (x v_y - w v_x),   p_theta' = -K beta
    p_delta = sum dm phi v_y,           p_delta' = sum dm (v_y phi_l l' - v_x phi omega) - k delta
    v_x = x_l l' - omega w,   v_y = omega x + phi delta' + phi_l l' delta

It shares no code with recursions, compiled models, controllers and integrators of constraints: sums
over elements, the shapes of the thesis (2.12), (2.15), SciPy's integrator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from eomc.binding.arrays import Array
from eomc.systems.flexible_manipulator.data import LARGE, PLATFORM
from eomc.systems.flexible_manipulator.scenario import ORBIT, RATE

Given = Callable[[Array], tuple[Array, Array, Array]]
"""t -> value, rate, acceleration."""

#: Roots of cos x cosh x = -1 and 1: the link without tip mass, the platform.
_LINK, _PLATFORM = 1.8751040687, 4.7300407449
_ORDER = 24


def _shape(root: float, s: Array, tail: float, sign: float) -> tuple[Array, Array, Array]:
    """cosh + sign cos - tail (sinh + sign sin) and its first two derivatives by s."""
    c, d, a, b = np.cosh(root * s), np.sinh(root * s), np.cos(root * s), np.sin(root * s)
    value = c + sign * a - tail * (d + sign * b)
    slope = d - sign * b - tail * (c + sign * a)
    bend = c - sign * a - tail * (d - sign * b)
    return value, root * slope, root**2 * bend


def _link(s: Array) -> tuple[Array, Array, Array]:
    """(2.15), scaled to a tip value of 2."""
    tail = (np.cosh(_LINK) + np.cos(_LINK)) / (np.sinh(_LINK) + np.sin(_LINK))
    return _shape(_LINK, s, tail, -1.0)


def _platform(x: float) -> tuple[float, float]:
    """Value and slope of (2.12) at a place from the middle."""
    tail = (np.cosh(_PLATFORM) - np.cos(_PLATFORM)) / (np.sinh(_PLATFORM) - np.sin(_PLATFORM))
    value, slope, _ = _shape(_PLATFORM, np.array(0.5 + x / PLATFORM.length), tail, 1.0)
    return float(value), float(slope) / PLATFORM.length


@dataclass(frozen=True)
class ArmRun:
    """Of the arm: time [s], joint and slew motor [deg, N m], force of deployment [N], moment
    on the platform [N m], deflections of the tips of link and platform [m]."""

    t: Array
    joint: Array
    slew_moment: Array
    length_force: Array
    platform_moment: Array
    link_tip: Array
    platform_tip: Array


class ArmAlone:
    """The unit of the thesis without payload."""

    def __init__(self, angle: Given, length: Given, base: float) -> None:
        self.angle, self.length, self.base = angle, length, base
        y, weight = np.polynomial.legendre.leggauss(_ORDER)
        self._y, self._weight = (y + 1) / 2, weight / 2

    def _elements(self, length: float) -> tuple[Array, ...]:
        """dm, x, x_l, phi, phi_l: of both links in turn."""
        data, y, w = LARGE, self._y, self._weight
        start = length - data.deployable_length
        x = np.concatenate([data.slewing_length * y, start + data.deployable_length * y])
        dm = np.concatenate([data.slewing_mass * w, data.deployable_mass * w])
        moves = np.repeat([0.0, 1.0], len(y))
        phi, slope, _ = _link(x / length)
        return dm, x, moves, phi, slope / length * (moves - x / length)

    def _stiffness(self, length: float) -> float:
        """k of the mode; both links bend where they overlap."""
        data, y, w = LARGE, self._y, self._weight
        total = 0.0
        for start, size, stiff in (
            (0.0, data.slewing_length, data.slewing_EI),
            (length - data.deployable_length, data.deployable_length, data.deployable_EI),
        ):
            bend = _link((start + size * y) / length)[2] / length**2
            total += stiff * size * float(w @ bend**2)
        return total

    def _solved(self, t: float, y: Array) -> tuple[Array, ...]:
        """Rates (omega, delta'), beta, and the elements with their velocities."""
        alpha = float(self.angle(np.array(t))[0])
        length, rate = (float(part) for part in self.length(np.array(t))[:2])
        dm, x, x_l, phi, phi_l = self._elements(length)
        delta = y[1]
        w, along, across = phi * delta, x_l * rate, phi_l * rate * delta
        mass = np.array([[dm @ (x**2 + w**2), dm @ (x * phi)], [dm @ (x * phi), dm @ phi**2]])
        rest = np.array([dm @ (x * across - w * along), dm @ (phi * across)])
        omega, delta_rate = np.linalg.solve(mass, y[2:4] - rest)
        v_x, v_y = along - omega * w, omega * x + phi * delta_rate + across
        beta = y[0] - alpha
        return np.array([omega, delta_rate]), beta, dm, x, w, phi, phi_l * rate, v_x, v_y

    def _rates(self, t: float, y: Array) -> Array:
        (omega, delta_rate), beta, dm, _, _, phi, phi_rate, v_x, v_y = self._solved(t, y)
        k = self._stiffness(float(self.length(np.array(t))[0]))
        moment = -LARGE.joint_stiffness * beta
        force = dm @ (v_y * phi_rate - v_x * phi * omega) - k * y[1]
        return np.array([omega - RATE, delta_rate, moment, force])

    def _start(self) -> Array:
        """Undeformed, turning as the rotor does."""
        alpha, rate, _ = (float(part) for part in self.angle(np.array(0.0)))
        dm, x, _, phi, _ = self._elements(float(self.length(np.array(0.0))[0]))
        omega = RATE + rate
        return np.array([alpha, 0.0, omega * dm @ x**2, omega * dm @ (x * phi)])

    def run(self, orbits: float = 0.01, count: int = 8001) -> ArmRun:
        """Integrate."""
        t = np.linspace(0.0, orbits * ORBIT, count)
        found = solve_ivp(
            self._rates,
            (0.0, t[-1]),
            self._start(),
            method="DOP853",
            t_eval=t,
            rtol=1e-9,
            atol=1e-11,
        )
        y = found.y
        at = [self._solved(float(time), row) for time, row in zip(t, y.T, strict=True)]
        beta = np.array([float(each[1]) for each in at])
        slew = LARGE.rotor_inertia * self.angle(t)[2] - LARGE.joint_stiffness * beta
        momentum = np.array([[dm @ v_x, dm @ v_y] for _, _, dm, *_, v_x, v_y in at])
        c, s = np.cos(y[0]), np.sin(y[0])
        p_x = c * momentum[:, 0] - s * momentum[:, 1]
        p_y = s * momentum[:, 0] + c * momentum[:, 1]
        f_x, f_y = np.gradient(p_x, t) - RATE * p_y, np.gradient(p_y, t) + RATE * p_x
        platform = slew + self.base * f_y - PLATFORM.offset * f_x
        # m_d (l'' - omega^2 r_d) of a rigid link, r_d the middle of the deployable one.
        omega = np.array([float(each[0][0]) for each in at])
        length, _, acceleration = self.length(t)
        middle = length - LARGE.deployable_length / 2
        deployment = LARGE.deployable_mass * (acceleration - omega**2 * middle)
        tip = float(_link(np.array(1.0))[0])
        return ArmRun(
            t,
            np.degrees(beta),
            slew,
            deployment,
            platform,
            tip * y[1],
            self._platform_tip(t, f_y, slew),
        )

    def _platform_tip(self, t: Array, force: Array, moment: Array) -> Array:
        """m delta'' + k delta = -phi F_y - phi' T of the platform's first mode."""
        value, slope = _platform(self.base)
        mass = PLATFORM.mass
        square = PLATFORM.EI * _PLATFORM**4 / PLATFORM.length**3 / mass
        load = -(value * force + slope * moment) / mass
        found = solve_ivp(
            lambda time, y: [y[1], np.interp(time, t, load) - square * y[0]],
            (0.0, t[-1]),
            [0.0, 0.0],
            t_eval=t,
            rtol=1e-7,
            atol=1e-12,
            max_step=0.1,
        )
        return np.asarray(2.0 * found.y[0])
