"""Derivatives of impulses of contacts with Coulomb friction, where they have any.

At a solution of s = W P + c the modes are kept: an open contact has P = 0, one that sticks s = 0,
one that slips s_n = 0 and P_t + mu P_n s_t/|s_t| = 0. The implicit function theorem then gives dP;
at the border of two modes it holds on one side alone. Reference: Le Lidec et al., *End-to-end and
highly-efficient differentiable simulation for robotics*, 2024.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array

NEAR = 1e-6


@dataclass(frozen=True, eq=False)
class ImpulseDerivatives:
    """By the free rates c (3n, 3n), by mu (3n, n), and by W as the map of dW P = dc.

    margin : distance to the nearest change of modes, by the largest impulse or rate
    near_kink : True if it is below 1e-6, where the derivatives hold on one side
    """

    by_rates: Array
    by_friction: Array
    margin: float
    near_kink: bool


def impulse_derivatives(
    w: ArrayLike, c: ArrayLike, mu: ArrayLike, impulses: ArrayLike
) -> ImpulseDerivatives:
    """Derivatives at the solution `impulses` (n, 3) of Delassus' matrix w (3n, 3n).

    Two contacts, of which one is open:

    >>> import numpy as np
    >>> found = impulse_derivatives(np.eye(6), [-1, 0.1, 0, 1, 0, 0], [0.5, 0.5],
    ...                             [[1, -0.1, 0], [0, 0, 0]])
    >>> bool((found.by_rates[:3, :3] == -np.eye(3)).all() and not found.by_rates[3:].any())
    True
    """
    w, p = np.asarray(w, float), np.asarray(impulses, float).reshape(-1, 3)
    friction, n = np.broadcast_to(np.asarray(mu, float), len(p)), len(p)
    s = (w @ p.ravel() + np.asarray(c, float)).reshape(-1, 3)
    # F(P, c, mu) = 0 in the modes; F_P, F_c and F_mu.
    by_p, by_c, by_mu = np.eye(3 * n), np.zeros((3 * n, 3 * n)), np.zeros((3 * n, n))
    sizes = max(float(np.abs(p).max(initial=0.0)), 1e-300), float(np.abs(s).max(initial=0.0))
    margins = []
    for k in range(n):
        rows = slice(3 * k, 3 * k + 3)
        held, slip = np.linalg.norm(p[k, 1:]), float(np.linalg.norm(s[k, 1:]))
        if p[k, 0] <= 0:
            margins.append(float(s[k, 0]) / max(sizes[1], 1e-300))
            continue
        margins.append(float(p[k, 0]) / sizes[0])
        inside = float(friction[k] * p[k, 0] - held)
        if inside > 1e-12 * sizes[0] or slip == 0:
            margins.append(inside / sizes[0])
            by_p[rows], by_c[rows] = w[rows], np.eye(3 * n)[rows]
            continue
        margins.append(slip / max(sizes[1], 1e-300))
        d = s[k, 1:] / slip
        turning = (np.eye(2) - np.outer(d, d)) * friction[k] * p[k, 0] / slip
        tangents = slice(3 * k + 1, 3 * k + 3)
        by_p[3 * k], by_c[3 * k, 3 * k] = w[3 * k], 1.0
        by_p[tangents] += turning @ w[tangents]
        by_p[tangents, 3 * k] += friction[k] * d
        by_c[tangents, tangents] = turning
        by_mu[tangents, k] = p[k, 0] * d
    margin = min(margins, default=np.inf)
    solved: Array = np.asarray(
        -np.linalg.lstsq(by_p, np.hstack([by_c, by_mu]), rcond=1e-12)[0], dtype=np.float64
    )
    return ImpulseDerivatives(solved[:, : 3 * n], solved[:, 3 * n :], margin, margin < NEAR)
