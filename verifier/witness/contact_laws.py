"""Forces of contacts in numbers: what presses by depth and rate, and what rubs.

Each law is stated a second time on purpose, from the literature that its kind names: restitution is
that of m v dv = -k d^n (1 + chi v) dd, dry friction a step of v/eps, creep is Kalker's, cut down by
Vermeulen and Johnson.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import brentq

from eomc.binding.arrays import Array


@dataclass(frozen=True)
class Pressing:
    """Force, the share of it that has the potential `energy`."""

    force: float
    elastic: float
    energy: float


@dataclass(frozen=True)
class WitnessPenetration:
    """d = -gap, d_+ and its slope by d, the rate of d."""

    depth: float
    slope: float
    rate: float

    def power(self, n: float) -> float:
        """d_+^n, zero apart."""
        return float(self.depth**n) if self.depth > 0 else 0.0


@dataclass(frozen=True)
class SlipState:
    """Quantities for friction: the pressing force, the slip along the surface, the unit normal, two
    directions of the surface, the velocity of the point of contact over both bodies in the mean,
    the turning about the normal; `z` are its states."""

    pressing: float
    slip: Array
    normal: Array
    tangents: tuple[Array, Array] | None = None
    rolling: Callable[[], Array] = lambda: np.zeros(3)
    spin: float = 0.0
    z: Array = field(default_factory=lambda: np.zeros(0))


Normal = Callable[[WitnessPenetration, Mapping[str, float]], Pressing]


def depth(gap: float, rate: float, width: float, smoothing: str) -> WitnessPenetration:
    """Rounded over the width, by the hyperbola or the logarithm."""
    d = -gap
    if width == 0:
        return WitnessPenetration(max(d, 0.0), float(d > 0), -rate)
    if smoothing == "softplus":
        return WitnessPenetration(width * np.logaddexp(0.0, d / width), _logistic(d / width), -rate)
    root = math.hypot(d, width)
    # The root of x (x - d) = width^2/4 that is above zero.
    x = (d + root) / 2 if d >= 0 else width**2 / 4 / ((root - d) / 2)
    return WitnessPenetration(x, x / root, -rate)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _loss(restitution: float) -> float:
    """D = chi v of a restitution e: D (1 + e) + ln(1 - e D) = ln(1 + D)."""
    if restitution == 1:
        return 0.0

    def rest(d: float) -> float:
        return d * (1 + restitution) + math.log1p(-restitution * d) - math.log1p(d)

    end = 1 / restitution
    # It rises from zero by (1 - e) D^2 .../2 and falls to minus infinity.
    low, high = end * 1e-6, end * (1 - 1e-15)
    while rest(low) <= 0:
        low /= 10
        if low < 1e-300:
            return 0.0
    return float(brentq(rest, low, high, xtol=1e-300, rtol=9e-16)) if rest(high) < 0 else end


def _sprung(number: Any, law: Any, k: float, n: float) -> Normal:
    if law.restitution is None:
        chi = number(law.dissipation)
    else:
        chi = _loss(number(law.restitution)) / number(law.speed)

    def pressing(at: WitnessPenetration, _: Mapping[str, float]) -> Pressing:
        elastic = k * at.power(n) * at.slope
        energy = k * at.power(n + 1) / (n + 1)
        return Pressing(elastic * max(1 + chi * at.rate, 0.0), elastic, energy)

    return pressing


def _spring(numbers: Any, law: Any) -> Normal:
    return _sprung(numbers, law, numbers(law.stiffness), numbers(law.exponent))


def _hertz(numbers: Any, law: Any) -> Normal:
    k = numbers(law.modulus) * math.sqrt(numbers(law.radius)) * (4 / 3)
    return _sprung(numbers, law, k, 1.5)


def _kelvin_voigt(numbers: Any, law: Any) -> Normal:
    k, n, c = numbers(law.stiffness), numbers(law.exponent), numbers(law.damping)

    def pressing(at: WitnessPenetration, _: Mapping[str, float]) -> Pressing:
        elastic = k * at.power(n) * at.slope
        force = max(elastic + c * at.rate * at.slope, 0.0)
        return Pressing(force, elastic, k * at.power(n + 1) / (n + 1))

    return pressing


def _own(numbers: Any, law: Any) -> Normal:
    told = numbers.law(law.expression)

    def pressing(at: WitnessPenetration, named: Mapping[str, float]) -> Pressing:
        value = told({**named, "x": at.depth, "v": at.rate})
        return Pressing(max(value * at.slope, 0.0), 0.0, 0.0)

    return pressing


def _none(numbers: Any, law: Any) -> Normal:
    return lambda at, named: Pressing(0.0, 0.0, 0.0)


NORMAL: dict[str, Callable[[Any, Any], Normal]] = {
    "spring": _spring,
    "hertz": _hertz,
    "kelvin_voigt": _kelvin_voigt,
    "law": _own,
    "rigid": _none,
}


class WitnessFriction:
    """A law of friction: none."""

    def __init__(self, numbers: Any, law: Any) -> None:
        self.number, self.law = numbers, law

    def of(self, word: str) -> float:
        """A declared number."""
        return float(self.number(getattr(self.law, word)))

    def force(self, at: SlipState) -> Array:
        """On the shape."""
        return np.zeros(3)

    def moment(self, at: SlipState) -> float:
        """On the shape, about the normal."""
        return 0.0

    def rates(self, at: SlipState) -> Array:
        """Of the states."""
        return np.zeros(0)

    def coefficients(self, at: SlipState) -> tuple[float, float]:
        """Static and kinetic, of friction that sticks."""
        return 0.0, 0.0


def _step(slip: Array, eps: float, form: str) -> Array:
    size = float(np.linalg.norm(slip))
    if form == "root":
        return slip / math.hypot(size, eps)
    return slip * (math.tanh(size / eps) / size if size > 0 else 1 / eps)


class WitnessCoulomb(WitnessFriction):
    """-mu N v/|v|, along the ellipse of two coefficients."""

    def force(self, at: SlipState) -> Array:
        """Along the slip; with two coefficients by A v, A = diag(mu^2)."""
        mu, eps = self.of("coefficient"), self.of("slip_speed")
        if self.law.across is None:
            return -mu * at.pressing * _step(at.slip, eps, self.law.regularization)
        assert at.tangents is not None
        squares = np.array([mu, self.of("across")]) ** 2
        v = np.array(at.tangents) @ at.slip
        size = math.sqrt(squares @ (v * v) + eps**2 * squares.sum() / 2)
        if size == 0:
            return np.zeros(3)
        return -at.pressing / size * np.array(at.tangents).T @ (squares * v)


class WitnessStribeck(WitnessFriction):
    """Falls from static to kinetic."""

    def force(self, at: SlipState) -> Array:
        """-(mu(v) + c |v|) N along the slip."""
        kinetic, static = self.of("kinetic"), self.of("static")
        size, eps = float(np.linalg.norm(at.slip)), self.of("slip_speed")
        if self.law.power == "1":
            fading = math.exp(-(math.hypot(size, eps) - eps) / self.of("speed"))
        else:
            fading = math.exp(-((size / self.of("speed")) ** 2))
        mu = kinetic + (static - kinetic) * fading
        along = mu * _step(at.slip, eps, self.law.regularization) + self.of("viscous") * at.slip
        return -at.pressing * along


class WitnessBristles(WitnessFriction):
    """LuGre, along two directions."""

    def rates(self, at: SlipState) -> Array:
        """z' = v - s0 |v| z/g."""
        assert at.tangents is not None
        # |v| is round below 1e-12 m/s.
        size = math.hypot(float(np.linalg.norm(at.slip)), 1e-12)
        kinetic = self.of("kinetic")
        static = kinetic if self.law.static is None else self.of("static")
        limit = kinetic + (static - kinetic) * math.exp(-((size / self.of("stribeck_speed")) ** 2))
        return np.array(at.tangents) @ at.slip - self.of("stiffness") * size / limit * at.z

    def force(self, at: SlipState) -> Array:
        """-N (s0 z + s1 z' + s2 v)."""
        v = np.array(at.tangents) @ at.slip
        share = self.of("stiffness") * at.z + self.of("damping") * self.rates(at)
        share = share + self.of("viscous") * v
        found: Array = -at.pressing * (np.array(at.tangents).T @ share)
        return found


class WitnessCreep(WitnessFriction):
    """Kalker's linear forces, cut down."""

    def force(self, at: SlipState) -> Array:
        """Of slip and spin over the rolling speed."""
        total = self._linear(at)
        return -total * self._cut(total, at)

    def moment(self, at: SlipState) -> float:
        """f_23 nu_2 - f_33 phi."""
        spin, own = self.of("spin"), self.of("spin_moment")
        if spin == 0 and own == 0:
            return 0.0
        share, (speed, along) = at.pressing / self.of("load"), self._rolling(at)
        across = float(np.cross(at.normal, along) @ at.slip)
        found = spin * share * across - own * share * (share + 1e-12) ** (1 / 3) * at.spin
        return float(found / speed * self._cut(self._linear(at), at))

    def _rolling(self, at: SlipState) -> tuple[float, Array]:
        v = at.rolling()
        speed = math.hypot(float(np.linalg.norm(v)), self.of("rolling_speed"))
        return speed, v / speed

    def _linear(self, at: SlipState) -> Array:
        share, (speed, along) = at.pressing / self.of("load"), self._rolling(at)
        first = self.of("along")
        second = first if self.law.across is None else self.of("across")
        forward = along * float(along @ at.slip)
        forces = first * forward + second * (at.slip - forward)
        turning = self.of("spin") * share * at.spin / speed * np.cross(at.normal, along)
        found: Array = forces * share / (share + 1e-12) ** (1 / 3) / speed + turning
        return found

    def _cut(self, force: Array, at: SlipState) -> float:
        if self.law.limit is None:
            return 1.0
        least = self.of("load") * 1e-12
        x = math.hypot(float(np.linalg.norm(force)), least)
        x /= self.of("limit") * at.pressing + least
        if self.law.saturation is not None:
            return float(self.number.law(self.law.saturation)({"x": x}) / x)
        return 1 - x / 3 + x**2 / 27 if x < 3 else 1 / x


class WitnessOwnFriction(WitnessFriction):
    """By an expression."""

    def force(self, at: SlipState) -> Array:
        """-F(v, N) v/|v|; |v| is round below 1e-12 m/s."""
        speed = math.hypot(float(np.linalg.norm(at.slip)), 1e-12)
        law = self.number.law(self.law.expression)
        found: Array = -at.slip / speed * law({"v": speed, "N": at.pressing})
        return found


class WitnessDryFriction(WitnessFriction):
    """Sticks: coefficients alone."""

    def coefficients(self, at: SlipState) -> tuple[float, float]:
        """mu_s and mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^j)."""
        kinetic = self.of("kinetic")
        static = kinetic if self.law.static is None else self.of("static")
        if self.law.speed is None:
            return static, kinetic
        faded = (float(np.linalg.norm(at.slip)) / self.of("speed")) ** int(self.law.power)
        return static, kinetic + (static - kinetic) * math.exp(-faded)


FRICTION: dict[str, type[WitnessFriction]] = {
    "coulomb": WitnessCoulomb,
    "stribeck": WitnessStribeck,
    "bristles": WitnessBristles,
    "creep": WitnessCreep,
    "law": WitnessOwnFriction,
    "dry": WitnessDryFriction,
}
