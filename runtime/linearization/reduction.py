"""From all displacements of a model to those that its constraints leave.

Displacements xi and speeds du of the tree obey J xi = 0 and J du + (dJu/dq) xi = 0. With a basis N
of the null space of J, S a left inverse of it (S N = 1) and z = S xi, w = S du,

    xi = N z,   du = N w + P z,   da = N w' + Rz z + Rw w,     S P = S Rz = S Rw = 0.

Without constraints N = S = 1 and the rest vanishes. Constraints on speeds alone act on w only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.derivatives.tree import Tree

Array = NDArray[np.float64]
#: Asymmetry of the mass matrix, relative, that is rounding; forces by reactions make more.
_ROUNDED = 1e-12


@dataclass(frozen=True)
class Reduction:
    """Bases of what is free.

    Attributes
    ----------
    basis, pick : (nu, nz), (nz, nu)
        N and S of the displacements.
    speed_basis, speed_pick : (nu, nw), (nw, nu)
        The same of the speeds; those of the displacements unless there are constraints on speeds.
    speed_by_z : (nu, nz)
        P.
    acceleration_by_z, acceleration_by_w : (nu, nz), (nu, nw)
        Rz and Rw.
    coordinates, speeds : names of z and w
    curvature : (nu, nu)
        -d(J^T lambda)/dq at fixed multipliers: what constraint forces add to the stiffness.
    """

    basis: Array
    pick: Array
    speed_basis: Array
    speed_pick: Array
    speed_by_z: Array
    acceleration_by_z: Array
    acceleration_by_w: Array
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    curvature: Array
    multipliers: Array
    redundant: tuple[str, ...] = ()

    @property
    def is_holonomic(self) -> bool:
        """Whether there are as many speeds as displacements."""
        return self.basis.shape == self.speed_basis.shape


def unconstrained(coordinates: tuple[str, ...], speeds: tuple[str, ...]) -> Reduction:
    """Everything is free."""
    n = len(speeds)
    one, zero = np.eye(n), np.zeros((n, n))
    return Reduction(one, one, one, one, zero, zero, zero, coordinates, speeds, zero, np.zeros(0))


@dataclass(frozen=True)
class Reduced:
    """x' = A x + B v with x = (z, w), and the second-order form where there is one."""

    A: Array
    B: Array
    transport: Array
    second_order: tuple[Array, Array, Array, Array] | None
    inertia: Array


def reduce(tree: Tree, free: Reduction) -> Reduced:
    """Equations of what is free: projected on the basis, constraint forces do no work."""
    n, s = free.basis, free.pick
    nu_ = free.speed_basis
    mass = nu_.T @ tree.mass @ nu_
    if np.abs(mass - mass.T).max(initial=0.0) <= _ROUNDED * np.abs(mass).max(initial=0.0):
        mass = (mass + mass.T) / 2
    by_q = tree.by_q + free.curvature
    on_z = nu_.T @ (tree.mass @ free.acceleration_by_z + tree.by_u @ free.speed_by_z + by_q @ n)
    on_w = nu_.T @ (tree.mass @ free.acceleration_by_w + tree.by_u @ nu_)
    forcing = nu_.T @ tree.forcing
    drift = free.speed_by_z + tree.transport @ n
    nz, nw = n.shape[1], nu_.shape[1]
    solved = np.linalg.solve(mass, np.hstack([on_z, on_w, forcing])) if nw else np.zeros((0, nz))
    lower = -solved[:, : nz + nw]
    rates = s @ drift
    upper = np.hstack([rates, s @ nu_ if not free.is_holonomic else np.eye(nz)])
    a = np.vstack([upper, lower])
    b = np.vstack([np.zeros((nz, forcing.shape[1])), solved[:, nz + nw :]])
    if not free.is_holonomic:
        return Reduced(a, b, rates, None, mass)
    if not tree.transport.any():
        return Reduced(a, b, rates, (mass, on_w, on_z, forcing), mass)
    # w = z' - W z and w' = z'' - W z' + (W W - S W' N - S W (P + W N)) z
    w = rates
    extra = w @ w - s @ tree.transport_rate @ n - s @ tree.transport @ drift
    damping = on_w - mass @ w
    stiffness = on_z - on_w @ w + mass @ extra
    return Reduced(a, b, rates, (mass, damping, stiffness, forcing), mass)
