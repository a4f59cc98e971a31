"""A reach of the Panda arm from rest to rest by direct collocation, solved by IPOPT.

States x_k = (q, u) and torques tau_k at N + 1 nodes, defects of the trapezoidal rule,

    x_(k+1) - x_k = h/2 (f_k + f_(k+1)),   f = (u, a(q, u, tau)),

torques within their limits, the least h sum |tau/limit|^2. Reference: Betts, *Practical methods for
optimal control and estimation using nonlinear programming*, 2nd ed., SIAM 2010, ch. 4.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

LIMITS = np.array([87.0] * 4 + [12.0] * 3)
START = np.array([0, -0.5, 0, -2, 0, 1.5, 0.7])
END = np.array([1, 0.3, -0.4, -1.2, 0.5, 2, 0])
NODES, DURATION = 41, 1.0


@dataclass(frozen=True)
class ReachSolution:
    """Solution that IPOPT found, and its cost in time.

    `jacobian` is the time of one evaluation of the Jacobian of the defects, `iteration` that of one
    iteration [s].
    """

    objective: float
    iterations: int
    success: bool
    states: Array
    jacobian: float
    iteration: float


def solve(casadi: Any, dynamics: Any, *, exact: bool = False, nodes: int = NODES) -> ReachSolution:
    """The reach with a = dynamics(q, u, tau), a function of CasADi; `exact` takes its Hessian."""
    n, h = len(START), DURATION / (nodes - 1)
    x, tau = casadi.MX.sym("x", 2 * n, nodes), casadi.MX.sym("tau", n, nodes)
    q, u = x[:n, :], x[n:, :]
    rates = casadi.vertcat(u, dynamics.map(nodes)(q, u, tau))
    defects = x[:, 1:] - x[:, :-1] - h / 2 * (rates[:, 1:] + rates[:, :-1])
    relative = tau / casadi.repmat(casadi.DM(LIMITS), 1, nodes)
    z = casadi.vertcat(casadi.vec(x), casadi.vec(tau))
    ends = casadi.vertcat(q[:, 0] - START, u[:, 0], q[:, -1] - END, u[:, -1])
    constraints = casadi.vertcat(casadi.vec(defects), ends)
    problem = {"x": z, "f": h * casadi.sumsqr(relative), "g": constraints}
    options = {
        "ipopt": {
            "print_level": 0,
            "tol": 1e-8,
            "hessian_approximation": "exact" if exact else "limited-memory",
        },
        "print_time": False,
        "ipopt.sb": "yes",
    }
    solver = casadi.nlpsol("reach", "ipopt", problem, options)
    share = np.linspace(0, 1, nodes)
    guess = np.vstack([START[:, None] + share * (END - START)[:, None], np.zeros((n, nodes))])
    first = np.concatenate([guess.ravel(order="F"), np.zeros(n * nodes)])
    bound = np.concatenate([np.full(2 * n * nodes, np.inf), np.tile(LIMITS, nodes)])
    begin = time.perf_counter()
    found = solver(x0=first, lbx=-bound, ubx=bound, lbg=0, ubg=0)
    seconds = time.perf_counter() - begin
    jacobian = casadi.Function("jacobian", [z], [casadi.jacobian(constraints, z)])
    iterations = int(solver.stats()["iter_count"])
    return ReachSolution(
        float(found["f"]),
        iterations,
        bool(solver.stats()["success"]),
        np.array(found["x"])[: 2 * n * nodes].reshape((2 * n, nodes), order="F"),
        _evaluation(jacobian, first),
        seconds / max(1, iterations),
    )


def _evaluation(function: Any, at: Array, times: int = 20) -> float:
    """Seconds of one call, the fastest of some."""
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        function(at)
        seconds.append(time.perf_counter() - begin)
    return min(seconds)
