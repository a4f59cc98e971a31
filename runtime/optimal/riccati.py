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
    from eomc.runtime.optimal.blocks import NonlinearProgram
    from eomc.runtime.optimal.phase import Phase
    from eomc.runtime.optimal.solvers import SolverResult

_STATUS = {
    "OK": "optimal",
    "not_converged": "no convergence within the iterations",
    "indefinite": "the problem is not convex, or its fixed end cannot be reached",
    "not_finite": "a step is not finite",
}


_MADE: WeakKeyDictionary[CompiledModel, dict[str, Recursion]] = WeakKeyDictionary()


def _recursion(model: CompiledModel, spec: dict[str, Any], parameters: Any) -> Recursion:
    """One for all problems of a structure."""
    known = _MADE.setdefault(model, {})
    key = repr((spec, parameters))
    if key not in known:
        known[key] = Recursion(model, spec, parameters)
    return known[key]


def solve_by_recursion(
    program: NonlinearProgram, staged: Phase | None, guess: Array, tolerance: float, iterations: int
) -> SolverResult:
    """The optimum by sequential quadratic programs; raises ValueError for other problems."""
    from eomc.runtime.optimal.solvers import SolverResult

    assert staged is not None
    problem, model, nx = staged.problem, staged.problem.model, staged.nx
    require_recursion(problem, "solver 'riccati'")
    spec = structure(problem, program.exact)
    recursion = _recursion(model, spec, problem.parameters)
    of_steps, centre, of_end, final_centre = weights(problem)
    rows = spec["bounds"]
    numbers: list[Any] = [[problem.t_span / problem.nodes], of_steps, of_end.ravel()]
    numbers += [[row["bound"] for row in rows], [0.0] * (2 * len(rows))]
    numbers += [[min(tolerance, 1e-14)] if rows else []]
    numbers += [[problem.target[spec["states"][place]] for place in spec["fixed"]]]
    low, high, _, _ = program.limits
    w = np.clip(guess, low, high)
    x, v = (np.ascontiguousarray(w[at]) for at in (staged.x_at, staged.v_at))
    prices, multipliers = np.zeros_like(x), np.zeros((len(x), max(len(rows), 1)))
    found = np.zeros(3, dtype=np.intc)
    arrays = [np.concatenate(numbers), np.concatenate([centre, final_centre])]
    given = [*arrays, ctypes.c_double(tolerance), iterations]
    code = recursion.call("eomc_solve", given, [x, v, prices, multipliers, found])
    w[staged.x_at], w[staged.v_at] = x, v
    of_bounds = np.zeros(program.size)
    for row, z in zip(rows, multipliers.T, strict=False):
        place = row["place"]
        if place < nx:
            of_bounds[staged.x_at[:, place]] += row["sign"] * z
        else:
            of_bounds[staged.v_at[:, place - nx]] += row["sign"] * z[:-1]
    of_rows = np.zeros(program.height - 1)
    of_rows[program.number[staged.rows] - 1] = -prices[1:]
    lagrangian = np.concatenate([[1.0], of_rows])[program.jacobian_rows]
    entries = program.jacobian(w) * lagrangian
    slope = np.bincount(program.jacobian_columns, entries, program.size)
    of_bounds = np.where(low == high, -slope, of_bounds)
    status = _STATUS.get(code, code)
    if code == "infeasible":
        name = (*spec["states"], *spec["controls"])[found[2]]
        status = f"the bounds of {name!r} cannot be met at node {found[1]}"
    return SolverResult(w, of_rows, of_bounds, code == "OK", status, int(found[0]))
