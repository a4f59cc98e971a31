"""The optimal run: a trajectory with its cost, multipliers and what binds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.record.trajectory import Trajectory

if TYPE_CHECKING:
    from eomc.runtime.optimal.problem import OptimalControl
    from eomc.runtime.optimal.shooting import MultipleShooting
    from eomc.runtime.optimal.solvers import SolverResult

_CLOSE = 1e-6
"""A bound binds within this distance, relative to its size, where its multiplier is not zero."""


@dataclass(frozen=True, eq=False, repr=False)
class OptimalRun(Trajectory):
    """States at the nodes and the controls that are held from each to the next.

    Attributes
    ----------
    cost : float
    success : bool
        Of the solver; `solver_status` is its own word.
    solver, solver_status : str
    transcription : str
        Discretization that the cost belongs to.
    binds : str
        A sentence on the bounds that hold the optimum back.
    multipliers : mapping of str to array
        "steps" (N, nx) are the derivatives of the cost by disturbances of the steps; by name of a
        quantity those of its bounds and fixed values at the nodes, positive at upper bounds.
    controls : tuple of str
    kkt : float
        Largest violation of the conditions of optimality, recomputed from values and multipliers:
        stationarity relative to the multipliers, rows and bounds.
    """

    cost: float = np.nan
    success: bool = False
    solver: str = ""
    solver_status: str = ""
    transcription: str = ""
    binds: str = ""
    kkt: float = np.nan
    multipliers: Mapping[str, Array] = field(default_factory=dict)
    controls: tuple[str, ...] = ()
    shooting: MultipleShooting | None = None

    def at_nodes(self, name: str) -> Array:
        """Values of a state at the N + 1 nodes, of a control in the N steps."""
        held = name.startswith("tau(") or name in self.inputs
        return self[name][:-1] if held else self[name]

    def gains(self, state_weights: ArrayLike, control_weights: ArrayLike) -> Array:
        """Feedback along the run, v = v_k - K_k (x - x_k): the time-varying regulator
        of least sum of dx^T Q dx + dv^T R dv.

        Parameters
        ----------
        state_weights : Q, (nx,) diagonal or (nx, nx), also of the end
        control_weights : R, (m,) diagonal or (m, m)

        Returns K (N, m, nx) by the Riccati recursion over the linearized steps. Reference:
        Anderson and Moore, *Optimal Control: Linear Quadratic Methods* (1990), sec. 2.4.
        """
        x = np.hstack([self.q, self.u])[:-1]
        v = np.stack([self.at_nodes(name) for name in self.controls], axis=1)
        assert self.shooting is not None  # every optimal run has it
        a, b = self.shooting.derivatives(x, v)
        weights = [np.asarray(w, dtype=np.float64) for w in (state_weights, control_weights)]
        q, r = (np.diag(w) if w.ndim == 1 else w for w in weights)
        if q.shape != a.shape[1:] or r.shape != (v.shape[1],) * 2:
            raise ValueError(
                f"weights of shapes {q.shape} and {r.shape}, expected {a.shape[1:]} of the states "
                f"and {(v.shape[1],) * 2} of the controls"
            )
        p, found = q, np.zeros((len(a), v.shape[1], len(q)))
        for k in reversed(range(len(a))):
            found[k] = np.linalg.solve(r + b[k].T @ p @ b[k], b[k].T @ p @ a[k])
            p = q + a[k].T @ p @ (a[k] - b[k] @ found[k])
            p = (p + p.T) / 2
        return found

    def motion(self, t: float) -> tuple[Array, Array, Array]:
        """(q, u, a) at time t [s], for ``target=`` of controllers: between nodes a shorter step of
        the same method; after the end at rest where it ends."""
        assert self.model is not None and self.shooting is not None  # every optimal run has both
        k = min(int(np.searchsorted(self.t, t, side="right")) - 1, self.count - 2)
        if k < 0 or t >= self.t[-1]:
            end = 0 if k < 0 else -1
            return self.q[end], 0 * self.u[end], 0 * self.u[end]
        x = np.concatenate([self.q[k], self.u[k]])
        v = np.array([self.at_nodes(name)[k] for name in self.controls])
        moved = self.shooting.moved(x, v, self.t[k], t - self.t[k])
        q, u, a = np.split(moved, 3)  # one speed for each coordinate
        return q, u, a

    def feedback(
        self, state_weights: ArrayLike, control_weights: ArrayLike
    ) -> Callable[[float, Array, Array], Array]:
        """tau(t, q, u) = tau_k - K_k (x - x(t)) with the `gains`, for ``controller=`` of
        `eomc.simulate`. Raises ValueError where inputs are controls, which no controller sets."""
        given = [name for name in self.controls if name in self.inputs]
        if given:
            raise ValueError(
                f"feedback: the controls {', '.join(given)} are inputs, not generalized forces; "
                "apply gains() to them in the law of inputs="
            )
        gains = self.gains(state_weights, control_weights)
        places = [self.speeds.index(name[4:-1]) for name in self.controls]

        def torque(t: float, q: Array, u: Array) -> Array:
            k = int(np.clip(np.searchsorted(self.t, t, side="right") - 1, 0, len(gains) - 1))
            wanted = self.motion(t)
            tau: Array = self.tau[k].copy()
            tau[places] -= gains[k] @ np.concatenate([q - wanted[0], u - wanted[1]])
            return tau

        return torque

    def __repr__(self) -> str:
        state = "optimal" if self.success else f"not optimal ({self.solver_status})"
        told = f"cost {self.cost:.9g}; {self.transcription}; {self.binds}"
        return f"<{state} run of {self.name}: {told}>"


def optimal_run(
    problem: OptimalControl, found: SolverResult, solver: str, seconds: float
) -> OptimalRun:
    """The run of the unknowns that a solver found."""
    shooting, names, model = problem.shooting, problem.names, problem.model
    x, v = shooting.parted(found.w)
    count, n = shooting.count, shooting.n
    forces = np.zeros((count + 1, len(names.forces)))
    forces[:, names.control_places] = np.vstack([v, v[-1:]])
    limits = problem.limits()
    multipliers = {"steps": _steps(shooting, found.of_rows)}
    of_x, of_v = shooting.parted(found.of_bounds)
    multipliers |= dict(zip(names.states, of_x.T, strict=True))
    multipliers |= dict(zip(names.controls, of_v.T, strict=True))
    none = np.zeros((count + 1, 0))
    return OptimalRun(
        name=model.name, method="rk4", t=np.linspace(0.0, problem.t_span, count + 1),
        q=x[:, :n], u=x[:, n:], tau=forces[:, :n], r=forces[:, n:],
        s=none, s_rate=none, s_acceleration=none,
        coordinates=model.coordinates, speeds=model.speeds, inputs=model.inputs,
        model=model, parameters=dict(problem.parameters),
        statistics={"iterations": found.iterations, "milliseconds": round(1e3 * seconds)},
        cost=shooting.cost(found.w), success=found.success, solver=solver,
        solver_status=found.status,
        transcription=f"multiple shooting, rk4, N = {count}, h = {shooting.h:.6g} s, controls "
        "held, cost h times the sum over the steps",
        binds=_binds(problem, x, v, multipliers), kkt=_kkt(problem, found, limits),
        multipliers=multipliers, controls=names.controls, shooting=shooting,
    )  # fmt: skip


def _steps(shooting: Any, of_rows: Array) -> Array:
    height = (shooting.height - 1 - len(shooting.last)) // shooting.count
    result: Array = of_rows[: height * shooting.count].reshape(-1, height)[:, : shooting.nx]
    return result


def _kkt(problem: OptimalControl, found: SolverResult, limits: tuple[Array, ...]) -> float:
    """Stationarity, feasibility and complementarity."""
    shooting = problem.shooting
    w_low, w_high, g_low, g_high = limits
    rows = shooting.value(found.w)[1:]
    weights = np.concatenate([[1.0], found.of_rows])
    entries = shooting.jacobian(found.w) * weights[shooting.jacobian_rows]
    slope = np.bincount(shooting.jacobian_columns, entries, shooting.size) + found.of_bounds
    free = w_low < w_high
    scale = max(1.0, float(np.abs(weights).max()))
    worst = float(np.abs(slope[free]).max(initial=0.0)) / scale
    for y, low, high, price in (
        (found.w, w_low, w_high, found.of_bounds),
        (rows, g_low, g_high, found.of_rows),
    ):
        outside = np.maximum(low - y, y - high).max(initial=0.0)
        between = low < high
        gap = np.where(price > 0, high - y, y - low)
        gap = np.where(between & np.isfinite(gap), gap, 0.0)
        slack = float(np.abs(price * gap).max(initial=0.0)) / scale
        worst = max(worst, float(outside), slack)
    return worst


def _binds(problem: OptimalControl, x: Array, v: Array, multipliers: Mapping[str, Array]) -> str:
    """A sentence: which quantity is at which bound, where."""
    values = dict(zip((*problem.names.states, *problem.names.controls), (*x.T, *v.T), strict=True))
    h, told = problem.shooting.h, []
    values |= dict(zip(problem.shooting.outputs.names, problem.shooting.outputs.value(
        x[:, : problem.shooting.n]).T, strict=True))  # fmt: skip
    for name, sides in problem.bounds.items():
        for bound, word in zip(sides, ("lower", "upper"), strict=True):
            if not np.isfinite(bound):
                continue
            at = np.flatnonzero(np.abs(values[name] - bound) <= _CLOSE * max(1.0, abs(bound)))
            if len(at):
                told.append(
                    f"{name} is at its {word} bound {bound:g} at {len(at)} of {len(values[name])} "
                    f"nodes, from {h * at[0]:.4g} to {h * at[-1]:.4g} s"
                )
    return "; ".join(told) or "no bound is reached"
