"""Newton's method on a problem of optimal control, with a Riccati recursion in C."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.predictive.library import Recursion
from eomc.runtime.predictive.specification import require_recursion, structure, weights

if TYPE_CHECKING:
    from eomc.runtime.optimal.problem import OptimalControl
    from eomc.runtime.optimal.solvers import SolverResult

_STATUS = {
    "OK": "optimal",
    "not_converged": "no convergence within the iterations",
    "indefinite": "the problem is not convex, or its fixed end cannot be reached",
    "not_finite": "a step is not finite",
}


_MADE: WeakKeyDictionary[CompiledModel, dict[str, Recursion]] = WeakKeyDictionary()


def _recursion(model: CompiledModel, told: dict[str, Any], parameters: Any) -> Recursion:
    """One for all problems of a structure."""
    known = _MADE.setdefault(model, {})
    key = repr((told, parameters))
    if key not in known:
        known[key] = Recursion(model, told, parameters)
    return known[key]


def solve_by_recursion(
    problem: OptimalControl, guess: Array, tolerance: float, iterations: int
) -> SolverResult:
    """The optimum by sequential quadratic programs; raises ValueError for other problems."""
    from eomc.runtime.optimal.solvers import SolverResult

    require_recursion(problem, "solver 'riccati'")
    shooting, model = problem.shooting, problem.model
    told = structure(problem, shooting.exact)
    recursion = _recursion(model, told, problem.parameters)
    of_steps, centre, of_end, final_centre = weights(problem)
    rows = told["bounds"]
    numbers: list[Any] = [[shooting.h], of_steps, of_end.ravel(), [row["bound"] for row in rows]]
    numbers += [[0.0] * (2 * len(rows)), [min(tolerance, 1e-14)] if rows else []]
    numbers += [[problem.target[told["states"][place]] for place in told["fixed"]]]
    low, high, _, _ = problem.limits()
    x, v = (np.ascontiguousarray(y) for y in shooting.parted(np.clip(guess, low, high)))
    prices, multipliers = np.zeros_like(x), np.zeros((len(x), max(len(rows), 1)))
    found = np.zeros(3, dtype=np.intc)
    arrays = [np.concatenate(numbers), np.concatenate([centre, final_centre])]
    given = [*arrays, ctypes.c_double(tolerance), iterations]
    code = recursion.call("eomc_solve", given, [x, v, prices, multipliers, found])
    w = shooting.joined(x, v)
    of_x, of_v = np.zeros_like(x), np.zeros_like(v)
    for row, z in zip(rows, multipliers.T, strict=False):
        place = row["place"]
        if place < shooting.nx:
            of_x[:, place] += row["sign"] * z
        else:
            of_v[:, place - shooting.nx] += row["sign"] * z[:-1]
    of_rows, of_bounds = -prices[1:].ravel(), shooting.joined(of_x, of_v)
    lagrangian = np.concatenate([[1.0], of_rows])[shooting.jacobian_rows]
    entries = shooting.jacobian(w) * lagrangian
    slope = np.bincount(shooting.jacobian_columns, entries, shooting.size)
    of_bounds = np.where(low == high, -slope, of_bounds)
    told_status = _STATUS.get(code, code)
    if code == "infeasible":
        name = (*told["states"], *told["controls"])[found[2]]
        told_status = f"the bounds of {name!r} cannot be met at node {found[1]}"
    return SolverResult(w, of_rows, of_bounds, code == "OK", told_status, int(found[0]))
