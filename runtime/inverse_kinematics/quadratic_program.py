"""Damped least squares within bounds: min |A z + b|^2 + mu |z|^2 with low <= N z <= high.

By DAQP, an active-set method, or without it as a least-distance problem by SciPy's `nnls`.
Reference: Lawson and Hanson, *Solving Least Squares Problems* (1974), ch. 23.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array

_INSIDE = 1e-12


def bounded_least_squares(
    A: Array, b: Array, mu: float, N: Array, low: Array, high: Array
) -> Array:
    """z; z = 0 must be within the bounds, which are finite."""
    H = A.T @ A + mu * np.eye(A.shape[1])
    f = A.T @ b
    z = np.linalg.solve(H, -f)
    d = N @ z
    if (d >= low - _INSIDE).all() and (d <= high + _INSIDE).all():
        return np.asarray(z)
    try:
        import daqp
    except ImportError:
        return _least_distance(H, f, N, low, high)
    given = [np.ascontiguousarray(x) for x in (H, f, N, high, low)]
    z, _, flag, _ = daqp.solve(*given, primal_tol=1e-11, dual_tol=1e-11)
    return np.array(z) if flag == 1 else _least_distance(H, f, N, low, high)


def _least_distance(H: Array, f: Array, N: Array, low: Array, high: Array) -> Array:
    """With H = L L^T, y = L^T z + L^{-1} f: min |y|^2 subject to G y >= h."""
    from scipy.optimize import nnls

    L = np.linalg.cholesky(H)
    center = np.linalg.solve(L, f)
    rows = np.linalg.solve(L, np.vstack([N, -N]).T).T
    h = np.concatenate([low, -high]) + rows @ center
    E = np.vstack([rows.T, h])
    end = np.eye(len(E))[-1]
    r = E @ nnls(E, end)[0] - end
    y = -r[:-1] / r[-1]
    return np.asarray(np.linalg.solve(L.T, y - center))
