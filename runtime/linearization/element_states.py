"""Small motions with the states z of elements behind displacements and speeds.

With z' = f(q, u, z, r) and forces Q(q, u, z), in the notation of `reduction`,

    M w' + ... = N^T Q_z dz,   dz' = f_q (N z) + f_u (N w + P z) + f_z dz + f_r dr
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from eomc.runtime.derivatives.operating_point import OperatingPoint, Surroundings
from eomc.runtime.derivatives.tree import TreeDerivatives
from eomc.runtime.linearization.reduction import ReducedModel, Reduction


def with_element_states(
    around: Surroundings,
    point: OperatingPoint,
    tree: TreeDerivatives,
    free: Reduction,
    reduced: ReducedModel,
) -> ReducedModel:
    """A and B with rows and columns of z; no second-order form then."""
    derivatives = around.call("element_state_derivatives", point.values)
    f_q, f_u, f_z, force_by_z, *f_r = (np.asarray(part, dtype=float) for part in derivatives)
    n, left = free.speed_basis, free.left
    pushed = np.linalg.solve(left.T @ tree.mass @ n, left.T @ force_by_z)
    on_z = np.vstack([np.zeros((free.basis.shape[1], len(f_z))), pushed])
    moved = np.hstack([f_q @ free.basis + f_u @ free.speed_by_z, f_u @ n])
    driven = np.hstack([np.zeros((len(f_z), around.model.nu)), *f_r])
    return replace(
        reduced,
        A=np.block([[reduced.A, on_z], [moved, f_z]]),
        B=np.vstack([reduced.B, driven]),
        second_order=None,
    )
