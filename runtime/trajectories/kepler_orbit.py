"""Motion on a Kepler ellipse."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.profile import ProfileSample

_MOST_STEPS = 60


class _OrbitPlace(NamedTuple):
    """Whole revolutions since the perigee of the epoch, and the eccentric anomaly within one."""

    turns: Array
    anomaly: Array


class KeplerOrbit:
    """Circular or elliptic orbit: coordinates, rates and accelerations at any time, exactly.

    With the eccentric anomaly E of Kepler's equation E - e sin E = n (t - epoch) + M0,

        r = a (1 - e cos E),   tan(theta/2) = sqrt((1 + e)/(1 - e)) tan(E/2)
        theta' = h/r^2,  theta'' = -2 h r'/r^3,  r' = (mu/h) e sin theta,
        r'' = (mu/r^2) e cos theta,  h = sqrt(mu a (1 - e^2))

    The true anomaly theta counts on over the revolutions. Reference: Battin, *An Introduction to
    the Mathematics and Methods of Astrodynamics*, ch. 4 and 5.

    Parameters
    ----------
    mu : float
        G M of the attracting mass [m^3/s^2].
    semi_major_axis : float
        a [m].
    eccentricity : float
        0 <= e < 1.
    mean_anomaly : float
        M0 [rad] at the epoch; 0 in the perigee, pi in the apogee.
    epoch : float [s]
    inclination, node, perigee : float
        Angles of the orbit in space [rad]: inclination, longitude of the ascending node, argument
        of the perigee. They matter to `axes` and `position` alone.

    Raises ValueError for numbers that are not finite, or no ellipse.

    >>> orbit = KeplerOrbit(398600.4418e9, 6778e3, 0.01)
    >>> round(float(orbit.radius(0.0).position))
    6710220
    >>> bool(abs(orbit.true_anomaly(orbit.period).position - 2 * np.pi) < 1e-14)
    True
    """

    def __init__(
        self,
        mu: float,
        semi_major_axis: float,
        eccentricity: float = 0.0,
        *,
        mean_anomaly: float = 0.0,
        epoch: float = 0.0,
        inclination: float = 0.0,
        node: float = 0.0,
        perigee: float = 0.0,
    ) -> None:
        self.mu = _positive("mu", mu)
        self.semi_major_axis = _positive("semi_major_axis", semi_major_axis)
        self.eccentricity = _number("eccentricity", eccentricity)
        if not 0 <= self.eccentricity < 1:
            raise ValueError(f"eccentricity is {eccentricity!r}; an ellipse has 0 <= e < 1")
        self.mean_anomaly = _number("mean_anomaly", mean_anomaly)
        self.epoch = _number("epoch", epoch)
        self.inclination = _number("inclination", inclination)
        self.node = _number("node", node)
        self.perigee = _number("perigee", perigee)

    # -- constants -------------------------------------------------------------------------------

    @property
    def mean_motion(self) -> float:
        """n = sqrt(mu/a^3) [rad/s]"""
        return math.sqrt(self.mu / self.semi_major_axis) / self.semi_major_axis

    @property
    def period(self) -> float:
        """2 pi/n [s]"""
        return 2 * math.pi / self.mean_motion

    @property
    def angular_momentum(self) -> float:
        """h = r^2 theta' [m^2/s]"""
        e = self.eccentricity
        return math.sqrt(self.mu * self.semi_major_axis * (1 - e) * (1 + e))

    @property
    def axes(self) -> Array:
        """(3, 3) columns: towards the perigee, along the motion there, orbit normal; in space."""
        turns = ((2, self.node), (0, self.inclination), (2, self.perigee))
        matrix = np.eye(3)
        for axis, angle in turns:
            matrix = matrix @ _turn(axis, angle)
        return matrix

    # -- motion ----------------------------------------------------------------------------------

    def true_anomaly(self, t: ArrayLike) -> ProfileSample:
        """theta, theta', theta'' [rad], from the perigee on."""
        turns, anomaly = self._place(t)
        r, along = self._radius(anomaly), self._sine(anomaly)
        h = self.angular_momentum
        rate = h / r**2
        radial = self.mu / h * along
        angle = 2 * np.pi * turns + self._angle(anomaly)
        return ProfileSample(angle, rate, -2 * rate * radial / r)

    def radius(self, t: ArrayLike) -> ProfileSample:
        """r, r', r'' [m]"""
        _, anomaly = self._place(t)
        r = self._radius(anomaly)
        rate = self.mu / self.angular_momentum * self._sine(anomaly)
        return ProfileSample(r, rate, self.mu / r**2 * self._cosine(anomaly))

    def position(self, t: ArrayLike) -> ProfileSample:
        """Position (..., 3) in space from the attracting mass, velocity, acceleration [m, s]."""
        _, anomaly = self._place(t)
        r = self._radius(anomaly)
        e, a = self.eccentricity, self.semi_major_axis
        minor = math.sqrt((1 - e) * (1 + e))
        rate = self.mean_motion * a / r
        zero = np.zeros_like(r)
        place = a * np.stack([np.cos(anomaly) - e, minor * np.sin(anomaly), zero], axis=-1)
        velocity = np.stack([-np.sin(anomaly), minor * np.cos(anomaly), zero], axis=-1)
        velocity = (a * rate)[..., None] * velocity
        acceleration = -self.mu / r[..., None] ** 3 * place
        turned = [part @ self.axes.T for part in (place, velocity, acceleration)]
        return ProfileSample(*turned)

    def eccentric_anomaly(self, t: ArrayLike) -> Array:
        """E [rad], counted on over the revolutions."""
        turns, anomaly = self._place(t)
        return np.asarray(2 * np.pi * turns + anomaly)

    def _place(self, t: ArrayLike) -> _OrbitPlace:
        times = np.asarray(finite("t", t))
        mean = self.mean_motion * (times - self.epoch) + self.mean_anomaly
        turns = np.round(mean / (2 * np.pi))
        return _OrbitPlace(turns, kepler_equation(mean - 2 * np.pi * turns, self.eccentricity))

    def _radius(self, anomaly: Array) -> Array:
        # 1 - e cos E without loss near the perigee of a long ellipse
        e = self.eccentricity
        return np.asarray(self.semi_major_axis * ((1 - e) + 2 * e * np.sin(anomaly / 2) ** 2))

    def _angle(self, anomaly: Array) -> Array:
        e = self.eccentricity
        half = np.sqrt(1 + e) * np.sin(anomaly / 2), np.sqrt(1 - e) * np.cos(anomaly / 2)
        return np.asarray(2 * np.arctan2(*half))

    def _sine(self, anomaly: Array) -> Array:
        """e sin theta"""
        e = self.eccentricity
        minor = math.sqrt((1 - e) * (1 + e))
        return e * minor * np.sin(anomaly) * self.semi_major_axis / self._radius(anomaly)

    def _cosine(self, anomaly: Array) -> Array:
        """e cos theta"""
        e = self.eccentricity
        # cos E - e = (1 - e) - 2 sin^2(E/2)
        apart = (1 - e) - 2 * np.sin(anomaly / 2) ** 2
        return e * apart * self.semi_major_axis / self._radius(anomaly)


def kepler_equation(mean: ArrayLike, eccentricity: float) -> Array:
    """E with E - e sin E = M, for M in [-pi, pi] and 0 <= e < 1.

    Newton's method within a bracket that every step narrows, down to rounding; halving takes over
    where a step would leave it.

    >>> kepler_equation([0.0, np.pi], 0.5).tolist() == [0.0, np.pi]
    True
    """
    m, e = np.asarray(mean, dtype=float), eccentricity
    sign, m = np.sign(m), np.abs(m)
    low, high = m, np.minimum(m + e, np.pi)
    anomaly = np.minimum(m + 0.85 * e, high)
    for _ in range(_MOST_STEPS):
        lack = _residual(anomaly, e, m)
        low = np.where(lack < 0, anomaly, low)
        high = np.where(lack > 0, anomaly, high)
        slope = (1 - e) + 2 * e * np.sin(anomaly / 2) ** 2
        step = anomaly - lack / slope
        inside = (step >= low) & (step <= high)
        better = np.where(inside, step, (low + high) / 2)
        if (better == anomaly).all():
            break
        anomaly = better
    return np.asarray(sign * anomaly)


def _residual(anomaly: Array, e: float, mean: Array) -> Array:
    """E - e sin E - M; near E = 0 as (1 - e) E + e (E - sin E) - M, which loses nothing."""
    cube = anomaly**2
    series = np.zeros_like(anomaly)
    for k in range(10, 0, -1):
        series = cube / ((2 * k) * (2 * k + 1)) * (1 - series)
    arc = np.where(anomaly < 1, anomaly * series, anomaly - np.sin(anomaly))
    return np.asarray(((1 - e) * anomaly - mean) + e * arc)


def _turn(axis: int, angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i], matrix[j, j], matrix[i, j], matrix[j, i] = c, c, -s, s
    return matrix


def _number(name: str, value: float) -> float:
    return float(finite(name, value, ()))


def _positive(name: str, value: float) -> float:
    number = _number(name, value)
    if number <= 0:
        raise ValueError(f"{name} is {value!r}; give a positive number")
    return number
