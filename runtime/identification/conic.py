"""Least squares over real bodies: a quadratic form on a product of cones, solved by Clarabel.

    minimize |A x - y|^2   subject to   P(x_i) >= margin for each body i,   x_k >= 0 for some k

Reference: Goulart and Chen, *Clarabel: an interior-point solver for conic programs with quadratic
objectives*, 2024.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.identification.pseudo_inertia import BASIS, TEN

_UPPER = [(i, j) for j in range(4) for i in range(j + 1)]
"""Entries of a symmetric matrix as Clarabel stacks them: upper triangle, by columns."""


class IdentificationError(RuntimeError):
    """No bodies were found, or what finds them is not installed."""


def require_solver() -> Any:
    """The module clarabel; IdentificationError says how to have it."""
    try:
        import clarabel
    except ImportError:
        raise IdentificationError(
            "real bodies are found by the solver Clarabel: pip install 'eomc[identification]', "
            "or give consistent=False"
        ) from None
    return clarabel


def real_least_squares(
    A: Array, y: Array, bodies: int, *, margin: float, positive: Sequence[int] = ()
) -> Array:
    """x of least |A x - y| with ten numbers of each of the bodies in front, `positive` ones >= 0.

    `margin` is the least eigenvalue of the pseudo-inertias. Raises `IdentificationError`.
    """
    from scipy import sparse

    clarabel = require_solver()
    terms, size = A.shape
    others = size - TEN * bodies
    weights = np.array([1.0 if i == j else np.sqrt(2) for i, j in _UPPER])
    one = np.array(
        [[w * P[i, j] for P in BASIS] for w, (i, j) in zip(weights, _UPPER, strict=True)]
    )
    rows = sparse.block_diag([one] * bodies + [sparse.csc_matrix((0, others))], format="csc")
    floor = np.tile([margin * (i == j) for i, j in _UPPER], bodies)
    bound = sparse.csc_matrix(
        (np.ones(len(positive)), (range(len(positive)), positive)), (len(positive), size)
    )
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    settings.max_threads = 1
    cones = [clarabel.PSDTriangleConeT(4)] * bodies
    cones += [clarabel.NonnegativeConeT(len(positive))] if len(positive) else []
    # Unknowns (x, z) with z = A x - y, which keeps the digits that A^T A would lose.
    residual = sparse.hstack([sparse.csc_matrix(A), -sparse.eye(terms)])
    real = sparse.hstack(
        [sparse.vstack([-rows, -bound]), sparse.csc_matrix((len(floor) + len(positive), terms))]
    )
    solver = clarabel.DefaultSolver(
        sparse.block_diag([sparse.csc_matrix((size, size)), sparse.eye(terms)], format="csc"),
        np.zeros(size + terms),
        sparse.vstack([residual, real], format="csc"),
        np.concatenate([y, -floor, np.zeros(len(positive))]),
        [clarabel.ZeroConeT(terms), *cones],
        settings,
    )
    found = solver.solve()
    if str(found.status) not in ("Solved", "AlmostSolved", "InsufficientProgress"):
        raise IdentificationError(
            f"Clarabel found no real bodies: {found.status}; are the motions and forces measured "
            "together, and in SI units?"
        )
    return np.asarray(found.x, dtype=np.float64)[:size]
