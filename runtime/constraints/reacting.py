"""Forces that depend on the multipliers of constraints, as friction of bearings in loops does.

M a + c(lambda) = tau + G^T lambda is linear in lambda no more: derivatives by it are

    P = G^T + dQ/dlambda

and what does no work on P, in the place of the natural orthogonal complement K of G,

    K' = K - X^T (X P)^-T P^T K,   X G^T = 1,   P^T K' = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import IndependentConstraints

_STEPS, _SETTLED = 50, 1e-14


def without_multipliers(basis: Array, gradients: Array, by_multipliers: Array) -> Array:
    """K' (nu, n) of the basis K (nu, n), G (m, nu) and P (nu, m)."""
    left = np.linalg.pinv(gradients.T)
    share = np.linalg.solve((left @ by_multipliers).T, by_multipliers.T @ basis)
    found: Array = basis - left.T @ share
    return found


def forces_taken(
    constraints: IndependentConstraints, values: Mapping[str, Any], multipliers: Array
) -> tuple[Array, Array]:
    """M a + c (nu,) at multipliers, and dQ/dlambda (nu, m)."""
    at = {**values, "multipliers": multipliers}
    taken, by = (
        np.asarray(constraints.excitation.call(function, at), dtype=np.float64)
        for function in ("inverse_dynamics", "forces_by_multipliers")
    )
    return taken, by.reshape(len(taken), len(multipliers))


def settled(step: Callable[[Array], Array], count: int) -> Array:
    """Multipliers that a step of Newton's method leaves where they are, from zeros.

    Raises FloatingPointError where they do not settle: the mechanism jams.
    """
    multipliers: Array = np.zeros(count)
    for _ in range(_STEPS):
        found = step(multipliers)
        if not np.isfinite(found).all():
            break
        change = float(np.abs(found - multipliers).max(initial=0.0))
        multipliers = found
        if change <= _SETTLED * (1.0 + float(np.abs(multipliers).max(initial=0.0))):
            return multipliers
    raise FloatingPointError(
        "no multipliers go with this motion, or more than one: friction under reactions jams"
    )
