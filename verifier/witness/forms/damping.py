"""Damping of modes: C = alpha M + beta K, and what the damping ratios of the modes ask for.

Modes that M or K couple oscillate together, in the eigenvectors of K v = w^2 M v, V^T M V = 1, and
C = M V diag(2 zeta w) V^T M, the ratios in the order of rising frequencies; a mode that nothing
couples has its own. Reference: Clough and Penzien, *Dynamics of Structures*, ch. 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.csgraph import connected_components

from eomc.binding.arrays import Array
from eomc.verifier.witness.forms.judged import Claim, Judged, witness_of

_COUPLED = 1e-10


@witness_of("beam", "telescopic_beam", "modal_body", "structure")
def damped(body: Judged) -> Iterator[Claim]:
    """The matrix of D, of all modes."""
    form, k = body.form, body.count
    modes = [j for j, name in enumerate(form.coordinates) if name != "length"]
    at = np.ix_(modes, modes)
    mass, stiffness = body.mass(body.rest)[6:, 6:][at], body.stiffness[at]
    alpha, beta = (body.numbers(value) for value in form.rayleigh)
    expected = np.zeros((k, k))
    expected[at] = alpha * mass + beta * stiffness
    ratios = np.array([_ratio(body, form.coordinates[j]) for j in modes])
    expected[at] += modal(mass, stiffness, ratios) + _viscous(body)
    size = float(np.abs(expected).max(initial=0.0))
    yield Claim("damping", body.damping, expected, size or float(np.abs(stiffness).max(initial=1)))


def _ratio(body: Judged, name: str) -> float:
    given: Any = body.form.damping
    if not isinstance(given, tuple):
        return body.numbers(given)
    table = dict(given)
    direction = name.rstrip("0123456789")
    return body.numbers(table.get(name, table.get(direction, 0)))


def _viscous(body: Judged) -> Any:
    """The matrix that damps a body of modes besides; of a structure that of its members."""
    given = getattr(body.form, "viscous", ())
    if body.kind == "structure":
        given = body.form.modal.viscous  # judged with the structure itself
    return np.array([body.numbers.vector(row) for row in given]) if len(given) else 0.0


def modal(mass: Array, stiffness: Array, ratios: Array) -> Array:
    """C of damping ratios, of each set of coupled modes apart."""
    if not len(ratios):
        return np.zeros((0, 0))
    sizes = [np.sqrt(np.outer(*[np.diag(matrix)] * 2)) for matrix in (mass, stiffness)]
    pairs = zip((mass, stiffness), sizes, strict=True)
    coupled = sum(np.abs(matrix) > _COUPLED * size for matrix, size in pairs)
    found = np.zeros_like(mass)
    count, labels = connected_components(coupled, directed=False)
    for label in range(count):
        own = np.flatnonzero(labels == label)
        m = mass[np.ix_(own, own)]
        squares, vectors = eigh(stiffness[np.ix_(own, own)], m)
        rates = 2 * ratios[own] * np.sqrt(np.maximum(squares, 0.0))
        found[np.ix_(own, own)] = m @ vectors @ np.diag(rates) @ vectors.T @ m
    return found
