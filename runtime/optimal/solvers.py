"""Solvers of the transcribed problem: IPOPT and fatrop in CasADi, SciPy without it.

All get the same function y(w) = (cost, rows) with exact sparse derivatives from compiled code.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.optimal.solution import OptimalRun, optimal_run

if TYPE_CHECKING:
    from eomc.runtime.optimal.problem import OptimalControl


@dataclass(frozen=True)
class SolverResult:
    """Unknowns at the end, multipliers of rows and of bounds, the solver's status."""

    w: Array
    of_rows: Array
    of_bounds: Array
    success: bool
    status: str
    iterations: int


def solve(
    problem: OptimalControl, guess: Array, solver: str, tolerance: float, iterations: int
) -> OptimalRun:
    """The run of the named solver; ValueError for an unknown one, ImportError without CasADi."""
    if solver not in ("auto", *SOLVERS):
        raise ValueError(f"solver {solver!r}; valid: 'auto', {', '.join(map(repr, SOLVERS))}")
    if solver == "auto":
        # fatrop, the faster one, relaxes bounds by 1e-8 and ends at costs below the optimum.
        best = "ipopt" if problem.bounds else "fatrop"
        solver = best if find_spec("casadi") else "scipy"
    start = time.perf_counter()
    found = SOLVERS[solver](problem, guess, tolerance, iterations)
    if not found.success:
        warnings.warn(
            f"{solver} did not solve the problem: {found.status}; the run is its last iterate",
            RuntimeWarning,
            stacklevel=3,
        )
    return optimal_run(problem, found, solver, time.perf_counter() - start)


def _casadi(name: str) -> Callable[[OptimalControl, Array, float, int], SolverResult]:
    def run(
        problem: OptimalControl, guess: Array, tolerance: float, iterations: int
    ) -> SolverResult:
        from eomc.runtime.autodiff.external import require
        from eomc.runtime.optimal.casadi_callbacks import callback

        casadi = require("casadi", "casadi", f"the solver {name!r}")
        function = callback(casadi, problem.shooting)
        w = casadi.MX.sym("w", problem.shooting.size)
        y = function(w)
        options: dict[str, Any] = {"print_time": False, f"{name}.max_iter": iterations}
        options |= {f"{name}.tol": tolerance, f"{name}.print_level": 0}
        if name == "ipopt":
            options |= {"ipopt.sb": "yes", "ipopt.bound_relax_factor": 0.0}
        else:
            shooting = problem.shooting
            path, n = len(shooting.equality) // shooting.count - shooting.nx, shooting.count
            last = [len(shooting.last)]
            options |= {"structure_detection": "manual", "equality": shooting.equality, "N": n}
            options |= {"nx": [shooting.nx] * (n + 1), "nu": [*[shooting.m] * n, 0]}
            options |= {"ng": [*[path] * n, *last]}
        made = casadi.nlpsol(f"ocp_{name}", name, {"x": w, "f": y[0], "g": y[1:]}, options)
        w_low, w_high, g_low, g_high = problem.limits()
        got = made(x0=guess, lbx=w_low, ubx=w_high, lbg=g_low, ubg=g_high)
        stats = made.stats()
        x, rows, bounds = (np.array(got[key]).ravel() for key in ("x", "lam_g", "lam_x"))
        status = str(stats["return_status"])
        if status.isdigit():  # fatrop numbers them
            status = f"it ended with status {status} after {stats['iter_count']} iterations"
        return SolverResult(
            x, rows, bounds, bool(stats["success"]), status, int(stats["iter_count"])
        )

    return run


def _riccati(
    problem: OptimalControl, guess: Array, tolerance: float, iterations: int
) -> SolverResult:
    from eomc.runtime.optimal.riccati import solve_by_recursion

    return solve_by_recursion(problem, guess, tolerance, iterations)


def _scipy(
    problem: OptimalControl, guess: Array, tolerance: float, iterations: int
) -> SolverResult:
    """Interior point with trust region; fixed unknowns are left out."""
    from scipy.optimize import Bounds, NonlinearConstraint, minimize
    from scipy.sparse import csr_array

    shooting = problem.shooting
    w_low, w_high, g_low, g_high = problem.limits()
    free = np.flatnonzero(w_low < w_high)
    w = np.where(w_low < w_high, np.clip(guess, w_low, w_high), w_low)
    places = shooting.jacobian_rows, shooting.jacobian_columns

    def whole(part: Array) -> Array:
        w[free] = part
        return w

    def slopes(part: Array) -> Any:
        shape = shooting.height, shooting.size
        return csr_array((shooting.jacobian(whole(part)), places), shape=shape)[:, free]

    def bent(part: Array, weights: Array) -> Any:
        entries = shooting.hessian(whole(part), weights)
        at = shooting.hessian_rows, shooting.hessian_columns
        return csr_array((entries, at), shape=(shooting.size,) * 2)[free][:, free]

    still = np.zeros(shooting.height - 1)
    rows = NonlinearConstraint(
        lambda x: shooting.value(whole(x))[1:], g_low, g_high,
        jac=lambda x: slopes(x)[1:], hess=lambda x, y: bent(x, np.concatenate([[0.0], y])),
    )  # fmt: skip
    found = minimize(
        lambda x: shooting.cost(whole(x)), w[free], method="trust-constr",
        jac=lambda x: slopes(x)[[0]].toarray()[0],
        hess=lambda x: bent(x, np.concatenate([[1.0], still])),
        constraints=[rows], bounds=Bounds(w_low[free], w_high[free]),
        options={"gtol": tolerance, "xtol": 1e-14, "barrier_tol": tolerance,
                 "maxiter": max(iterations, 2000)},
    )  # fmt: skip
    of_bounds = np.zeros(shooting.size)
    of_bounds[free] = found.v[1]
    kept = found.optimality <= 1e2 * tolerance and found.constr_violation <= 1e-8
    success = bool(kept) or found.status == 1
    return SolverResult(
        whole(found.x), found.v[0], of_bounds, success, found.message, int(found.nit)
    )


SOLVERS = {
    "riccati": _riccati,
    "ipopt": _casadi("ipopt"),
    "fatrop": _casadi("fatrop"),
    "scipy": _scipy,
}
