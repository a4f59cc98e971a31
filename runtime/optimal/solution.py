"""The optimal run: a trajectory with its cost, multipliers and what binds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.mesh import interval_errors
from eomc.runtime.record.trajectory import Trajectory

if TYPE_CHECKING:
    from eomc.runtime.optimal.blocks import NonlinearProgram
    from eomc.runtime.optimal.dynamics import Step
    from eomc.runtime.optimal.phase import Phase
    from eomc.runtime.optimal.solvers import SolverResult

_CLOSE = 1e-6
"""A bound binds within this distance, relative to its size, where its multiplier is not zero."""


@dataclass(frozen=True, eq=False, repr=False)
class OptimalRun(Trajectory):
    """States at the nodes, and the controls: of shooting held from each node to the next.

    Attributes
    ----------
    cost : float
        Of all phases.
    success : bool
        Of the solver; `solver_status` is its own word.
    solver, solver_status : str
    transcription : str
        Discretization that the cost belongs to.
    binds : str
        A sentence on the bounds that hold the optimum back.
    multipliers : mapping of str to array
        "steps" (N, rows) are the derivatives of the cost by disturbances of the steps; by name of a
        quantity those of its bounds and fixed values at the nodes, positive at upper bounds.
    controls : tuple of str
    kkt : float
        Largest violation of the conditions of optimality, recomputed from values and multipliers:
        stationarity relative to the multipliers, rows and bounds.
    mesh_errors : (N,) array
        Error of the discretization in each interval, relative to ``1 + |x|``.
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
    mesh_errors: Array = field(default_factory=lambda: np.zeros(0))
    phase: Phase | None = None
    x: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def _phase(self) -> Phase:
        assert self.phase is not None  # every optimal run has it
        return self.phase

    def at_nodes(self, name: str) -> Array:
        """Values of a state at the nodes, of a control where it is one: in the N steps."""
        held = name.startswith("tau(") or name in self.inputs
        return self[name][self._phase.controlled] if held else self[name]

    def as_guess(self) -> dict[str, Callable[[Array], Array] | float]:
        """States and controls as functions of the fraction of T, T and free parameters."""
        phase = self._phase

        def over(values: Array) -> Callable[[Array], Array]:
            return lambda s: np.interp(s, phase.fractions[: len(values)], values)

        found: dict[str, Any] = dict(zip(self.coordinates, map(over, self.q.T), strict=True))
        speeds = (f"speed({name})" for name in self.speeds)
        found |= dict(zip(speeds, map(over, self.u.T), strict=True))
        found |= {name: over(self[name]) for name in self.controls}
        found |= {name: self.parameters[name] for name in phase.motion.free}
        return found | {"T": float(self.t[-1] - self.t[0])}

    def gains(self, state_weights: ArrayLike, control_weights: ArrayLike) -> Array:
        """Feedback along the run, v = v_k - K_k (x - x_k): the time-varying regulator
        of least sum of dx^T Q dx + dv^T R dv.

        Parameters
        ----------
        state_weights : Q, (nx,) diagonal or (nx, nx), also of the end
        control_weights : R, (m,) diagonal or (m, m)

        Returns K (N, m, nx) by the Riccati recursion over the linearized steps between nodes.
        Reference: Anderson and Moore, *Optimal Control: Linear Quadratic Methods* (1990), sec. 2.4.
        """
        phase, count = self._phase, self.count - 1
        names = (self[name][:-1] for name in self.controls)
        known = np.tile([self.parameters[name] for name in phase.motion.free], (count, 1))
        z = np.hstack([self.x[:-1], np.stack([*names], axis=1), known, np.diff(self.t)[:, None]])
        slopes = self._stepper.slopes(z, np.arange(count), self.t[:-1])
        nx, m = phase.nx, phase.m
        a, b = slopes[:, :, :nx], slopes[:, :, nx : nx + m]
        weights = [np.asarray(w, dtype=np.float64) for w in (state_weights, control_weights)]
        q, r = (np.diag(w) if w.ndim == 1 else w for w in weights)
        if q.shape != (nx, nx) or r.shape != (m, m):
            raise ValueError(
                f"weights of shapes {q.shape} and {r.shape}, expected {(nx, nx)} of the states "
                f"and {(m, m)} of the controls"
            )
        p, found = q, np.zeros((count, m, nx))
        for k in reversed(range(count)):
            found[k] = np.linalg.solve(r + b[k].T @ p @ b[k], b[k].T @ p @ a[k])
            p = q + a[k].T @ p @ (a[k] - b[k] @ found[k])
            p = (p + p.T) / 2
        return found

    @cached_property
    def _controls(self) -> Array:
        return np.stack([self[name] for name in self.controls], axis=1)

    @cached_property
    def _stepper(self) -> Step:
        return self._phase.stepper()

    def _control(self, k: int, t: float) -> Array:
        """Controls at t in the interval behind node k."""
        phase = self._phase
        values = self._controls
        if phase.method is None:
            held: Array = values[k]
            return held
        interval = min(
            int(np.searchsorted(phase.mesh, phase.fractions[k], "right")) - 1, len(phase.rows) - 1
        )
        points = phase.of_interval[interval]
        start, end = self.t[points[0]], self.t[points[-1]]
        blend = phase.method.interpolation((t - start) / (end - start))
        result: Array = blend @ values[points]
        return result

    def motion(self, t: float) -> tuple[Array, Array, Array]:
        """(q, u, a) at time t [s], for ``target=`` of controllers: between nodes a shorter step
        under the controls of the run; after the end at rest where it ends."""
        phase = self._phase
        k = min(int(np.searchsorted(self.t, t, side="right")) - 1, self.count - 2)
        if k < 0 or t >= self.t[-1]:
            end = 0 if k < 0 else -1
            return self.q[end], 0 * self.u[end], 0 * self.u[end]
        p = [self.parameters[name] for name in phase.motion.free]
        at, start = np.array([k]), np.array([self.t[k]])
        v = self._control(k, (self.t[k] + t) / 2)
        z = np.concatenate([self.x[k], v, p, [t - self.t[k]]])[None]
        x = self._stepper.value(z, at, start, to=at)
        here = np.concatenate([x[0], self._control(k, t), p])[None]
        known = phase.motion.known(here, at, np.array([t]))
        found = phase.motion.call("forward_dynamics", known, here)
        return known["q"][0], known["u"][0], np.asarray(found)[0]

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
        gains, c = self.gains(state_weights, control_weights), self._phase.coordinates
        places = [self.speeds.index(name[4:-1]) for name in self.controls]

        def torque(t: float, q: Array, u: Array) -> Array:
            k = int(np.clip(np.searchsorted(self.t, t, side="right") - 1, 0, len(gains) - 1))
            aim, at = self.motion(t), np.array([k])
            apart = c.reduced(q[None], u[None], at) - c.reduced(aim[0][None], aim[1][None], at)
            tau: Array = np.zeros(len(self.speeds))
            tau[places] = self._control(k, t) - gains[k] @ apart[0]
            return tau

        return torque

    def __repr__(self) -> str:
        state = "optimal" if self.success else f"not optimal ({self.solver_status})"
        told = f"cost {self.cost:.9g}; {self.transcription}; {self.binds}"
        return f"<{state} run of {self.name}: {told}>"


def optimal_run(
    phase: Phase,
    program: NonlinearProgram,
    found: SolverResult,
    start: float,
    about: Mapping[str, Any],
) -> OptimalRun:
    """The run of one phase, from the unknowns that a solver found; it begins at `start`."""
    problem, names, model, w = phase.problem, phase.problem.names, phase.problem.model, found.w
    q, u = phase.states(w)
    v = np.full((phase.count, phase.m), np.nan)
    v[phase.controlled] = w[phase.v_at]
    for k in np.setdiff1d(np.arange(phase.count), phase.controlled):  # the nearest, at the ends
        v[k] = v[phase.controlled[np.abs(phase.controlled - k).argmin()]]
    forces = np.zeros((phase.count, len(names.forces)))
    forces[:, names.control_places] = v
    multipliers = {"steps": found.of_rows[program.number[phase.rows] - 1]}
    multipliers |= dict(zip(names.states, found.of_bounds[phase.x_at].T, strict=True))
    multipliers |= dict(zip(names.controls, found.of_bounds[phase.v_at].T, strict=True))
    none, span = np.zeros((phase.count, 0)), phase.span(w)
    t = start + span * phase.fractions
    return OptimalRun(
        name=model.name, t=t,
        method=problem.method if phase.method is None else problem.transcription,
        q=q, u=u, tau=forces[:, : model.nu], r=forces[:, model.nu :],
        s=none, s_rate=none, s_acceleration=none,
        coordinates=model.coordinates, speeds=model.speeds, inputs=model.inputs,
        model=model, parameters=phase.parameters(w), transcription=_transcription(phase, span),
        binds=_binds(phase, w, t), multipliers=multipliers, controls=names.controls,
        mesh_errors=interval_errors(phase, w), phase=phase, x=w[phase.x_at], **about,
    )  # fmt: skip


def _transcription(phase: Phase, span: float) -> str:
    shares = np.diff(phase.mesh)
    even = np.allclose(shares, shares[0], rtol=1e-9)
    steps = span * shares
    h = f"h = {steps[0]:.6g} s" if even else f"h from {steps.min():.4g} to {steps.max():.4g} s"
    if phase.method is None:
        how = "controls held, cost h times the sum over the steps"
        return f"multiple shooting, {phase.problem.method}, N = {len(shares)}, {h}, {how}"
    return f"{phase.method.title}, N = {len(shares)}, {h}, controls at the nodes of the method"


def kkt(program: NonlinearProgram, found: SolverResult) -> float:
    """Stationarity, feasibility and complementarity."""
    w_low, w_high, g_low, g_high = program.limits
    rows = program.value(found.w)[1:]
    weights = np.concatenate([[1.0], found.of_rows])
    entries = program.jacobian(found.w) * weights[program.jacobian_rows]
    slope = np.bincount(program.jacobian_columns, entries, program.size) + found.of_bounds
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


def _binds(phase: Phase, w: Array, t: Array) -> str:
    """A sentence: which quantity is at which bound, where."""
    names, told = phase.problem.names, []
    x, v, at = w[phase.x_at], w[phase.v_at], np.arange(phase.count)
    z = np.full((phase.count, phase.motion.width), 0.0)
    z[:, : phase.nx] = x
    z[phase.controlled, phase.nx : phase.nx + phase.m] = v
    z[:, phase.nx + phase.m :] = w[phase.p_at]
    values = dict(zip((*names.states, *names.controls), (*x.T, *v.T), strict=True))
    values |= dict(zip(phase.outputs.names, phase.outputs.value(z, at, t).T, strict=True))
    for name, sides in phase.problem.bounds.items():
        for bound, word in zip(sides, ("lower", "upper"), strict=True):
            if not np.isfinite(bound):
                continue
            near = np.abs(values[name] - bound) <= _CLOSE * max(1.0, abs(bound))
            beyond = values[name] > bound if word == "upper" else values[name] < bound
            near = near | beyond if name in phase.problem.soft else near
            places = np.flatnonzero(near)
            if len(places):
                times = t[phase.controlled] if len(near) < len(t) else t
                told.append(
                    f"{name} is at its {word} bound {bound:g} at {len(places)} of {len(near)} "
                    f"nodes, from {times[places[0]]:.4g} to {times[places[-1]]:.4g} s"
                )
    span = phase.span(w)
    for bound, word in zip(phase.problem.t_bounds, ("lower", "upper"), strict=True):
        if phase.horizon.free and abs(span - bound) <= _CLOSE * bound:
            told.append(f"T is at its {word} bound {bound:g} s")
    return "; ".join(told) or "no bound is reached"
