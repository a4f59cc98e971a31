"""Solvers of the transcribed problem: IPOPT and fatrop in CasADi, SciPy without it.

All get the same function y(w) = (cost, rows) with exact sparse derivatives from compiled code.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.solution import OptimalRun, kkt, optimal_run

if TYPE_CHECKING:
    from eomc.runtime.optimal.blocks import NonlinearProgram
    from eomc.runtime.optimal.phase import Phase


@dataclass(frozen=True)
class SolverResult:
    """Unknowns at the end, multipliers of rows and of bounds, the solver's status."""

    w: Array
    of_rows: Array
    of_bounds: Array
    success: bool
    status: str
    iterations: int


Solver = Callable[["NonlinearProgram", "Phase | None", Array, float, int], SolverResult]


def solve_phases(
    program: NonlinearProgram,
    phases: Sequence[Phase],
    guesses: Sequence[Mapping[str, Any]],
    solver: str,
    hessian: str,
    tolerance: float,
    iterations: int,
) -> list[OptimalRun]:
    """Runs of all phases by the named solver; ValueError for an unknown one, ImportError without
    CasADi."""
    if hessian not in ("exact", "gauss-newton"):
        raise ValueError(f"hessian {hessian!r}; valid: 'exact', 'gauss-newton'")
    if solver not in ("auto", *SOLVERS):
        raise ValueError(f"solver {solver!r}; valid: 'auto', {', '.join(map(repr, SOLVERS))}")
    staged = phases[0] if len(phases) == 1 and phases[0].staged else None
    second = None
    if solver == "auto":
        # fatrop, the faster one, relaxes bounds by 1e-8 and ends at costs below the optimum.
        best = "ipopt" if phases[0].problem.bounds or not staged else "fatrop"
        solver = best if find_spec("casadi") else "scipy"
        second = "ipopt" if solver == "fatrop" else None
    if solver in ("fatrop", "riccati") and staged is None:
        raise ValueError(
            f"{solver} takes single phases of shooting without free time, free parameters, soft "
            "bounds, rates and periodic states; use 'ipopt'"
        )
    program.exact = hessian == "exact"
    start = np.zeros(program.size)
    for phase, guess in zip(phases, guesses, strict=True):
        phase.put(start, guess)
    begun = time.perf_counter()
    found = SOLVERS[solver](program, staged, start, tolerance, iterations)
    if not found.success and second is not None:
        solver = second
        found = SOLVERS[solver](program, staged, start, tolerance, iterations)
    seconds = time.perf_counter() - begun
    if not found.success:
        warnings.warn(
            f"{solver} did not solve the problem: {found.status}; the run is its last iterate",
            RuntimeWarning,
            stacklevel=3,
        )
    about = {
        "statistics": {"iterations": found.iterations, "milliseconds": round(1e3 * seconds)},
        "cost": program.cost(found.w), "success": found.success, "solver": solver,
        "solver_status": found.status, "kkt": kkt(program, found),
    }  # fmt: skip
    runs, t = [], 0.0
    for phase in phases:
        runs.append(optimal_run(phase, program, found, t, about))
        t = float(runs[-1].t[-1])
    return runs


def _casadi(name: str) -> Solver:
    def run(
        program: NonlinearProgram,
        staged: Phase | None,
        guess: Array,
        tolerance: float,
        iterations: int,
    ) -> SolverResult:
        from eomc.runtime.autodiff.external import require
        from eomc.runtime.optimal.casadi_callbacks import callback

        casadi = require("casadi", "casadi", f"the solver {name!r}")
        function = callback(casadi, program)
        w = casadi.MX.sym("w", program.size)
        y = function(w)
        options: dict[str, Any] = {"print_time": False, f"{name}.max_iter": iterations}
        options |= {f"{name}.tol": tolerance, f"{name}.print_level": 0}
        if name == "ipopt":
            options |= {"ipopt.sb": "yes", "ipopt.bound_relax_factor": 0.0}
        else:
            assert staged is not None
            _, _, low, high = program.limits
            n, nx, m = len(staged.rows), staged.nx, staged.m
            rows = np.bincount(program.stages.astype(int), minlength=n + 1)
            options |= {"structure_detection": "manual", "N": n, "nx": [nx] * (n + 1)}
            options |= {"nu": [*[m] * n, 0], "ng": [*(rows[:-1] - nx).tolist(), int(rows[-1])]}
            options |= {"equality": (low == high).tolist()}
        made = casadi.nlpsol(f"ocp_{name}", name, {"x": w, "f": y[0], "g": y[1:]}, options)
        w_low, w_high, g_low, g_high = program.limits
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
    program: NonlinearProgram, staged: Phase | None, guess: Array, tolerance: float, iterations: int
) -> SolverResult:
    """Newton's method in C."""
    from eomc.runtime.optimal.riccati import solve_by_recursion

    return solve_by_recursion(program, staged, guess, tolerance, iterations)


def _scipy(
    program: NonlinearProgram, staged: Phase | None, guess: Array, tolerance: float, iterations: int
) -> SolverResult:
    """Interior point with trust region; fixed unknowns are left out."""
    from scipy.optimize import Bounds, NonlinearConstraint, minimize
    from scipy.sparse import csr_array

    w_low, w_high, g_low, g_high = program.limits
    free = np.flatnonzero(w_low < w_high)
    w = np.where(w_low < w_high, np.clip(guess, w_low, w_high), w_low)
    places = program.jacobian_rows, program.jacobian_columns

    def whole(part: Array) -> Array:
        w[free] = part
        return w

    def slopes(part: Array) -> Any:
        shape = program.height, program.size
        return csr_array((program.jacobian(whole(part)), places), shape=shape)[:, free]

    def bent(part: Array, weights: Array) -> Any:
        entries = program.hessian(whole(part), weights)
        at = program.hessian_rows, program.hessian_columns
        return csr_array((entries, at), shape=(program.size,) * 2)[free][:, free]

    still = np.zeros(program.height - 1)
    rows = NonlinearConstraint(
        lambda x: program.value(whole(x))[1:], g_low, g_high,
        jac=lambda x: slopes(x)[1:], hess=lambda x, y: bent(x, np.concatenate([[0.0], y])),
    )  # fmt: skip
    found = minimize(
        lambda x: program.cost(whole(x)), w[free], method="trust-constr",
        jac=lambda x: slopes(x)[[0]].toarray()[0],
        hess=lambda x: bent(x, np.concatenate([[1.0], still])),
        constraints=[rows], bounds=Bounds(w_low[free], w_high[free]),
        options={"gtol": 1e-2 * tolerance, "xtol": 1e-14, "barrier_tol": 1e-2 * tolerance,
                 "maxiter": max(iterations, 2000)},
    )  # fmt: skip
    of_bounds = np.zeros(program.size)
    of_bounds[free] = found.v[1]
    result = SolverResult(
        whole(found.x), found.v[0], of_bounds, False, found.message, int(found.nit)
    )
    # Its own criteria leave out complementarity.
    return replace(result, success=kkt(program, result) <= max(1e-7, tolerance))


SOLVERS: dict[str, Solver] = {
    "riccati": _riccati,
    "ipopt": _casadi("ipopt"),
    "fatrop": _casadi("fatrop"),
    "scipy": _scipy,
}
