"""States at which the cases are evaluated: drawn once for all from a fixed seed."""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.systems.free_flyer import FreeFlyer

SEED = 1996
# Away from the representation singularity of the Euler angles, where S_0 is not invertible.
_LARGEST_PITCH = 1.2


def random_states(flyer: FreeFlyer, count: int, seed: int = SEED) -> tuple[Array, Array]:
    """q and q', (count, N) each, in the literature's order; no entry is zero."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-np.pi, np.pi, (count, flyer.degrees_of_freedom))
    q[:, : 2 if flyer.planar else 3] = rng.uniform(-2, 2, (count, 2 if flyer.planar else 3))
    if not flyer.planar:
        q[:, 4] = rng.uniform(-_LARGEST_PITCH, _LARGEST_PITCH, count)
    return q, rng.uniform(-1, 1, q.shape)


def euler_rates_matrix(angles: Array) -> Array:
    """S_0 (..., 3, 3) in numbers: base rates from the rates of (alpha, beta, gamma)."""
    alpha, beta = angles[..., 0], angles[..., 1]
    ca, sa, cb, sb = np.cos(alpha), np.sin(alpha), np.cos(beta), np.sin(beta)
    zero, one = np.zeros_like(ca), np.ones_like(ca)
    rows = ((one, zero, -sb), (zero, ca, sa * cb), (zero, -sa, ca * cb))
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def euler_parameters(angles: Array) -> Array:
    """(epsilon, eta) (..., 4) of (alpha, beta, gamma): half-angle products, R_z R_y R_x."""
    half = np.asarray(angles) / 2
    c, s = np.cos(half), np.sin(half)
    (ca, cb, cg), (sa, sb, sg) = (np.moveaxis(v, -1, 0) for v in (c, s))
    return np.stack(
        [
            sa * cb * cg - ca * sb * sg,
            ca * sb * cg + sa * cb * sg,
            ca * cb * sg - sa * sb * cg,
            ca * cb * cg + sa * sb * sg,
        ],
        axis=-1,
    )


def quasi_speeds(q: Array, rates: Array) -> Array:
    """v = (R', ^0omega_0, theta') of q' in Euler-angle rates."""
    speeds = rates.copy()
    speeds[..., 3:6] = np.einsum(
        "...ij,...j->...i", euler_rates_matrix(q[..., 3:6]), rates[..., 3:6]
    )
    return speeds


def parameter_coordinates(q: Array) -> Array:
    """q with Euler parameters (..., N+1) of q with Euler angles."""
    return np.concatenate([q[..., :3], euler_parameters(q[..., 3:6]), q[..., 6:]], axis=-1)
