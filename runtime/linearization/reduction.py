"""From all displacements of a model to those that its constraints leave.

Displacements xi and speeds du of the tree obey J xi = 0 and J du + (dJu/dq) xi = 0. With a basis N
of the null space of J, S a left inverse of it (S N = 1) and z = S xi, w = S du,

    xi = N z,   du = N w + P z,   da = N w' + Rz z + Rw w,     S P = S Rz = S Rw = 0.

Without constraints N = S = 1 and the rest vanishes. Constraints on speeds alone act on w only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.tree import TreeDerivatives
from eomc.runtime.model.small_matrices import identity, lapack

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
    is_all : bool
        Nothing is constrained: bases are the identity, and all else is zero.
    is_at_rest : bool
        P, Rz and Rw are zero.
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
    is_all: bool = False
    is_at_rest: bool = False
    force_basis: Array | None = None

    @property
    def left(self) -> Array:
        """(nu, nw) What forces are projected on: `speed_basis`, or `force_basis` where forces
        depend on the multipliers, on which constraint forces and these do no work together."""
        return self.speed_basis if self.force_basis is None else self.force_basis

    @property
    def is_holonomic(self) -> bool:
        """True if there are as many speeds as displacements."""
        return self.basis.shape == self.speed_basis.shape


def unconstrained(coordinates: tuple[str, ...], speeds: tuple[str, ...]) -> Reduction:
    """Everything is free."""
    n = len(speeds)
    one, zero = np.eye(n), np.zeros((n, n))
    return Reduction(
        one, one, one, one, zero, zero, zero, coordinates, speeds, zero, np.zeros(0), is_all=True
    )


@dataclass(frozen=True)
class ReducedModel:
    """x' = A x + B v with x = (z, w), and the second-order form where there is one."""

    A: Array
    B: Array
    transport: Array
    second_order: tuple[Array, Array, Array, Array] | None
    inertia: Array


def carried(mass: Array, free: Reduction) -> Array:
    """N^T M N: the inertia of what is free."""
    return mass if free.is_all else free.speed_basis.T @ mass @ free.speed_basis


def reduce(tree: TreeDerivatives, free: Reduction, inertia: Array) -> ReducedModel:
    """Equations of what is free: projected on the basis, constraint forces do no work.

    `inertia` is what is `carried`.
    """
    if free.is_all:
        return _whole(tree)
    n, s = free.basis, free.pick
    nu_, left = free.speed_basis, free.left
    mass = _symmetric(inertia if left is nu_ else left.T @ tree.mass @ nu_)
    by_q = tree.by_q + free.curvature
    along_z, along_w = by_q @ n, tree.by_u @ nu_
    if not free.is_at_rest:
        along_z += tree.mass @ free.acceleration_by_z + tree.by_u @ free.speed_by_z
        along_w += tree.mass @ free.acceleration_by_w
    on_z, on_w = left.T @ along_z, left.T @ along_w
    forcing = left.T @ tree.forcing
    drift = free.speed_by_z + tree.transport @ n if tree.is_transported else free.speed_by_z
    rates = s @ drift
    a, b = _first_order(mass, on_z, on_w, forcing, rates)
    if not free.is_holonomic:
        a[: len(rates), len(rates) :] = s @ nu_
        return ReducedModel(a, b, rates, None, mass)
    parts = (mass, on_w, on_z, forcing)
    if tree.is_transported:
        parts = _of_rates(tree, s, n, drift, parts)
    return ReducedModel(a, b, rates, parts, mass)


def _first_order(
    mass: Array, on_z: Array, on_w: Array, forcing: Array, rates: Array
) -> tuple[Array, Array]:
    """(A, B) of z' = rates z + w, mass w' = forcing v - on_z z - on_w w."""
    nz, nw = len(rates), len(mass)
    a, b = np.zeros((nz + nw, nz + nw)), np.zeros((nz + nw, forcing.shape[1]))
    a[:nz, :nz] = rates
    if nw:
        pushed = solved(mass, np.concatenate([on_z, on_w, forcing], axis=1))
        a[nz:] = -pushed[:, : nz + nw]
        b[nz:] = pushed[:, nz + nw :]
        a[:nz, nz:] = identity(max(nz, nw))[:nz, :nw]
    return a, b


def solved(matrix: Array, right: Array) -> Array:
    """matrix^-1 right. Raises LinAlgError if the matrix is singular."""
    _, _, found, failed = lapack("dgesv")(matrix, right)
    if failed:
        raise np.linalg.LinAlgError("singular matrix")
    return np.asarray(found)


def _symmetric(mass: Array) -> Array:
    """The mass matrix without the asymmetry that is rounding."""
    skew = mass - mass.T
    # Sums of squares, without a look at each entry.
    if np.vdot(skew, skew) <= _ROUNDED**2 * np.vdot(mass, mass):
        return (mass + mass.T) / 2
    return mass


def _of_rates(
    tree: TreeDerivatives,
    s: Array,
    n: Array,
    drift: Array,
    parts: tuple[Array, Array, Array, Array],
) -> tuple[Array, Array, Array, Array]:
    """The second-order form in z' and z'' instead of w and w'.

    w = z' - W z and w' = z'' - W z' + (W W - S W' N - S W (P + W N)) z
    """
    mass, on_w, on_z, forcing = parts
    w = s @ drift
    extra = w @ w - s @ tree.transport_rate @ n - s @ tree.transport @ drift
    return mass, on_w - mass @ w, on_z - on_w @ w + mass @ extra, forcing


def _whole(tree: TreeDerivatives) -> ReducedModel:
    """The same without constraints."""
    mass = _symmetric(tree.mass)
    parts = (mass, tree.by_u, tree.by_q, tree.forcing)
    a, b = _first_order(mass, tree.by_q, tree.by_u, tree.forcing, tree.transport)
    if tree.is_transported:
        one = np.eye(len(mass))
        parts = _of_rates(tree, one, one, tree.transport, parts)
    return ReducedModel(a, b, tree.transport, parts, mass)
