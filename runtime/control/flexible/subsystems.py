"""The slow and the fast subsystem of a mechanism that bends, frozen at a configuration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eomc.binding.arrays import Array

SEPARATED = 10.0
"""Ratio of frequencies from which on the theory is used without a second thought."""


@dataclass(frozen=True, eq=False)
class Subsystems:
    """Motion in psi = (theta, b), joints and elastic amplitudes, split by time scales:

        M psi'' + c + (0, D b' + K b) = B tau,   H = M^-1
        mu = 1/k,  eps = sqrt(mu),  K^ = K/k,   f = K b

    The slow one is the mechanism with b = 0, on which the elastic forces f- act that bending
    needs; the fast one, in the time t/eps, with eta = (f - f-, eps f'):

        eta' = A eta + B_f tau_f,   A = [0, 1; -K^ H_bb, -K^ H_bb D K^-1/eps]
        B_f = [0; K^ (H_btheta B_theta + H_bb B_b)]

    References: Kokotovic, Khalil and O'Reilly, *Singular Perturbation Methods in Control* (1986);
    Siciliano and Book, A singular perturbation approach to control of lightweight flexible
    manipulators, Int. J. Robotics Research 7 (1988) 79.

    Attributes
    ----------
    slow, fast, actuators : names of theta (n), b (m), tau
    q, u : of the model, all its coordinates and speeds
    mass, bias, forcing : M (n + m, n + m), c (n + m,), B (n + m, number of actuators)
    stiffness, damping : K, D (m, m)
    scale : k
    """

    slow: tuple[str, ...]
    fast: tuple[str, ...]
    actuators: tuple[str, ...]
    q: Array
    u: Array
    mass: Array
    bias: Array
    forcing: Array
    stiffness: Array
    damping: Array
    scale: float

    @property
    def epsilon(self) -> float:
        """eps = 1/sqrt(k): a unit of fast time [s], if amplitudes are those of unit modal mass."""
        return float(self.scale**-0.5)

    @cached_property
    def H(self) -> Array:
        """(n + m, n + m): M^-1."""
        return np.asarray(np.linalg.inv(self.mass))

    @cached_property
    def A(self) -> Array:
        """(2 m, 2 m), of the fast subsystem in fast time."""
        m, n = len(self.fast), len(self.slow)
        by_force = self.stiffness / self.scale @ self.H[n:, n:]
        losses = by_force @ np.linalg.solve(self.stiffness.T, self.damping.T).T / self.epsilon
        return np.block([[np.zeros((m, m)), np.eye(m)], [-by_force, -losses]])

    @cached_property
    def B(self) -> Array:
        """(2 m, number of actuators), of the fast subsystem."""
        n = len(self.slow)
        reached = self.stiffness / self.scale @ self.H[n:] @ self.forcing
        return np.vstack([np.zeros_like(reached), reached])

    def quasi_static_force(self, tau: Array) -> Array:
        """f- (m,) under slow forces (number of actuators,): what bends while nothing vibrates.

        f- = B_b tau - c_b + H_bb^-1 H_btheta (B_theta tau - c_theta)
        """
        n = len(self.slow)
        free = self.forcing @ tau - self.bias
        drawn = np.linalg.solve(self.H[n:, n:], self.H[n:, :n] @ free[:n])
        return np.asarray(free[n:] + drawn)

    @cached_property
    def held_frequencies(self) -> Array:
        """(m,) [rad/s], with the joints held, rising."""
        n = len(self.slow)
        return _frequencies(np.asarray(np.linalg.solve(self.mass[n:, n:], self.stiffness), float))

    @cached_property
    def free_frequencies(self) -> Array:
        """(m,) [rad/s], with the joints free, rising: those of the fast subsystem."""
        n = len(self.slow)
        return _frequencies(self.H[n:, n:] @ self.stiffness)

    def validity(self, slow_frequency: float) -> float:
        """Lowest elastic frequency, joints held, by that of the slow motion [rad/s].

        From about 10 on (`SEPARATED`) the split holds well. Raises ValueError for a frequency that
        is not positive.
        """
        if not (np.isfinite(slow_frequency) and slow_frequency > 0):
            raise ValueError(f"slow_frequency is {slow_frequency!r}; give a positive one [rad/s]")
        return float(self.held_frequencies[0] / slow_frequency)

    def report(self, slow_frequency: float) -> str:
        """A few lines: frequencies, eps, and whether the time scales are apart."""
        ratio = self.validity(slow_frequency)
        apart = "apart" if ratio >= SEPARATED else f"not apart: {SEPARATED:g} is asked for"
        hertz = "  ".join(f"{w / (2 * np.pi):.4g}" for w in self.held_frequencies)
        free = "  ".join(f"{w / (2 * np.pi):.4g}" for w in self.free_frequencies)
        return (
            f"slow: {', '.join(self.slow)}; {slow_frequency / (2 * np.pi):.4g} Hz\n"
            f"fast: {', '.join(self.fast)}; {hertz} Hz with joints held, {free} Hz free\n"
            f"eps = {self.epsilon:.4g}; ratio of frequencies {ratio:.3g}, {apart}"
        )


def _frequencies(squares: Array) -> Array:
    return np.sqrt(np.maximum(np.sort(np.linalg.eigvals(squares).real), 0.0))
