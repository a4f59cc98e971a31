"""Mode shapes phi_j(s) of both kinds of bodies and their derivatives, in closed form.

Platform, free-free, s = 1/2 + x/l:

    phi = cosh(lambda s) + cos(lambda s) - sigma (sinh(lambda s) + sin(lambda s)),
    sigma = (cosh lambda - cos lambda)/(sinh lambda - sin lambda)                        (2.12)

Unit, clamped-free with a tip mass, s = x/l, scaled so that the curvature at the root is that of a
tip value 2 without tip mass:

    phi = cosh(lambda s) - cos(lambda s) - sigma (sinh(lambda s) - sin(lambda s)),
    sigma = (cos lambda + cosh lambda)/(sin lambda + sinh lambda)                        (2.15)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.derive.shapes import clamped_free_root, free_free_root
from eomc_published.caron.velocity_transformations.layout import Matrix


@dataclass(frozen=True)
class ModeShapes:
    """Shapes of one body: `sign` +1 of a free-free, -1 of a clamped-free beam."""

    roots: tuple[float, ...]
    sigma: tuple[float, ...]
    sign: int

    def __call__(self, s: Any, order: int = 0) -> Matrix:
        """d^order phi / ds^order at the points s (...): (..., modes)."""
        points = np.asarray(s)[..., None]
        roots, sigma = np.array(self.roots), np.array(self.sigma)
        x = roots * points
        # cos -> -sin -> -cos -> sin, sin -> cos -> -sin -> -cos
        cosine = (np.cos, np.sin, np.cos, np.sin)[order % 4](x) * (1, -1, -1, 1)[order % 4]
        sine = (np.sin, np.cos, np.sin, np.cos)[order % 4](x) * (1, 1, -1, -1)[order % 4]
        even, odd = (np.cosh(x), np.sinh(x)) if order % 2 == 0 else (np.sinh(x), np.cosh(x))
        shape = even + self.sign * cosine - sigma * (odd + self.sign * sine)
        scaled: Matrix = shape * roots**order
        return scaled


def platform_shapes(modes: int) -> ModeShapes:
    """Free-free."""
    roots = tuple(free_free_root(j) for j in range(1, modes + 1))
    sigma = tuple((np.cosh(x) - np.cos(x)) / (np.sinh(x) - np.sin(x)) for x in roots)
    return ModeShapes(roots, sigma, 1)


def unit_shapes(modes: int, tip_mass_ratio: float) -> ModeShapes:
    """Clamped-free with m_t = tip_mass_ratio rho l."""
    roots = tuple(clamped_free_root(j, tip_mass_ratio) for j in range(1, modes + 1))
    sigma = tuple((np.cos(x) + np.cosh(x)) / (np.sin(x) + np.sinh(x)) for x in roots)
    return ModeShapes(roots, sigma, -1)
