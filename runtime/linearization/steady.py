"""Second-order form about a steady motion, in the coordinates that are left after cyclic ones.

A displacement that acts on nothing but other such ones is cyclic: where a vehicle stands, how far
its wheels have turned. Of the others z_c, with the speeds w and their mass matrix W,

    z_c' = R z_c + E w,      W w' + D w + F z_c = f

w = P (z_c' - R z_c) + N y,   P = W^-1 E^T (E W^-1 E^T)^-1,   E N = 0,   P^T W N = 0

splits the speeds into those that move z_c and others y, such as the speed of travel, which have
no inertia in common. Where y acts on nothing else either, P^T D N = 0,

    M z_c'' + C z_c' + K z_c = P^T f,
    M = P^T W P,   C = P^T D P - M R,   K = P^T F - P^T D P R.

Reference: Meijaard, Papadopoulos, Ruina and Schwab, *Linearized dynamics equations for the balance
and steer of a bicycle*, Proc. R. Soc. A 463 (2007) 1955, section 5.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.linearization.linear_model import LinearModel
from eomc.runtime.model.errors import LinearizationError

__all__ = ["without_cyclic"]


#: Of the largest entry: what is less is zero.
_NOTHING = 1e-9


def without_cyclic(linear: LinearModel) -> LinearModel:
    """The model in the displacements that are left, and their rates; see `LinearModel`.

    Raises LinearizationError if there are none, if their rates are not free, or if other speeds act
    on them.
    """
    if linear.element_states or linear.inertia is None:
        raise LinearizationError(
            f"{linear.name!r} has no second-order form: elements have states of their own; use "
            "A, B, C, D"
        )
    import scipy.linalg

    left = _left(linear)
    names = tuple(linear.coordinates[k] for k in left)
    nz = len(linear.coordinates)
    r, e = linear.A[np.ix_(left, left)], linear.A[left, nz:]
    _require_free(linear, names, e)
    w = linear.inertia
    shared = np.linalg.solve(w, e.T)
    p = shared @ np.linalg.inv(e @ shared)
    d, f = -w @ linear.A[nz:, nz:], -w @ linear.A[np.ix_(range(nz, len(linear.A)), left)]
    _require_alone(linear, names, p.T @ d @ scipy.linalg.null_space(e), p.T @ d)
    mass = p.T @ w @ p
    damping = p.T @ d @ p
    stiffness = p.T @ f - damping @ r
    damping = damping - mass @ r
    forcing = p.T @ w @ linear.B[nz:]
    solved = np.linalg.solve(mass, np.hstack([stiffness, damping, forcing]))
    n = len(left)
    a = np.block([[np.zeros((n, n)), np.eye(n)], [-solved[:, :n], -solved[:, n : 2 * n]]])
    states = (*names, *(f"rate({name})" for name in names))
    return replace(
        linear,
        states=states,
        outputs=states,
        coordinates=names,
        A=a,
        B=np.vstack([np.zeros((n, forcing.shape[1])), solved[:, 2 * n :]]),
        C=np.eye(2 * n),
        D=np.zeros((2 * n, forcing.shape[1])),
        basis=linear.basis[:, left],
        transport=np.zeros((n, n)),
        second_order=(mass, damping, stiffness, forcing),
        inertia=mass,
    )


def _left(linear: LinearModel) -> list[int]:
    """Places of the displacements that act on something else than cyclic ones."""
    size = _NOTHING * (float(np.abs(linear.A).max(initial=0.0)) or 1.0)
    left = list(range(len(linear.coordinates)))
    speeds = list(range(len(linear.coordinates), len(linear.A)))
    while True:
        acts = [k for k in left if np.abs(linear.A[[*left, *speeds], k]).max(initial=0.0) > size]
        if acts == left:
            break
        left = acts
    if not left:
        raise LinearizationError(f"{linear.name!r}: all displacements are cyclic; use A, B, C, D")
    return left


def _require_free(linear: LinearModel, names: tuple[str, ...], e: Array) -> None:
    if np.linalg.matrix_rank(e, tol=_NOTHING * np.abs(e).max(initial=0.0)) < len(e):
        raise LinearizationError(
            f"{linear.name!r} has no second-order form in {', '.join(names)}: constraints on the "
            "speeds alone tie their rates; use A, B, C, D"
        )


def _require_alone(
    linear: LinearModel, names: tuple[str, ...], coupling: Array, whole: Array
) -> None:
    if np.abs(coupling).max(initial=0.0) > _NOTHING * np.abs(whole).max(initial=0.0):
        worst = names[int(np.argmax(np.abs(coupling).max(axis=1)))]
        raise LinearizationError(
            f"{linear.name!r} has no second-order form in {', '.join(names)}: other speeds act on "
            f"{worst!r}, as that of travel does in a turn; use A, B, C, D"
        )
