"""Displacements of second order of a structure that deforms in modes: its geometric stiffness.

With strains to second order in the freedoms d, the strain energy is V = d.K d / 2 + D(d, d, d) / 6.
In the displacement d = Phi eta + g(eta, eta) / 2 with

    g_ij = -K+ D(., i, j) - sum of Phi_k c_k D(k, i, j) / kappa_k,   c_k = kappa_k^4
                                                      / (kappa_i^4 + kappa_j^4 + kappa_k^4)

it is the sum of kappa eta^2 / 2 and nothing of third order, kappa = Phi^T K Phi: what the modes do
not span follows at rest (K+ is K^-1 less its part in the modes), and of what they span the stiffest
mode gives way, as a beam that keeps its length does. The work of any load F through g_ij is minus
its geometric stiffness D(K^-1 F, i, j): weight, centrifugal forces, accelerations and forces at
nodes stiffen or soften the body alike.

Rigid links hold the freedoms to second order, A d + B(d, d) / 2 = 0. Then g has a further part p
with A p = -B, and K p = 0 in all motions that the links leave: what turns as an arm leads moves its
end on a circle, the rest gives way at rest, and the energy keeps its form. Reference: Wallrapp and
Schwertassek 1991, *Representation of geometric stiffening in multibody system simulation*; Idelsohn
and Cardona 1985 (static derivatives of modes).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.reduction import lowest_modes, strained_modes
from eomc.derive.finite_elements.structure import Structure
from eomc.derive.language.errors import ModelError

_STRAINLESS = 1e-10
_UNSOLVED = 1e-9


@dataclass(frozen=True, eq=False)
class SecondOrder:
    """Terms eta_i eta_j times half the entry [..., i, j]: of the freedoms (n, k, k), and of the
    structure's material (points, 3, k, k)."""

    freedoms: Array
    material: Array

    def at(self, rows: Array, basis: Array) -> tuple[Array, Array]:
        """Coefficients (k, k, 3) of eta_i eta_j in the displacement of a node, and in its turns
        about z, then y, then x; rows (6, freedoms) of its displacement and rotation."""
        linear = rows @ basis
        second = np.tensordot(rows, self.freedoms, 1) / 2
        x, y, z = linear[3:]
        for a, sign, first, other in ((0, 1, y, z), (1, -1, x, z), (2, 1, x, y)):
            product = np.outer(first, other)  # of turns in a row for a rotation vector
            second[3 + a] += sign * (product + product.T) / 4
        turned: Array = np.moveaxis(second, 0, 2)
        return turned[..., :3], turned[..., 3:]


def displacements(
    structure: Structure, basis: Array, transform: Array, rows: Array, loose: int | None
) -> SecondOrder:
    """The terms for modes with Phi^T M Phi = 1 and Phi^T K Phi diagonal, of a structure that its
    supports and links, `rows` d = 0 to first order, hold to d = `transform` d_free; so many motions
    are `loose`, without strain, or None if that is to be found. Raises `ModelError` where rigid
    links stand at a dead centre."""
    forces = structure.second_forces(basis)
    stiffness = structure.stiffness()
    squares = np.einsum("ni,ni->i", basis, stiffness @ basis)
    shares = np.einsum("nk,nij->kij", basis, forces)
    largest = squares.max(initial=0.0)
    strained = squares > _STRAINLESS * largest
    powers = np.where(strained, squares / (largest or 1.0), 0.0) ** 4
    sums = powers[:, None, None] + powers[:, None] + powers
    shared = powers[:, None, None] / np.where(sums > 0, sums, 1.0)
    own = shares * (1 - shared) / np.where(strained, squares, np.inf)[:, None, None]
    arms = _arms(structure, basis, rows)
    freedoms = np.einsum("nk,kij->nij", basis, own) + arms
    answer = _at_rest(
        transform.T @ structure.mass_matrix() @ transform,
        transform.T @ stiffness @ transform,
        transform.T @ (forces + np.tensordot(stiffness, arms, 1)).reshape(len(stiffness), -1),
        loose,
    )
    freedoms -= (transform @ answer).reshape(freedoms.shape)
    return SecondOrder(freedoms, structure.second_motions(basis, freedoms))


def _arms(structure: Structure, basis: Array, rows: Array) -> Array:
    """Some p (freedoms, k, k) with A p = -B."""
    links = structure.second_links(basis)
    second = np.concatenate([np.zeros((len(rows) - len(links), *links.shape[1:])), links])
    flat = second.reshape(len(rows), math.prod(links.shape[1:]))
    found = np.linalg.lstsq(rows, -flat, rcond=None)[0] if np.any(flat) else 0 * rows.T @ flat
    if np.any(np.abs(rows @ found + flat) > _UNSOLVED * np.abs(flat).max(initial=0.0)):
        raise ModelError(
            "stiffening: rigid links stand at a dead centre, where they hold what they leave free "
            "to first order"
        )
    result: Array = found.reshape(len(basis), *links.shape[1:])
    return result


def _at_rest(mass: Array, stiffness: Array, forces: Array, loose: int | None) -> Array:
    """K^-1 F, where motions without strain are held."""
    if loose is None:
        held = strained_modes(mass, stiffness)[2]
    else:
        held = lowest_modes(mass, stiffness, loose)[1]
    heavy = mass @ held
    size = np.trace(stiffness) / np.trace(mass)
    answer = solve(stiffness + size * heavy @ heavy.T, forces, assume_a="pos")
    result: Array = answer - held @ (heavy.T @ answer)
    return result
