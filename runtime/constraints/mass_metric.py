"""The metric of kinetic energy."""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array


def factor(metric: Array) -> Array:
    """L of metric = L L^T; directions without inertia get a small share of that of the others."""
    try:
        return np.asarray(np.linalg.cholesky(metric), dtype=np.float64)
    except np.linalg.LinAlgError:
        share = 1e-9 * float(np.trace(metric)) / max(len(metric), 1)
        shifted = metric + max(share, 1e-300) * np.eye(len(metric))
        return np.asarray(np.linalg.cholesky(shifted), dtype=np.float64)
