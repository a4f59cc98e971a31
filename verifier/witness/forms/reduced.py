"""The modes of a structure on its supports, and the displacements of second order in them.

What supports and links leave free is a null space, whose lowest modes follow by eigenvalues; with
interfaces, of the static shapes of their freedoms beside the modes of the rest. To second order

    g_ij = p_ij - sum of Phi_k c_k D(k, i, j) / kappa_k - what follows at rest,

with D the third derivatives of the strain energy, c_k = kappa_k^4 / (kappa_i^4 + kappa_j^4 +
kappa_k^4), and A p = -B of the links. Reference: Idelsohn and Cardona 1985.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh, null_space

from eomc.binding.arrays import Array
from eomc.verifier.witness.forms.assembly import Assembly

__all__ = ["ReducedModes", "reduced", "station_rows"]

_STRAINLESS, _ROUNDING = 1e-10, 2e-14


@dataclass(frozen=True, eq=False)
class ReducedModes:
    """Modes (size, k) with Phi^T M Phi = 1, their frequencies squared, and the body's origin.

    `doubt` is what rounding beside the highest frequency of the structure does to them.
    """

    structure: Assembly
    basis: Array
    squares: Array
    origin: Array
    free: Array
    stiffness: Array
    mass: Array
    doubt: float

    def terms(self, basis: Array) -> Array | None:
        """g (size, k, k), with stiffening, in modes `basis` of the same space."""
        structure = self.structure
        if not structure.form.stiffening:
            return None
        kappa = np.maximum(np.einsum("ni,ni->i", basis, self.stiffness @ basis), 0.0)
        k = len(kappa)
        forces = structure.second_forces(basis)
        shares = np.tensordot(basis.T, forces, 1)
        powers = (kappa / max(float(kappa.max(initial=0.0)), 1e-300)) ** 4
        sums = powers[:, None, None] + powers[:, None] + powers
        within = np.where(sums > 0, powers[:, None, None] / np.where(sums > 0, sums, 1), 1.0)
        arms = self._arms(basis)
        loads = forces + np.tensordot(self.stiffness, arms, 1)
        # At rest under the loads but for their part in the modes.
        f = self.free.T @ loads.reshape(len(loads), k * k)
        inner = self.free.T @ self.stiffness @ self.free
        moving = self.free.T @ self.mass @ self.free
        values, vectors = _eigen(inner, moving)
        strained = _strained(structure, values)
        own = vectors[:, strained]
        answer = self.free @ (own @ ((own.T @ f) / values[strained][:, None]))
        g = arms - answer.reshape(arms.shape)
        back = np.where(kappa > 0, 1 / np.where(kappa > 0, kappa, 1), 0.0)[:, None, None]
        return np.asarray(g + np.tensordot(basis, shares * (1 - within) * back, 1))

    def _arms(self, basis: Array) -> Array:
        """Some p (size, k, k) that the links ask for."""
        k = basis.shape[1]
        alone = self.structure.link_values(basis)[1]
        both = (basis[:, :, None] + basis[:, None, :]).reshape(len(basis), k * k)
        whole = self.structure.link_values(both)[1].reshape(len(alone), k, k)
        second = whole - alone[:, :, None] - alone[:, None, :]
        held = self.structure.held()
        rows = np.zeros((len(held), k * k))
        passive = self.structure.size - len(self.structure.active)
        first = len(held) - passive - len(second)
        rows[first : first + len(second)] = -second.reshape(len(second), k * k)
        found = np.linalg.lstsq(held, rows, rcond=None)[0]
        return np.asarray(found.reshape(len(basis), k, k))


def reduced(structure: Assembly, count: int) -> ReducedModes | None:
    """The modes that a body of so many has; None of motions without strain that are kept."""
    form = structure.form
    if form.strainless == "kept":
        return None
    free = null_space(structure.held(), rcond=1e-10)
    stiffness, none = structure.stiffness(), np.zeros((structure.size, 0))
    mass = sum(piece.rows.T @ piece.inertia @ piece.rows for piece in structure.pieces(none))
    mass = np.asarray(mass)
    k, m = free.T @ stiffness @ free, free.T @ mass @ free
    bound = [
        c for name in form.interfaces for c in structure.columns(str(name)) if c in structure.active
    ]
    columns = None
    if bound:
        inside = int(form.modes) if isinstance(form.modes, int) else count - len(bound)
        columns = _interfaces(free[bound], k, m, inside, form.strainless)
    if columns is None:
        every, vectors = _eigen(k, m)
        strained = _strained(structure, every)
        basis = vectors[:, strained][:, :count]
        every = every[strained]
    else:
        every, mixed = eigh(columns.T @ k @ columns, columns.T @ m @ columns)
        kept = every > _STRAINLESS * every.max() if form.strainless == "left out" else ...
        basis = (columns @ mixed)[:, kept]
        every = np.append(every[kept], _eigen(k, m)[0][-1])
    squares = np.einsum("ni,ni->i", basis, k @ basis)
    origin = np.zeros(3) if form.root is None else structure.nodes[str(form.root)]
    if basis.shape[1] != count:
        return None
    apart = np.diff(every[: count + 1])
    near = float(apart[apart > 1e-6 * every[:-1][: len(apart)]].min(initial=every[0]))
    doubt = _ROUNDING * float(every.max()) / max(near, 1e-300)
    return ReducedModes(structure, free @ basis, squares, origin, free, stiffness, mass, doubt)


def _strained(structure: Assembly, squares: Array) -> Any:
    """True for modes that strain: all but the motions as a whole, where others are refused."""
    form = structure.form
    if form.strainless != "refused":
        return squares > _STRAINLESS * squares.max(initial=0.0)
    whole = 0 if form.supports or form.root is not None else 3 if form.planar else 6
    return np.arange(len(squares)) >= whole


def _interfaces(held: Array, k: Array, m: Array, count: int, strainless: str) -> Array:
    """Static shapes of unit freedoms of interfaces, and modes where these are held."""
    inner = null_space(held)
    squares, vectors = _eigen(inner.T @ k @ inner, inner.T @ m @ inner)
    strained = squares > _STRAINLESS * squares.max(initial=0.0) * (strainless != "refused")
    own, unit = inner @ vectors[:, strained], np.linalg.pinv(held)
    static = unit - own @ ((own.T @ k @ unit) / squares[strained][:, None])
    return np.hstack([static, own[:, :count]])


def _eigen(k: Array, m: Array) -> tuple[Array, Array]:
    """Modes by rising frequency; freedoms without mass follow the others at rest."""
    heavy, vectors = np.linalg.eigh(m)
    moves = heavy > 1e-12 * heavy.max(initial=0.0)
    if moves.all():
        squares, modes = eigh(k, m)
        return squares, modes
    light, carried = vectors[:, ~moves], vectors[:, moves]
    follow = carried - light @ np.linalg.solve(light.T @ k @ light, light.T @ k @ carried)
    squares, modes = eigh(follow.T @ k @ follow, follow.T @ m @ follow)
    return squares, follow @ modes


def station_rows(structure: Assembly, name: str) -> Array:
    """Rows (6, size) of the displacement and the turn of a node."""
    form, own = structure.form, structure.columns(name)
    rows = np.zeros((6, structure.size))
    kept = [k for k in range(6) if own[k] in structure.active]
    rows[kept, [own[k] for k in kept]] = 1
    kind = dict(form.turning).get(name) if isinstance(form.turning, tuple) else form.turning
    if kind is None or any(k > 2 for k in kept):
        return rows
    here = np.zeros(3) if form.root is None else structure.nodes[str(form.root)]
    moves = np.eye(structure.size)
    if kind == "secant":
        arm = structure.nodes[name] - here
        square = float(arm @ arm)
        rows[3:] = np.cross(arm, rows[:3].T).T / square if square else 0
        return rows
    arms, apart = [], []
    ends = {b if a == name else a for a, b in structure.pairs if name in (a, b)}
    for other in sorted(ends):
        d = structure.nodes[other] - structure.nodes[name]
        arms.append(np.array([[0, d[2], -d[1]], [-d[2], 0, d[0]], [d[1], -d[0], 0]]))
        apart.append(moves[structure.columns(other, 3)] - rows[:3])
    axes = [2] if form.planar else [0, 1, 2]
    fit = np.linalg.pinv(np.concatenate(arms)[:, axes], rcond=1e-6)
    rows[[3 + a for a in axes]] = fit @ np.concatenate(apart)
    rows[:, [c for c in range(structure.size) if c not in structure.active]] = 0
    return rows
