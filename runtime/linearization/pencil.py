"""Eigenvalues of the unreduced system, constraint forces among its unknowns.

    E x' = F x,   x = (xi, du, d lambda)
    E = diag(1, M, 0)
    F = [[W, 1, 0], [-(Kq - d(J^T lambda)/dq), -D, J^T], [J, 0, 0]]

J xi = 0 closes the loops. The finite eigenvalues of this pencil, by the QZ algorithm, are those of
the reduced system where the constraints are at rest; the others are infinite.

Reference: Moler and Stewart, SIAM J. Numer. Anal. 10 (1973) 241.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.errors import LinearizationError
from eomc.runtime.linearization.constrained import has_constraints, rows_at
from eomc.runtime.linearization.linearize import surrounded, tree_derivatives
from eomc.runtime.linearization.modes import canonical_order
from eomc.runtime.linearization.operating_point import operating_point
from eomc.runtime.linearization.reduction import Tree

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

# |beta| / |alpha| of roots that are infinite but for rounding: an index-3 pencil splits them by the
# cube root of the precision.
_FINITE = 1e-3


def pencil(tree: Tree, jacobian: Array, curvature: Array) -> tuple[Array, Array]:
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
    alpha, beta = scipy.linalg.eig(f, e, right=False, homogeneous_eigvals=True)
    size_f, size_e = np.abs(f).max(initial=0.0) or 1.0, np.abs(e).max(initial=0.0) or 1.0
    weight = np.abs(beta) / size_e / np.hypot(np.abs(alpha) / size_f, np.abs(beta) / size_e)
    order = np.argsort(-weight, kind="stable")
    keep = order[:count] if count is not None else order[weight[order] > _FINITE]
    values: Complex = alpha[keep] / beta[keep]
    return values[canonical_order(values)]


def unreduced_eigenvalues(model: CompiledModel, state: Any = None, **options: Any) -> Complex:
    """Finite eigenvalues of the unreduced pencil about a state at rest; arguments of `linearize`.

    A witness of the reduced ones that shares neither bases nor their projections. Constraints on
    speeds alone and moving states are refused with LinearizationError.
    """
    around, known = surrounded(model, state, options)
    point = operating_point(around, state, **known)
    tree, _ = tree_derivatives(around, point, "exact", None)
    n = model.nu
    if not has_constraints(model):
        e, f = pencil(tree, np.zeros((0, n)), np.zeros((n, n)))
        return finite_eigenvalues(e, f, 2 * n)
    rows = rows_at(around.call, model, point.values)
    if len(rows.J) < len(rows.G):
        raise LinearizationError(f"model {model.name!r}: constraints on speeds have no such pencil")
    if np.abs(point.u).max(initial=0.0) > 0:
        moving = model.speeds[int(np.argmax(np.abs(point.u)))]
        raise LinearizationError(
            f"model {model.name!r}: {moving!r} moves, and the pencil of a moving loop is not "
            "constant; use the reduced modes"
        )
    curvature = np.asarray(around.call("constraint_derivatives", point.values)[0])
    e, f = pencil(tree, rows.J, -curvature)
    return finite_eigenvalues(e, f, 2 * (n - len(rows.J)))
