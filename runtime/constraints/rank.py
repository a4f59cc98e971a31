"""The rank of constraints, and what is wrong where they lose it, in the model's words."""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import ConstraintValues
from eomc.runtime.model.small_matrices import lapack

RANK = 1e-9
"""Singular values below this fraction of the largest count as zero."""

_PLAIN = 1e-12
"""Share of the sum of their squares above which the square of none is near that."""


def numerical_rank(matrix: Array) -> int:
    """Number of singular values that are not zero to rounding.

    >>> numerical_rank(np.array([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    m, n = map(int, matrix.shape)
    if not matrix.size:
        return 0
    if m <= n:
        # A factor of J J^T less a share far above rounding: no singular value is needed then.
        gram = matrix @ matrix.T
        gram.reshape(-1)[:: m + 1] -= _PLAIN * np.vdot(matrix, matrix)
        if not lapack("dpotrf")(gram)[1]:
            return m
    _, values, _, failed = lapack("dgesdd")(matrix, compute_uv=0)
    if failed:
        raise np.linalg.LinAlgError("the singular values of the constraints were not found")
    least = RANK * max(float(values[0]), 1e-300)
    return sum(value > least for value in values.tolist())


def shortest(matrix: Array, right: Array) -> Array:
    """The shortest x for which matrix x comes nearest to `right`; rank is judged by `RANK`.

    >>> shortest(np.array([[2.0, 0.0]]), np.array([3.0])).tolist()
    [1.5, 0.0]
    """
    m, n = matrix.shape
    if not matrix.size:
        return np.zeros(n)
    whole = right if m >= n else np.concatenate([right, np.zeros(n - m)])
    _, x, _, _, _, failed = lapack("dgelss")(matrix, whole, cond=RANK)
    if failed:
        raise np.linalg.LinAlgError("the singular values of the constraints were not found")
    found: Array = x[:n]
    return found


def solutions(matrix: Array, right: Array | None = None) -> tuple[Array, Array]:
    """(x, N): all x + N y solve matrix x = right, to rounding; x is the shortest, N orthonormal.

    Where there is no solution x is nearest to one. Without `right` it is zero.

    >>> x, N = solutions(np.array([[2.0, 0.0]]), np.array([3.0]))
    >>> x.tolist(), np.abs(N).tolist()
    ([1.5, 0.0], [[0.0], [1.0]])
    """
    n = matrix.shape[1]
    if not matrix.size:
        return np.zeros(n), np.eye(n)
    left, values, turned = np.linalg.svd(matrix)
    rank = int((values > RANK * max(float(values[0]), 1e-300)).sum())
    if right is None:
        return np.zeros(n), turned[rank:].T
    x: Array = turned[:rank].T @ ((left[:, :rank].T @ right) / values[:rank])
    return x, turned[rank:].T


def hidden(at: ConstraintValues) -> str | None:
    """The text about rows that the equations leave out and that hold more here; None if none do."""
    constraints, model = at.constraints, at.constraints.model
    if not model.redundant:
        return None
    found = numerical_rank(constraints.scaled(at.closure_jacobian, constraints.closure_names))
    kept = len(constraints.positions)
    if found <= kept:
        return None
    return (
        f"model {model.name!r}: its constraints have rank {found}, not {kept} as in its equations: "
        f"redundant rows ({', '.join(model.redundant)}) hold more with these parameters, or on "
        "this branch; bake the parameters in, or declare guesses on the branch"
    )


def singularity(at: ConstraintValues, doing: str = "", where: str = "there") -> str | None:
    """The text about a configuration of another rank; None if the rows are independent there.

    It names the rank, the row that depends on the others, and the speed that no row holds, or the
    rows that the equations leave out.
    """
    constraints, model = at.constraints, at.constraints.model
    jacobian = constraints.scaled(at.G, constraints.names)
    m, rank = len(jacobian), numerical_rank(jacobian)
    if rank == m:
        return hidden(at)
    left, _, _ = np.linalg.svd(jacobian)
    row = at.constraints.names[int(np.argmax(np.abs(left[:, -1])))]
    loose = model.speeds[int(np.argmin(np.linalg.norm(jacobian, axis=0)))]
    return (
        f"model {model.name!r}: singular configuration{doing}: its {m} constraints have rank "
        f"{rank} {where}; {row!r} depends on the others, and coordinate {loose!r} moves them least"
    )
