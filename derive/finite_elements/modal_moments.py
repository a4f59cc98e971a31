"""Moments of a moving structure that deforms in given modes.

Every point p, or turning piece, of the structure has the velocity

    displaced  v + w x (X_p + u_p) + u_p',     u = sum of Phi_pj eta_j
    turning    w + w x r_p + r_p',             r = sum of Phi_pj eta_j,

linear in v, w and eta'. With its mass operator G the kinetic energy is half the square of that
velocity; the coefficients of eta in it are the moments below. Displacements are small: terms are
exact to second order in eta for displaced points, to first for what turns.

With terms of second order, u = Phi eta + g(eta, eta) / 2 and r likewise, they are exact to second
order for both: a piece that is turned by the vector r of a finite rotation spins in its own axes by
w - r x w + r x (r x w) / 2 + r' - r x r' / 2. Reference: Shabana, *Dynamics of Multibody Systems*,
ch. 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array


@dataclass(frozen=True, eq=False)
class ModalMoments:
    """Coefficients for k modes, about the origin.

    mass; first (3,): h at rest; inertia (3, 3): J at rest; linear (k, 3): P; angular (k, 3): H at
    rest; internal (k, k): M; angular_rates (k, k, 3): [i, j] is dH_j/d eta_i; inertia_rates
    (k, 3, 3): dJ/d eta_i; inertia_second (k, k, 3, 3): J holds eta_i eta_j times [i, j];
    first_second (k, k, 3), if any: so does h; internal_rates (k, k, k), if any: dM/d eta_i.
    """

    mass: float
    first: Array
    inertia: Array
    linear: Array
    angular: Array
    internal: Array
    angular_rates: Array
    inertia_rates: Array
    inertia_second: Array
    first_second: Array | None = None
    internal_rates: Array | None = None


def modal_moments(
    positions: Array, turning: NDArray[np.bool_], weigh: Callable[[Array], Array], modes: Array
) -> ModalMoments:
    """Moments of n points or turning pieces.

    Parameters
    ----------
    positions : (n, 3)
    turning : (n,)
        True for pieces that turn.
    weigh : function
        G times an array whose first axis is 3 n long.
    modes : (3 n, k)
        Displacements, and rotations of what turns.
    """
    count = modes.shape[1]
    unit, spin = _unit(turning), _spin(positions, turning)
    carried = [_carried(modes[:, j]) for j in range(count)]
    heavy_unit, heavy_spin, heavy_modes = weigh(unit), weigh(spin), weigh(modes)
    heavy = [weigh(entry) for entry in carried]
    translations = np.diag(unit.T @ heavy_unit)
    moving = translations > 0  # matrices of the plane, or of bending alone, lack directions
    linear_spin = heavy_unit.T @ spin
    second = np.zeros((count, count, 3, 3))
    for i in range(count):
        for j in range(count):
            product = carried[i].T @ heavy[j]
            second[i, j] = (product + product.T) / 2
    return ModalMoments(
        mass=float(np.sum(translations)) / max(int(np.count_nonzero(moving)), 1),
        first=_first_moment(linear_spin, moving),
        inertia=spin.T @ heavy_spin,
        linear=heavy_modes.T @ unit,
        angular=heavy_modes.T @ spin,
        internal=modes.T @ heavy_modes,
        angular_rates=np.array(
            [[carried[i].T @ heavy_modes[:, j] for j in range(count)] for i in range(count)]
        ).reshape(count, count, 3),
        inertia_rates=np.array(
            [heavy_spin.T @ carried[i] + carried[i].T @ heavy_spin for i in range(count)]
        ).reshape(count, 3, 3),
        inertia_second=second,
    )


def with_second_order(
    moments: ModalMoments,
    positions: Array,
    turning: NDArray[np.bool_],
    weigh: Callable[[Array], Array],
    modes: Array,
    second: Array,
) -> ModalMoments:
    """`moments`, as of `modal_moments`, with the terms g of second order (3 n, k, k)."""
    count = modes.shape[1]
    heavy_unit, heavy_spin = weigh(_unit(turning)), weigh(_spin(positions, turning))
    turned = [turning[:, None, None] * _carried(m).reshape(-1, 3, 3) for m in modes.T]
    heavy, inertia = weigh(modes), np.zeros((count, count, 3, 3))
    internal = np.zeros((count, count, count))
    for i in range(count):
        for j in range(count):
            twice = (turned[i] @ turned[j] + turned[j] @ turned[i]) / 2
            product = heavy_spin.T @ (_carried(second[:, i, j]) + twice.reshape(-1, 3)) / 2
            inertia[i, j] = product + product.T
            spun = turned[i] @ modes[:, j].reshape(-1, 3, 1) / 2
            rate = second[:, i, j] + spun.ravel()
            moments.angular_rates[i, j] += heavy_spin.T @ rate
            internal[i, j] += heavy.T @ rate
            internal[i, :, j] += heavy.T @ rate
    return replace(
        moments,
        inertia_second=moments.inertia_second + inertia,
        first_second=np.moveaxis(np.tensordot(heavy_unit.T, second, 1), 0, 2) / 2,
        internal_rates=internal,
    )


def _unit(turning: NDArray[np.bool_]) -> Array:
    return np.where(turning[:, None, None], 0.0, np.eye(3)).reshape(-1, 3)


def _spin(positions: Array, turning: NDArray[np.bool_]) -> Array:
    return np.where(turning[:, None, None], np.eye(3), -_cross(positions)).reshape(-1, 3)


def _carried(motion: Array) -> Array:
    return -_cross(motion.reshape(-1, 3)).reshape(-1, 3)


def _first_moment(linear_spin: Array, moving: NDArray[np.bool_]) -> Array:
    """h from the block -[h]x of v and w, v.(w x h), of a row of a direction that moves."""
    h = np.zeros(3)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        h[i] = linear_spin[j, k] if moving[j] else -linear_spin[k, j]
    return h


def _cross(vectors: Array) -> Array:
    """[a]x of each row: [a]x b = a x b."""
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    rows = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]])
    return np.moveaxis(rows, 2, 0)
