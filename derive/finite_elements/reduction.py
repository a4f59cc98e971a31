"""Reduction of finite element models to few modes.

Fixed interface (Craig and Bampton 1968): with the boundary freedoms b retained, some held and the
others i inside, the modes are the static deflections under unit displacements of b,
Psi_i = -K_ii^-1 K_ib, and the lowest modes of the inside with b held. Free: the lowest elastic
modes of the unsupported structure; they carry no momentum of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse
from scipy.linalg import eigh, null_space, qr
from scipy.sparse.linalg import eigsh, splu

from eomc.binding.arrays import Array
from eomc.derive.language.errors import ModelError

_DENSE = 1500
_STRAINLESS = 1e-10


def lowest_modes(mass: Any, stiffness: Any, count: int) -> tuple[Array, Array]:
    """(frequencies squared, modes with Phi^T M Phi = 1) of the `count` lowest.

    >>> squares, _ = lowest_modes(np.eye(2), np.diag([4.0, 9.0]), 1)
    >>> squares
    array([4.])
    """
    size = mass.shape[0]
    if count > size:
        raise ModelError(f"{count} modes of {size} freedoms; there are no more than {size}")
    if count == 0:
        return np.zeros(0), np.zeros((size, 0))
    if size <= _DENSE or count > size // 3:
        m, k = _dense(mass), _dense(stiffness)
        try:
            squares, vectors = eigh(k, m, subset_by_index=[0, count - 1])
        except np.linalg.LinAlgError:
            squares, vectors = _modes_of_semidefinite_mass(m, k, count)
        return _signed(squares, vectors)
    m, k = scipy.sparse.csc_matrix(mass), scipy.sparse.csc_matrix(stiffness)
    # shifted a little below zero, so that a free structure can be factored
    shift = -1e-3 * float(abs(k.diagonal()).max() / abs(m.diagonal()).max()) / size
    start = np.ones(size)
    squares, vectors = eigsh(k, count, m, sigma=shift, which="LM", v0=start)
    order = np.argsort(squares)
    return _signed(squares[order], vectors[:, order])


def _modes_of_semidefinite_mass(mass: Array, stiffness: Array, count: int) -> tuple[Array, Array]:
    """Modes where motions without mass follow the others: rotations of lumped masses, or what
    elements of reduced integration do not see. M v = mu (K + s M) v, omega^2 = 1/mu - s."""
    diagonal = np.diag(mass)
    weight = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    heavy = int(np.linalg.matrix_rank(mass / np.outer(weight, weight), 1e-12, hermitian=True))
    if count > heavy:
        raise ModelError(f"{count} modes of {heavy} freedoms with mass")
    shift = 1e-3 * float(np.diag(stiffness).max() / diagonal.max()) / len(mass)
    for s in (0.0, shift):
        try:
            inverse, vectors = eigh(mass, stiffness + s * mass)
        except np.linalg.LinAlgError:
            continue
        inverse, vectors = inverse[::-1][:count], vectors[:, ::-1][:, :count]
        return 1 / inverse - s, vectors / np.sqrt(inverse)
    raise ModelError(
        "the mass matrix is not positive definite, and some of its motions without mass have no "
        "strain either; take elements of full integration"
    )


def free_modes(mass: Any, stiffness: Any, count: int, rigid: int = 6) -> tuple[Array, Array]:
    """(frequencies squared, modes) of the `count` lowest elastic modes without supports.

    Raises `ModelError` if there are more or fewer than `rigid` modes without strain.
    """
    if count + rigid > (most := mass.shape[0]):
        raise ModelError(f"{count} modes of {most} freedoms, {rigid} of which move it as a whole")
    squares, modes = lowest_modes(mass, stiffness, count + rigid)
    if count == 0:
        return squares[rigid:], modes[:, rigid:]
    scale = squares[rigid]
    none = int(np.count_nonzero(np.abs(squares) < 1e-6 * abs(scale)))
    if none != rigid or scale <= 0:
        raise ModelError(
            f"the structure has not {rigid} modes without strain, but {none}; "
            "strainless='left out' keeps those of parts, such as bars across themselves, out"
        )
    return squares[rigid:], modes[:, rigid:]


def strained_modes(mass: Array, stiffness: Array) -> tuple[Array, Array, Array]:
    """(frequencies squared, modes with Phi^T M Phi = 1) of all that strains; modes of what does
    not."""
    try:
        squares, modes = eigh(stiffness, mass)
    except np.linalg.LinAlgError:
        raise ModelError("the mass matrix is not positive definite") from None
    strained = squares > _STRAINLESS * squares.max(initial=0.0)
    return squares[strained], modes[:, strained], modes[:, ~strained]


def elastic_modes(
    mass: Any, stiffness: Any, held: Sequence[int], boundary: Sequence[int], count: int
) -> Array:
    """As `fixed_interface_modes`, of what strains: motions without strain, of the whole or of parts
    (of bars across themselves), are left out."""
    size = mass.shape[0]
    inside = [i for i in range(size) if i not in set(held) | set(boundary)]
    m, k = _dense(mass), _dense(stiffness)
    squares, modes, _ = strained_modes(m[np.ix_(inside, inside)], k[np.ix_(inside, inside)])
    if count > squares.size:
        raise ModelError(f"{count} modes of {squares.size} with strain")
    result = np.zeros((size, len(boundary) + count))
    result[list(boundary), range(len(boundary))] = 1
    pulled = modes.T @ k[np.ix_(inside, list(boundary))]
    result[np.ix_(inside, range(len(boundary)))] = -modes @ (pulled / squares[:, None])
    result[inside, len(boundary) :] = _signed(squares[:count], modes[:, :count])[1]
    return result


def kept_modes(
    mass: Any, stiffness: Any, boundary: Sequence[int], count: int, whole: Array
) -> Array:
    """As `elastic_modes` with nothing held, but motions of parts without strain are the first of
    the `count` modes; columns `whole`, motions as a whole, are left out."""
    m, k, size = _dense(mass), _dense(stiffness), mass.shape[0]
    inside = [i for i in range(size) if i not in set(boundary)]
    squares, modes, loose = strained_modes(m[np.ix_(inside, inside)], k[np.ix_(inside, inside)])
    loose = beside(whole[inside], loose, m[np.ix_(inside, inside)])
    modes = np.hstack([loose, modes])
    if count > modes.shape[1]:
        raise ModelError(f"{count} modes of {modes.shape[1]}")
    if count < loose.shape[1]:
        raise ModelError(
            f"{count} modes, but there are {loose.shape[1]} motions without strain to keep"
        )
    result = np.zeros((size, len(boundary) + count))
    if boundary:
        result[:, : len(boundary)] = elastic_modes(m, k, [], boundary, 0)
    values = np.concatenate([np.arange(loose.shape[1]) - loose.shape[1], squares])
    result[inside, len(boundary) :] = _signed(values[:count], modes[:, :count])[1]
    return result


def beside(whole: Array, motions: Array, mass: Array) -> Array:
    """Combinations of the columns `motions` that carry no momentum of the columns `whole`."""
    if not whole.size or not motions.size:
        return motions
    result: Array = motions @ null_space((motions.T @ mass @ whole).T, rcond=1e-9)
    return result


def fixed_interface_modes(
    mass: Any, stiffness: Any, held: Sequence[int], boundary: Sequence[int], count: int
) -> Array:
    """Columns: one constraint mode a boundary freedom, then `count` modes of the inside.

    `held` freedoms do not move. Raises `ModelError` if the inside is not held by them.
    """
    size = mass.shape[0]
    inside = [i for i in range(size) if i not in set(held) | set(boundary)]
    m, k = scipy.sparse.csr_matrix(mass), scipy.sparse.csr_matrix(stiffness)
    k_ii = scipy.sparse.csc_matrix(k[inside][:, inside])
    _, modes = lowest_modes(m[inside][:, inside], k_ii, count)
    result = np.zeros((size, len(boundary) + count))
    for column, freedom in enumerate(boundary):
        result[freedom, column] = 1
    if boundary and inside:
        try:
            solved = splu(k_ii).solve(-k[inside][:, list(boundary)].toarray())
        except RuntimeError:
            raise ModelError("the structure is not held by its root and interfaces") from None
        result[np.ix_(inside, range(len(boundary)))] = solved
    result[inside, len(boundary) :] = modes
    return result


def static_deflections(stiffness: Any, held: Sequence[int], loaded: Sequence[int]) -> Array:
    """Columns K^-1 e_j for unit loads at the freedoms `loaded`, with `held` freedoms at rest."""
    size = stiffness.shape[0]
    free = np.setdiff1d(np.arange(size), held)
    loads = np.zeros((size, len(loaded)))
    loads[list(loaded), range(len(loaded))] = 1
    k = scipy.sparse.csc_matrix(scipy.sparse.csr_matrix(stiffness)[free][:, free])
    result = np.zeros_like(loads)
    result[free] = splu(k).solve(loads[free])
    return result


def independent(mass: Any, basis: Array) -> Array:
    """Columns of the same space that are independent by the mass matrix."""
    columns = list[Array]()
    for column in basis.T:
        size = float(column @ (mass @ column))
        for _ in range(2):  # twice is enough
            for other in columns:
                column = column - other * float(other @ (mass @ column))
        left = float(column @ (mass @ column))
        if left > 1e-10 * size:
            columns.append(column / np.sqrt(left))
    return np.column_stack(columns)


def orthogonal_modes(mass: Any, stiffness: Any, basis: Array) -> Array:
    """The same space, with Phi^T M Phi = 1 and Phi^T K Phi diagonal, by rising frequency."""
    m, k = basis.T @ (mass @ basis), basis.T @ (stiffness @ basis)
    try:
        squares, vectors = eigh((k + k.T) / 2, (m + m.T) / 2)
    except np.linalg.LinAlgError:
        raise ModelError("the mass matrix is not positive definite in the modes") from None
    return _signed(squares, basis @ vectors)[1]


def _dense(matrix: Any) -> Array:
    full = matrix.toarray() if scipy.sparse.issparse(matrix) else matrix
    return np.asarray(full, dtype=float)


def _signed(squares: Array, vectors: Array) -> tuple[Array, Array]:
    """Modes of one frequency turned such that the freedom that moves most moves in one of them
    alone; the largest entry of each mode positive: builds repeat."""
    vectors, first = vectors.copy(), 0
    for last in range(1, squares.size + 1):
        if last < squares.size and squares[last] - squares[first] <= 1e-9 * abs(squares[last]):
            continue
        if last - first > 1:
            turn, _, _ = qr(vectors[:, first:last].T, pivoting=True)
            vectors[:, first:last] = vectors[:, first:last] @ turn
        first = last
    largest = np.argmax(np.round(np.abs(vectors), 9), axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return squares, vectors * np.where(signs == 0, 1, signs)
