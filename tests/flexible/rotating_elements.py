"""An independent finite-element model of a uniform beam on a turning hub.

Transverse deflection v(x, t), Hermite cubics, clamped at the axis of the hub. At the speed W the
beam is under the tension T(x) = mu W^2 (l^2 - x^2) / 2, and the equations in the turning frame are

    M v'' + (K + G - W^2 M) v = -W' b     in the plane of rotation,
    M v'' + (K + G) v = 0                 normal to it,

with G the integral of T v'^2 and b that of mu x v. Shares no code with what is tested.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from eomc.binding.arrays import Array


class RotatingBeam:
    """Matrices of a clamped beam of `count` elements; G for W = 1."""

    def __init__(self, length: float, mu: float, stiffness: float, count: int) -> None:
        size, h = 2 * (count + 1), length / count
        self.mass, self.bending, self.tension = np.zeros((3, size, size))
        self.load = np.zeros(size)
        nodes, weights = np.polynomial.legendre.leggauss(6)
        for element in range(count):
            part = slice(2 * element, 2 * element + 4)
            for s, weight in zip((nodes + 1) / 2, weights * h / 2, strict=True):
                x = (element + s) * h
                value = np.array(
                    [
                        1 - 3 * s**2 + 2 * s**3,
                        h * (s - 2 * s**2 + s**3),
                        3 * s**2 - 2 * s**3,
                        h * (s**3 - s**2),
                    ]
                )
                slope = (
                    np.array(
                        [
                            -6 * s + 6 * s**2,
                            h * (1 - 4 * s + 3 * s**2),
                            6 * s - 6 * s**2,
                            h * (3 * s**2 - 2 * s),
                        ]
                    )
                    / h
                )
                curve = (
                    np.array([-6 + 12 * s, h * (-4 + 6 * s), 6 - 12 * s, h * (6 * s - 2)]) / h**2
                )
                self.mass[part, part] += weight * mu * np.outer(value, value)
                self.bending[part, part] += weight * stiffness * np.outer(curve, curve)
                pull = mu * (length**2 - x**2) / 2
                self.tension[part, part] += weight * pull * np.outer(slope, slope)
                self.load[part] += weight * mu * x * value
        for name in ("mass", "bending", "tension"):
            setattr(self, name, getattr(self, name)[2:, 2:])
        self.load = self.load[2:]

    def in_modes(self, count: int) -> tuple[Array, Array, Array, Array]:
        """Modes at rest of mass one; K, G and b in them."""
        _, modes = eigh(self.bending, self.mass, subset_by_index=[0, count - 1])
        return (
            modes,
            modes.T @ self.bending @ modes,
            modes.T @ self.tension @ modes,
            modes.T @ self.load,
        )
