"""Eigenvalues of the unreduced system, constraint forces among its unknowns.

    E x' = F x,   x = (xi, du, d lambda)
    E = diag(1, M, 0)
    F = [[W, 1, 0], [-(Kq - d(J^T lambda)/dq), -D, J^T], [J, 0, 0]]

J xi = 0 closes the loops. The finite eigenvalues of this pencil, by the QZ algorithm, are those of
the reduced system where the constraints are at rest; the others are infinite. Where they move, or
hold speeds alone, x = (xi, du, da, d lambda) with

    S xi' = S (W xi + du),   S du' = S da,   M da + D du + (Kq - d(G^T lambda)/dq) xi = G^T d lambda
    J xi = 0,   G du + V xi = 0,   G da + Au du + Aq xi = 0

in the notation of `constrained`, S the choice of independent coordinates.

Reference: Moler and Stewart, SIAM J. Numer. Anal. 10 (1973) 241.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import ConstraintValues
from eomc.runtime.derivatives.constraint_derivatives import (
    constraint_derivatives,
    require_redundant,
)
from eomc.runtime.derivatives.operating_point import operating_point
from eomc.runtime.derivatives.tree import TreeDerivatives, tree_derivatives
from eomc.runtime.linearization.linearize import freedoms, surrounded
from eomc.runtime.linearization.modes import canonical_order
from eomc.runtime.linearization.reduction import Reduction
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import LinearizationError

Complex = NDArray[np.complex128]

# |beta| / |alpha| of roots that are infinite but for rounding: an index-3 pencil splits them by the
# cube root of the precision.
_FINITE = 1e-3


def pencil(tree: TreeDerivatives, jacobian: Array, curvature: Array) -> tuple[Array, Array]:
    """(E, F) of E x' = F x."""
    n, m = len(tree.mass), len(jacobian)
    one, zero = np.eye(n), np.zeros
    e = np.block(
        [
            [one, zero((n, n)), zero((n, m))],
            [zero((n, n)), tree.mass, zero((n, m))],
            [zero((m, 2 * n + m))],
        ]
    )
    f = np.block(
        [
            [tree.transport, one, zero((n, m))],
            [-(tree.by_q + curvature), -tree.by_u, jacobian.T],
            [jacobian, zero((m, n)), zero((m, m))],
        ]
    )
    return e, f


def finite_eigenvalues(e: Array, f: Array, count: int | None = None) -> Complex:
    """Finite eigenvalues of f x = lambda e x by QZ; the `count` smallest if it is given."""
    import scipy.linalg

    alpha, beta = scipy.linalg.eig(f, e, right=False, homogeneous_eigvals=True)
    size_f, size_e = np.abs(f).max(initial=0.0) or 1.0, np.abs(e).max(initial=0.0) or 1.0
    weight = np.abs(beta) / size_e / np.hypot(np.abs(alpha) / size_f, np.abs(beta) / size_e)
    order = np.argsort(-weight, kind="stable")
    keep = order[:count] if count is not None else order[weight[order] > _FINITE]
    values: Complex = alpha[keep] / beta[keep]
    return values[canonical_order(values)]


def moving_pencil(
    tree: TreeDerivatives,
    at: ConstraintValues,
    derivatives: tuple[Array, Array, Array, Array],
    free: Reduction,
) -> tuple[Array, Array]:
    """(E, F) of the states z = S xi, w = S_w du with everything else among the unknowns.

    In a motion, and with constraints on speeds, J xi = 0 alone does not say what du and da obey:
    the rows of speeds and of accelerations stand beside it.
    """
    curvature, by_q, accelerated_by_q, accelerated_by_u = derivatives
    n, (m, positions), zero = len(tree.mass), (len(at.G), len(at.J)), np.zeros
    s, s_w = free.pick, free.speed_pick
    f = np.block(
        [
            [s @ tree.transport, s, zero((len(s), n + m))],
            [zero((len(s_w), 2 * n)), s_w, zero((len(s_w), m))],
            [-(tree.by_q - curvature), -tree.by_u, -tree.mass, at.G.T],
            [at.J, zero((positions, 2 * n + m))],
            [by_q, at.G, zero((m, n + m))],
            [accelerated_by_q, accelerated_by_u, at.G, zero((m, m))],
        ]
    )
    e = zero(f.shape)
    e[: len(s), :n] = s
    e[len(s) : len(s) + len(s_w), n : 2 * n] = s_w
    return e, f


def unreduced_eigenvalues(
    model: CompiledModel,
    state: Any = None,
    *,
    independent: Sequence[str] | str | None = None,
    **options: Any,
) -> Complex:
    """Finite eigenvalues of the unreduced pencil about a state; arguments of `linearize`.

    A witness of the reduced ones that shares neither bases nor their projections. At rest, under
    constraints of positions, they do not depend on `independent`. Where a loop moves they are those
    of the instant and belong to the coordinates that are chosen, as A of `linearize` does.
    """
    if model.element_states:
        raise LinearizationError(
            f"model {model.name!r}: the unreduced pencil has no states of elements; the "
            "eigenvalues of linearize take them along"
        )
    if model.has_reaction_friction:
        raise LinearizationError(
            f"model {model.name!r}: the unreduced pencil knows G^T lambda, but friction depends "
            "on lambda too; take the eigenvalues of linearize"
        )
    around, known = surrounded(model, state, options)
    point = operating_point(around, state, **known)
    tree, _ = tree_derivatives(around, point, "exact", None)
    n = model.nu
    if not model.is_constrained:
        e, f = pencil(tree, np.zeros((0, n)), np.zeros((n, n)))
        return finite_eigenvalues(e, f, 2 * n)
    at = around.constraints_at(point.values)
    derivatives = constraint_derivatives(around, point.values)
    if len(at.J) < len(at.G) or np.abs(point.u).max(initial=0.0) > 0:
        free = freedoms(around, point, independent)
        e, f = moving_pencil(tree, at, derivatives, free)
        return finite_eigenvalues(e, f, len(free.pick) + len(free.speed_pick))
    require_redundant(at)
    e, f = pencil(tree, at.J, -derivatives[0])
    return finite_eigenvalues(e, f, 2 * (n - len(at.J)))
