"""Mode shapes of uniform rods in stretch or torsion, of mean square 1.

The wave c^2 phi'' = -omega^2 phi, c^2 = EA / rho or GJ / (rho I_p), has omega = L c / l.
Reference: Meirovitch, *Fundamentals of Vibrations*, ch. 8.
"""

from __future__ import annotations

import math
from functools import lru_cache

from eomc.derive.shapes.beam_shapes import normalized
from eomc.derive.shapes.exponential_polynomial import ExponentialPolynomial
from eomc.derive.shapes.mode_shape import ModeShape


@lru_cache(maxsize=256)
def fixed_free_rod(j: int) -> ModeShape:
    """sqrt(2) sin((j - 1/2) pi s)

    >>> round(fixed_free_rod(1).value(1.0) ** 2, 12)
    2.0
    """
    root = (j - 0.5) * math.pi
    return normalized(f"fixed-free {j}", ExponentialPolynomial.sine(root), root)


@lru_cache(maxsize=256)
def free_free_rod(j: int) -> ModeShape:
    """sqrt(2) cos(j pi s)"""
    root = j * math.pi
    return normalized(f"free-free {j}", ExponentialPolynomial.cosine(root), root)


@lru_cache(maxsize=256)
def fixed_fixed_rod(j: int) -> ModeShape:
    """sqrt(2) sin(j pi s)"""
    root = j * math.pi
    return normalized(f"fixed-fixed {j}", ExponentialPolynomial.sine(root), root)
