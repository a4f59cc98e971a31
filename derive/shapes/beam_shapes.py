"""Mode shapes of uniform beams in bending.

With the root L of the characteristic equation and s = x/l,

    clamped-free, clamped-pinned, clamped-clamped  phi = cosh Ls - cos Ls - sigma (sinh Ls - sin Ls)
    free-free                                      phi = cosh Ls + cos Ls - sigma (sinh Ls + sin Ls)
    pinned-pinned                                  phi = sin Ls
    pinned-free, with a hub or without             phi = a sin Ls - c cos Ls + b sinh Ls + c cosh Ls

where cosh Ls - sigma sinh Ls is written with exp(-Ls) and exp(-L (1 - s)), so that any mode keeps
its digits. Every shape is scaled to mean square 1, the integral of phi^2 ds: the modal mass is then
that of the beam. Clamped-free and free-free shapes have the tip value 2 by it. Reference:
Meirovitch, *Fundamentals of Vibrations*, ch. 8; Blevins, *Formulas for Natural Frequency and Mode
Shape*, ch. 8.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from eomc.derive.shapes.beam_frequencies import (
    clamped_free_root,
    clamped_pinned_root,
    free_free_root,
    hub_root,
    pinned_pinned_root,
)
from eomc.derive.shapes.exponential_polynomial import ExponentialPolynomial
from eomc.derive.shapes.mode_shape import ModeShape

_POLYNOMIAL_BELOW = 0.5  # there exponentials of L s cancel and power series end after few terms


def normalized(name: str, shape: ExponentialPolynomial, wave_number: float) -> ModeShape:
    """Scaled to mean square 1."""
    square = (shape * shape).integral(0.0, 1.0)
    return ModeShape(name, shape * (1 / math.sqrt(square)), wave_number)


def _fixed_or_free(root: float, sign: int, sigma: float, rest: float) -> ExponentialPolynomial:
    """cosh + sign cos - sigma (sinh + sign sin) of root s; `rest` is (1 - sigma) exp(root)."""
    new = ExponentialPolynomial
    waves = new.cosine(root) * sign - new.sine(root) * (sign * sigma)
    return waves + new.decaying(root) * ((1 + sigma) / 2) + new.growing(root) * (rest / 2)


def _by_equal_ends(root: float, sign: int) -> ExponentialPolynomial:
    """sigma = (cosh L - cos L) / (sinh L - sin L)"""
    small, sin, cos = math.exp(-root), math.sin(root), math.cos(root)
    below = 1 - small * small - 2 * small * sin
    sigma = (1 + small * small - 2 * small * cos) / below
    rest = 2 * (cos - sin - small) / below
    return _fixed_or_free(root, sign, sigma, rest)


@lru_cache(maxsize=256)
def free_free(j: int) -> ModeShape:
    """j-th elastic mode of the beam without supports.

    >>> shape = free_free(1)
    >>> round(shape.value(0.0), 12), round(shape.value(1.0), 12)
    (2.0, 2.0)
    """
    root = free_free_root(j)
    return normalized(f"free-free {j}", _by_equal_ends(root, 1), root)


@lru_cache(maxsize=256)
def clamped_free(j: int, ratio: float = 0.0) -> ModeShape:
    """j-th mode of the cantilever; `ratio` is the mass at its tip by the mass of the beam.

    The first mode bends to positive values.

    >>> round(clamped_free(1).value(1.0), 12)
    2.0
    """
    root = clamped_free_root(j, ratio)
    name = f"clamped-free {j}" if ratio == 0 else f"tip-mass {j}"
    if root < _POLYNOMIAL_BELOW:
        return normalized(name, _slow_cantilever(root), root)
    small, sin, cos = math.exp(-root), math.sin(root), math.cos(root)
    below = 1 - small * small + 2 * small * sin
    sigma = (1 + small * small + 2 * small * cos) / below
    rest = 2 * (sin - cos - small) / below
    return normalized(name, _fixed_or_free(root, -1, sigma, rest), root)


def _slow_cantilever(root: float) -> ExponentialPolynomial:
    """The same shape by L^-2 as a power series, for a tip much heavier than the beam."""
    sigma = (math.cos(root) + math.cosh(root)) / (math.sin(root) + math.sinh(root)) * root
    total = ExponentialPolynomial({})
    for p in range(2, 24, 4):
        even = 2 * root ** (p - 2) / math.factorial(p)
        odd = 2 * sigma * root ** (p - 2) / math.factorial(p + 1)
        total += ExponentialPolynomial.power(p, even) - ExponentialPolynomial.power(p + 1, odd)
    return total


@lru_cache(maxsize=256)
def clamped_clamped(j: int) -> ModeShape:
    """j-th mode of the beam clamped at both ends."""
    root = free_free_root(j)
    return normalized(f"clamped-clamped {j}", _by_equal_ends(root, -1), root)


@lru_cache(maxsize=256)
def clamped_pinned(j: int) -> ModeShape:
    """j-th mode of the beam clamped at s = 0 and pinned at s = 1."""
    root = clamped_pinned_root(j)
    return normalized(f"clamped-pinned {j}", _by_equal_ends(root, -1), root)


@lru_cache(maxsize=256)
def pinned_pinned(j: int) -> ModeShape:
    """sqrt(2) sin(j pi s)"""
    root = pinned_pinned_root(j)
    return normalized(f"pinned-pinned {j}", ExponentialPolynomial.sine(root), root)


@lru_cache(maxsize=256)
def pinned_free(j: int, ratio: float = 0.0) -> ModeShape:
    """j-th elastic mode of the beam pinned at s = 0; `ratio` is the moment of inertia of a hub
    there by mass_per_length length^3. The tip bends to positive values.

    >>> shape = pinned_free(1)
    >>> round(shape.value(0.0), 12), abs(shape.curvature(0.0)) < 1e-9, round(shape.value(1.0), 12)
    (0.0, True, 2.0)
    """
    root = hub_root(j, ratio)
    small, sin, cos, hub = math.exp(-root), math.sin(root), math.cos(root), ratio * root**3
    # phi = a sin - c cos + d exp(-Ls) + g exp(-L (1 - s)): place and moment at the root, moment and
    # shear at the tip
    conditions = np.array(
        [
            [0.0, -1.0, 1.0, small],
            [hub, 1.0, 1.0 - hub, small * (1.0 + hub)],
            [-sin, cos, small, 1.0],
            [-cos, -sin, -small, 1.0],
        ]
    )
    conditions /= np.linalg.norm(conditions, axis=1)[:, None]
    a, c, d, g = map(float, np.linalg.svd(conditions)[2][-1])
    new = ExponentialPolynomial
    shape = (
        new.sine(root) * a - new.cosine(root) * c + new.decaying(root) * d + new.growing(root) * g
    )
    name = f"pinned-free {j}" if ratio == 0 else f"hub {j}"
    return normalized(name, shape * math.copysign(1.0, shape(1.0)), root)
