"""A problem of optimal control on a model, stated in one call and checked before it is solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.model.arguments import taken
from eomc.runtime.model.state import initial_state
from eomc.runtime.names.near_names import require_known
from eomc.runtime.optimal import checks
from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.blocks import NonlinearProgram
from eomc.runtime.optimal.coordinates import (
    IndependentCoordinates,
    QuaternionCoordinates,
    TreeCoordinates,
)
from eomc.runtime.optimal.dynamics import StepMethod
from eomc.runtime.optimal.phase import Phase
from eomc.runtime.optimal.quantities import Expression, Quantities, numbers
from eomc.runtime.optimal.solution import OptimalRun
from eomc.runtime.optimal.solvers import solve_phases

Values = Mapping[str, Any] | ArrayLike

_REFINEMENTS = 6


def ocp(
    model: Any,
    t_span: float | tuple[float, float],
    nodes: int | ArrayLike,
    start: Values | None,
    target: Values | None = None,
    *,
    controls: Sequence[str] | None = None,
    cost: Mapping[str, Any] | None = None,
    final_cost: Mapping[str, Any] | ArrayLike | None = None,
    time_cost: float = 0.0,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    soft: Mapping[str, Any] | None = None,
    rates: Mapping[str, tuple[float, float]] | None = None,
    periodic: Sequence[str] | Mapping[str, float] = (),
    final_set: tuple[ArrayLike, float] | None = None,
    outputs: Mapping[str, Expression] | None = None,
    parameters: Mapping[str, float] | None = None,
    free: Mapping[str, tuple[float, float]] | None = None,
    independent: Sequence[str] | None = None,
    transcription: str = "shooting",
    method: StepMethod = "rk4",
) -> OptimalControl:
    """A problem of optimal control, ready to be solved.

        minimize    int sum_i w_i (y_i(x, v) - c_i)^2 dt + final cost at T + time_cost T
        subject to  x' = f(x, v), start, target, bounds

    by multiple shooting, x_{k+1} = F(x_k, v_k), one step with v_k held over it and the cost h times
    the sum over the steps; or by collocation.

    Quantities are named as the channels of a run: ``elbow``, ``speed(elbow)``, ``tau(elbow)``, an
    input; ``tip.x`` is the position of a frame [m]; energies, outputs of elements, and `outputs`.

    Parameters
    ----------
    model : a model, compiled or not
        Smooth, without prescribed motion and internal states of elements.
    t_span : T [s], or (lower, upper) where T is free
    nodes : N, number of intervals, or their ends by T, from 0 to 1
    start, target : mappings of names to values, or arrays (nq,); target optional
        An array is a configuration at rest. Values may be pairs (lower, upper), or None where free.
        What a mapping does not name is zero at the start, and free at the end. A start of None is
        free as a whole.
    controls : names of controls
        By default the inputs of the model, or the generalized forces of all its speeds.
    cost, final_cost : mappings of name to w, or to (w, c)
        Squares over time, and at the end; also of free parameters. A matrix (nx, nx) as final cost
        is that of (x_N - target)^T P (x_N - target).
    time_cost : weight of T
    bounds : mapping of name to (lower, upper)
        At every node; infinite where there is none.
    soft : mapping of names in bounds to rho, or to (rho, w)
        The bounds may be exceeded by s >= 0 for the cost rho s + w s^2 / 2 at each node.
    rates : mapping of names of controls to (lower, upper) of their rates between nodes
    periodic : names of states that end where they start, or by how much later they are larger
    final_set : (P, c)
        (x_N - target)^T P (x_N - target) <= c in place of the target itself.
    outputs : mapping of new names to functions of the channels, ``lambda c: c["tip.x"] ** 2``
    parameters, free : values of tunable parameters; those to be found, with their bounds
    independent : names of independent coordinates of a model with loops
    transcription : "shooting", "trapezoid", "hermite-simpson", "radau"
    method : step of shooting, "rk4", or of stiff models without loops "midpoint", implicit

    Raises ValueError that names what is wrong.

    References: Betts, *Practical Methods for Optimal Control and Estimation* (2010), ch. 3-4; Diehl
    and Gros, *Numerical Optimal Control* (2024), ch. 12.
    """
    given = {name: value for name, value in locals().items() if name != "model"}
    return OptimalControl(model, given)


class OptimalControl:
    """A checked problem; see `ocp`. `solve` finds the optimal run.

    Attributes
    ----------
    start, target : values of the unknown states at the start, and of what is fixed at the end
    start_limits, target_limits : pairs by name
    """

    def __init__(self, model: Any, given: Mapping[str, Any]) -> None:
        self._given = given
        self._read(given)
        self.model = taken(model)
        checks.require_smooth(self.model, self.t_bounds[0] < self.t_bounds[1], self.transcription)
        require_known(self.parameters, self.model.parameters, "parameters: no")
        require_known(self.free, self.model.parameters, "free: no")
        self.coordinates = self._coordinates(given["start"], given["independent"])
        expressions = checks.functions(given["outputs"])
        states = self.coordinates.names
        self.names = Quantities(self.model, given["controls"], states, expressions)
        self._check_names()
        self.start_state, self.start_limits = self._start(given["start"])
        self.start = self._reduced(*self.start_state)
        self.center, self.target_q = self.start.copy(), self.start_state[0].copy()
        self.target_limits = self._target(given["target"])
        self._set_center()
        if given["final_set"] is not None:
            self.target_limits = {}
        self.target = {n: a for n, (a, b) in self.target_limits.items() if a == b}
        size = len(states)
        self.final_matrix = checks.form("final_cost", self._matrix, size)
        self.final_set = checks.level_set(given["final_set"], size)
        used = (*self.cost, *self.final_cost, *self.bounds, *self.target_limits)
        self.outputs = [n for n in self.names.outputs if n in used]
        checks.inside("start", self.start_limits, self.bounds, self.soft)
        checks.inside("target", self.target_limits, self.bounds, self.soft)

    def _read(self, given: Mapping[str, Any]) -> None:
        """Read and check all that needs no model."""
        self.t_bounds = checks.horizon(given["t_span"])
        self.t_span = sum(self.t_bounds) / 2
        self.mesh = checks.mesh(given["nodes"])
        self.nodes = len(self.mesh) - 1
        self.transcription = checks.transcription(given["transcription"])
        self.method = checks.method(given["method"], self.transcription)
        final = given["final_cost"]
        self._matrix = None if final is None or isinstance(final, Mapping) else final
        self.cost = checks.terms("cost", given["cost"])
        self.final_cost = checks.terms("final_cost", final if self._matrix is None else None)
        self.time_cost = numbers("time_cost", {"T": given["time_cost"]})["T"]
        self.bounds = checks.limits("bounds", given["bounds"])
        self.rates = checks.limits("rates", given["rates"])
        self.free = checks.limits("free", given["free"])
        self.soft = checks.soft(given["soft"], self.bounds)
        self.periodic = checks.shifts(given["periodic"])
        self.parameters = numbers("parameters", checks.named("parameters", given["parameters"]))

    def _coordinates(self, start: Any, chosen: Sequence[str] | None) -> TreeCoordinates:
        model = self.model
        if model.is_constrained:
            if self.method != "rk4":
                raise ValueError(
                    f"ocp: method {self.method!r} does not take loops, as of model {model.name!r}"
                )
            if model.coordinates != model.speeds:
                raise ValueError(
                    f"ocp: model {model.name!r} has loops and quaternions; optimal control takes "
                    "loops of joints with one coordinate for each speed"
                )
            q = checks.assembled(model, start, self.parameters)
            return IndependentCoordinates(model, q, chosen, self.parameters or None)
        if chosen is not None:
            raise ValueError(f"independent: model {model.name!r} has no loops")
        return (TreeCoordinates if model.coordinates == model.speeds else QuaternionCoordinates)(
            model
        )

    def _check_names(self) -> None:
        names, free = self.names, tuple(self.free)
        names.check("cost", list(self.cost), "states", "controls", "outputs")
        names.check("final_cost", list(self.final_cost), "states", "outputs", more=free)
        names.check("bounds", list(self.bounds), "states", "controls", "outputs")
        names.check("rates", list(self.rates), "controls")
        names.check("periodic", list(self.periodic), "states")

    # -- both ends -------------------------------------------------------------------------------

    def _reduced(self, q: Array, u: Array) -> Array:
        """x of one state; turns are zero at the reference."""
        c = self.coordinates
        c.set_guess(q[None])
        found: Array = c.reduced(q[None], u[None], np.zeros(1, dtype=int))[0]
        return found

    def _start(self, given: Values | None) -> tuple[tuple[Array, Array], checks.Limits]:
        model, states = self.model, self.names.states
        if given is None or model.is_constrained:
            q = checks.assembled(model, given, self.parameters)
            u = np.zeros(model.nu)
        if given is None:
            return (q, u), {}
        pairs: checks.Limits = {}
        if isinstance(given, Mapping):
            known = [*model.coordinates, *(f"speed({name})" for name in model.speeds)]
            self.names.check("start", list(given), more=known)
            pairs = checks.pairs("start", given)
            values = {name: checks.middle(pair) for name, pair in pairs.items()}
            if not model.is_constrained:
                q = initial_state(
                    model, {n: x for n, x in values.items() if n in model.coordinates}, None
                ).q
                u = np.zeros(model.nu)
                if self.coordinates.exact:  # what is not named is zero
                    q = np.array([values.get(n, 0.0) for n in model.coordinates])
            u = np.array([values.get(f"speed({name})", 0.0) for name in model.speeds])
            if model.is_constrained:
                c = self.coordinates
                u = c.full(c.reduced(q[None], u[None], np.zeros(1, int)), np.zeros(1, int))[1][0]
        elif not model.is_constrained:
            q = checks.configuration("start", given, model.nq)
            q, u = initial_state(model, q, None).q, np.zeros(model.nu)
        x = self._reduced(q, u)
        return (q, u), {n: pairs.get(n, (x[k], x[k])) for k, n in enumerate(states)}

    def _target(self, given: Values | None) -> checks.Limits:
        names, model = self.names, self.model
        if given is None:
            return {}
        entries = list(names.quaternion_entries)
        if isinstance(given, Mapping):
            names.check("target", list(given), "states", "outputs", more=entries)
            pairs = checks.pairs("target", given)
        elif model.is_constrained:
            raise ValueError(
                f"target: model {model.name!r} has loops, so that its coordinates depend on each "
                f"other; name values of independent ones only: {', '.join(names.states)}"
            )
        else:
            q = checks.configuration("target", given, model.nq)
            pairs = {n: (x, x) for n, x in zip(model.coordinates, q.tolist(), strict=True)}
            pairs |= {f"speed({name})": (0.0, 0.0) for name in model.speeds}
        checks.not_more_than_free(pairs, model, self.coordinates.n)
        for k, name in enumerate(model.coordinates):
            if name in pairs:
                self.target_q[k] = checks.middle(pairs[name])
        turned = [name for name in entries if name in pairs]
        if turned:
            self.target_q = initial_state(model, self.target_q, None).q
            pairs = {n: pair for n, pair in pairs.items() if n not in turned}
            pairs |= {n: (0.0, 0.0) for n in names.states if n.startswith("turn(")
                      and n[5:-1] in turned}  # fmt: skip
        return pairs

    def _set_center(self) -> None:
        for k, name in enumerate(self.names.states):
            known = self.target_limits.get(name)
            speed = k >= self.coordinates.n
            self.center[k] = checks.middle(known) if known else 0.0 if speed else self.center[k]

    # -- guess and solution ----------------------------------------------------------------------

    @cached_property
    def program(self) -> NonlinearProgram:
        """The transcribed problem, numbers of unknowns and rows."""
        return self._transcribed[0]

    @cached_property
    def phase(self) -> Phase:
        """Its states, controls and steps."""
        return self._transcribed[1]

    @cached_property
    def _transcribed(self) -> tuple[NonlinearProgram, Phase]:
        program = NonlinearProgram()
        phase = Phase(self, program)
        return program.close(), phase

    def guessed(self, given: Mapping[str, ArrayLike], phase: Phase) -> tuple[Array, Array, Array]:
        """q, u at all nodes and controls where there are some."""
        model, s = self.model, phase.fractions[:, None]
        q0, u0 = self.start_state
        if self.coordinates.exact or model.is_constrained:
            q = q0 + s * (self.target_q - q0)
        else:
            along = np.asarray(model.function("difference")(q0, self.target_q))
            q = np.asarray(model.function("integrate")(np.tile(q0, (len(s), 1)), s * along))
            q[-1] = self.target_q
        u = np.zeros((len(s), model.nu))
        u[0] = u0
        for k, name in enumerate(model.speeds):
            u[-1, k] = checks.middle(self.target_limits.get(f"speed({name})", (0.0, 0.0)))
        v = np.zeros((len(phase.controlled), len(self.names.controls)))
        speeds = [f"speed({name})" for name in model.speeds]
        known = {name: (q, k) for k, name in enumerate(model.coordinates)}
        known |= {name: (u, k) for k, name in enumerate(speeds)}
        known |= {name: (v, k) for k, name in enumerate(self.names.controls)}
        self.names.check("guess", list(given), more=[*known, *self.free, "T"])
        ends = q[[0, -1]]
        for name, values in given.items():
            if name in known:
                part, k = known[name]
                times = phase.fractions[phase.controlled] if part is v else phase.fractions
                part[:, k] = checks.over_nodes(name, values, times, self.mesh)
        fixed = {n for n in self.names.states if n.startswith("turn(")}
        for end, limits in ((0, self.start_limits), (-1, self.target_limits)):
            if fixed & set(limits):  # the reference at an end is what is fixed there
                q[end] = ends[end]
        if not all(np.isfinite(part).all() for part in (q, u, v)):
            raise ValueError("guess is not finite")
        return q, u, v

    def guess(self, given: Mapping[str, ArrayLike] | None = None) -> Array:
        """First values of all unknowns: a straight line of positions, speeds and controls zero,
        but for what is given by name at the nodes, of controls in the N steps."""
        program, phase = self.program, self.phase
        w = np.zeros(program.size)
        phase.put(w, given or {})
        return w

    def solve(
        self,
        guess: Mapping[str, ArrayLike] | OptimalRun | None = None,
        *,
        solver: str = "auto",
        hessian: str = "exact",
        tolerance: float = 1e-10,
        iterations: int = 500,
        refine: float | None = None,
    ) -> OptimalRun:
        """The optimal run; where the solver gives up, its last iterate, with a warning.

        Parameters
        ----------
        guess : mapping of names to values at the nodes, or a former optimal run
            "T" and free parameters by name, too.
        solver : "riccati", "fatrop", "ipopt", "scipy"
            "auto" takes fatrop for single phases without bounds, IPOPT for all others and where
            fatrop gives up, and SciPy where CasADi is not installed.
        hessian : "exact", or "gauss-newton", which leaves second derivatives of steps and outputs
        tolerance, iterations : of the solver
        refine : largest error of an interval
            Intervals with larger ones are halved, and the problem is solved again, six times at
            most. Errors are relative to ``1 + |x|``.
        """
        if refine is not None and not refine > 0:
            raise ValueError(f"refine is {refine!r}; give an error above zero")
        given, on = (solver, hessian, tolerance, iterations), self
        run = solve_phases(on.program, [on.phase], [as_guess(guess)], *given)[0]
        for _ in range(0 if refine is None else _REFINEMENTS):
            coarse = run.mesh_errors > refine if run.success else np.array(False)
            if not coarse.any():
                break
            middles = (on.mesh[:-1] + on.mesh[1:])[coarse] / 2
            on = OptimalControl(on.model, {**on._given, "nodes": np.sort([*on.mesh, *middles])})
            run = solve_phases(on.program, [on.phase], [as_guess(run)], *given)[0]
        return run


def as_guess(given: Mapping[str, ArrayLike] | OptimalRun | None) -> Mapping[str, Any]:
    if isinstance(given, OptimalRun):
        return given.as_guess()
    if given is not None and not isinstance(given, Mapping):
        raise ValueError("guess: give a mapping of names to values at the nodes, or a former run")
    return given or {}
