"""Model predictive control: a problem of optimal control, solved anew at each sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.reference import Reference, ReferenceMotion, reference_motion
from eomc.runtime.difference import DifferenceEquation, NotEmittableError
from eomc.runtime.names.near_names import require_known
from eomc.runtime.predictive.library import Recursion
from eomc.runtime.predictive.specification import Soft, require_recursion, structure, weights

_FAILURES = {
    "not_converged": "the iterations of the quadratic program were too few",
    "not_finite": "an argument or a result is not finite",
    "indefinite": "the problem is not convex",
}


class MPC:
    """At each sample one Newton step of a problem of optimal control from the measured state.

    The real-time iteration in C: linearized steps over the horizon, a quadratic program by a
    Riccati recursion with the bounds, then a shift. The horizon is that of the problem, its states
    are drawn to the reference, its start is what is measured; where it has a target, the horizon
    ends there. Give it to `Sampled` with the problem's step as period.

    Parameters
    ----------
    problem : OptimalControl
        Made by `eomc.ocp`, its costs and bounds on states and controls alone.
    target : as of `PD`, optional
        What the states follow; by default the values of the cost of the problem. The whole horizon
        aims at the reference of the sample.
    iterations, first_iterations : int
        Newton steps of a sample, and of the first one.
    hessian : "gauss-newton" or "exact"
    terminal : "lqr" or (nx, nx), optional
        Cost x^T P x / 2 of the end, in place of final_cost: "lqr" takes the solution P of the
        discrete Riccati equation at the reference of the start.
    soft : mapping of names of states to rho or (rho, w), optional
        Their bounds may be violated by s, at the cost rho s + w s^2 / 2 at every node.
    delay : float
        Time from a sample until its forces act, at most a period [s]; the state is predicted.
    linear : bool
        Linearized steps about the reference of the start, exact for controls that are held.
    guess : mapping or OptimalRun, optional
        First trajectory, as of `OptimalControl.solve`; by default the reference at all nodes.
    tolerance : float, optional
        Of the mean product of slacks and multipliers, 1e-14; 1e-6 in single precision.

    Raises ValueError that names what is wrong.

    References: Diehl, Bock and Schloeder, *A real-time iteration scheme for nonlinear optimization
    in optimal feedback control*, SIAM J. Control Optim. 43 (2005); Rawlings, Mayne and Diehl,
    *Model Predictive Control* (2017), ch. 2 and 8.
    """

    def __init__(
        self,
        problem: Any,
        target: ReferenceMotion = None,
        *,
        iterations: int = 1,
        first_iterations: int | None = None,
        hessian: str = "gauss-newton",
        terminal: str | ArrayLike | None = None,
        soft: Soft | None = None,
        delay: float = 0.0,
        linear: bool = False,
        guess: Any = None,
        tolerance: float | None = None,
    ) -> None:
        require_recursion(problem, "MPC")
        self.problem, self.model = problem, problem.model
        self.period = problem.t_span / problem.nodes
        if hessian not in ("exact", "gauss-newton"):
            raise ValueError(f"hessian {hessian!r}; valid: 'exact', 'gauss-newton'")
        if linear and hessian == "exact":
            raise ValueError("hessian: linear steps have no second derivatives; leave it out")
        counts = iterations, iterations if first_iterations is None else first_iterations
        if not all(isinstance(n, int) and n > 0 for n in counts):
            raise ValueError(f"iterations are {counts!r}; give whole numbers from 1 on")
        if not 0 <= delay <= self.period:
            raise ValueError(
                f"delay is {delay!r}; give 0 to the period, {self.period:g} s, of the problem"
            )
        if tolerance is not None and not 0 < tolerance < 1:
            raise ValueError(f"tolerance is {tolerance!r}; give a number between 0 and 1")
        if not isinstance(soft or {}, Mapping):
            raise ValueError(f"soft: give a mapping of states to weights, not {soft!r}")
        for name, rho in (soft or {}).items():
            bounded = [x for x in problem.names.states if x in problem.bounds]
            require_known([name], bounded, "soft: no bounded state")
            if not np.all(np.asarray(rho) >= 0) or not np.ravel(rho)[0] > 0:
                raise ValueError(f"soft: {name!r} is {rho!r}; give a weight above zero")
        self.delay, self._counts = delay, counts
        of_steps, centre, of_end, _ = weights(problem)
        self._resting = np.array(centre[: 2 * self.model.nu])
        if target is None:
            q, u = np.split(self._resting, 2)
            still = Reference(q, u, 0 * u)
            self.reference: Callable[[float], Reference] = lambda t: still
        else:
            self.reference = reference_motion(self.model, target)
            first = self.reference(0.0)
            self._resting = np.concatenate([first.q, first.u])
        self._controls = centre[2 * self.model.nu :]
        spec = structure(problem, hessian == "exact", soft)
        spec |= {"solves": False, "h": self.period, "weight": of_steps, "delay": float(delay)}
        spec["linear"] = self._linear() if linear else None
        if terminal is not None:
            of_end = self._terminal(terminal, of_steps, spec["linear"])
        spec["final_weight"] = of_end
        spec["centre"] = np.concatenate([self._resting, self._controls])
        spec["final_centre"] = self._resting
        spec["target"] = [problem.target[spec["states"][place]] for place in spec["fixed"]]
        spec["start_x"], spec["start_v"] = self._start(guess)
        spec["iterations"], spec["first_iterations"] = counts
        spec["tolerance"] = tolerance
        spec["parameters"] = dict(problem.parameters)
        if all(name.startswith("tau(") for name in problem.names.controls):
            spec |= {"output": "tau", "rows": self.model.speeds}
        self.spec = spec

    def _linear(self) -> dict[str, Array]:
        """x_{k+1} = a x + b v + offset about the reference, where it must rest."""
        from eomc.runtime.linearization import linearize

        n, names = self.model.nu, self.problem.names
        q, u = np.split(self._resting, 2)
        forces = np.zeros(len(names.forces))
        forces[names.control_places] = self._controls
        options: dict[str, Any] = {"inputs": forces[n:]} if len(forces) > n else {}
        options |= {"parameters": self.problem.parameters} if self.problem.parameters else {}
        about = linearize(self.model, q=q, u=u, tau=forces[:n], **options)
        if np.abs([u, about.point.a]).max(initial=0.0) > 1e-9:
            raise ValueError(
                "linear: the model does not rest at the reference under the controls of the cost; "
                f"its accelerations are {np.array2string(about.point.a, precision=3)}"
            )
        found = about.discrete(self.period)
        a, b = found.A, found.B[:, names.control_places]
        offset = self._resting - a @ self._resting - b @ self._controls
        return {"a": a, "b": b, "offset": offset}

    def _terminal(
        self, terminal: Any, of_steps: Array, linear: Mapping[str, Array] | None
    ) -> Array:
        """P of the end."""
        nx = len(self._resting)
        if self.problem.final_cost:
            raise ValueError("terminal: the problem has a final_cost; give one of both")
        if not isinstance(terminal, str):
            p = np.array(terminal, dtype=np.float64)
            if p.shape != (nx, nx) or not np.allclose(p, p.T) or np.linalg.eigvalsh(p)[0] < -1e-9:
                raise ValueError(f"terminal: give 'lqr', or a symmetric matrix ({nx}, {nx}) >= 0")
            return (p + p.T) / 2
        if terminal != "lqr":
            raise ValueError(f"terminal {terminal!r}; valid: 'lqr', or a matrix")
        from scipy.linalg import LinAlgError, solve_discrete_are

        if linear is not None:
            a, b = linear["a"], linear["b"]
        else:
            z = np.concatenate([self._resting, self._controls, [self.period]])
            found = self.problem.phase.stepper().slopes(z[None], np.zeros(1, int), np.zeros(1))[0]
            a, b = found[:, :nx], found[:, nx:-1]
        try:
            p = solve_discrete_are(a, b, np.diag(of_steps[:nx]), np.diag(of_steps[nx:]))
        except (LinAlgError, ValueError) as error:
            raise ValueError(
                f"terminal: no regulator at the reference ({error}); weight all states that the "
                "controls do not settle by themselves"
            ) from None
        return np.asarray((p + p.T) / 2)

    def _start(self, guess: Any) -> tuple[Array, Array]:
        """Trajectory before the first sample, one row where all nodes are alike."""
        if guess is None:
            return self._resting[None], self._controls[None]
        given = guess.as_guess() if hasattr(guess, "as_guess") else guess
        phase, w = self.problem.phase, self.problem.guess(given)
        x, v = w[phase.x_at], w[phase.v_at]
        return x, np.vstack([v, v[-1:]])

    # -- as a law --------------------------------------------------------------------------------

    def equation(self, period: float) -> DifferenceEquation:
        """Names of what a sample takes and gives; its step is C of its own."""
        self._require_period(period)
        model, spec = self.model, self.spec
        inputs = {"q": model.coordinates, "u": model.speeds}
        inputs |= {"q_d": model.coordinates, "u_d": model.speeds}

        def step(by: Any, *_: Any) -> tuple[Any, Any]:
            raise NotEmittableError("MPC: its step is no expression, and stands alone in C")

        return DifferenceEquation(np.zeros(0), inputs, spec["output"], tuple(spec["rows"]), step)

    def program(self, name: str) -> Any:
        """For `eomc.codegen.emit`."""
        return self.model.linker.predictive_program(self.spec, name)

    def begin(self) -> PredictiveSample:
        """For one run, the function that is called at each sample."""
        return PredictiveSample(self)

    def at_samples(self, period: float) -> Callable[[float, Array, Array], Array]:
        """The law of one run: (t, q, u) to tau (nu,)."""
        self._require_period(period)
        if self.spec["output"] != "tau":
            given = [name for name in self.problem.names.controls if name in self.model.inputs]
            raise ValueError(
                f"MPC: the controls {', '.join(given)} are inputs, not generalized forces, which "
                "a controller sets; call begin() for samples of them"
            )
        sample = self.begin()

        def step(t: float, q: Array, u: Array) -> Array:
            wanted = self.reference(t)
            return sample(q, u, wanted.q, wanted.u)

        return step

    def _require_period(self, period: float) -> None:
        if abs(period - self.period) > 1e-9 * self.period:
            raise ValueError(
                f"MPC: the period is {period:g} s, the step of its problem {self.period:g} s; give "
                "the same"
            )


class PredictiveSample:
    """The controller of one run. `iterations` are those of the last quadratic program."""

    def __init__(self, law: MPC) -> None:
        self._law = law
        self._recursion = Recursion(law.model, dict(law.spec), law.problem.parameters)
        self._told = np.zeros(3, dtype=np.intc)
        self.restart()

    def restart(self) -> None:
        """Back to the first trajectory."""
        self._recursion.read("eomc_begin")
        self.code = "OK"

    @property
    def iterations(self) -> int:
        """Of the interior point method at the last sample, 0 where no bound was reached."""
        return int(self._told[0])

    @property
    def failed(self) -> tuple[int, str]:
        """Node and name of the state or control whose bound cannot be met, after "infeasible"."""
        names = (*self._law.spec["states"], *self._law.spec["controls"])
        return int(self._told[1]), names[self._told[2]]

    def plan(self) -> tuple[Array, Array]:
        """States (N + 1, nx) and controls (N, m) that are planned from the next sample on."""
        spec = self._law.spec
        x = np.zeros((spec["nodes"] + 1, len(spec["states"])))
        v = np.zeros((spec["nodes"], len(spec["controls"])))
        self._recursion.read("eomc_plan", x, v)
        return x, v

    def sample(
        self, q: ArrayLike, u: ArrayLike, q_d: ArrayLike | None = None, u_d: ArrayLike | None = None
    ) -> Array:
        """Forces, or the controls if some of them are inputs; `code` tells of failures."""
        law, still = self._law, self._law.reference(0.0)
        rows = (q, u, still.q if q_d is None else q_d, still.u if u_d is None else u_d)
        arrays = [np.ascontiguousarray(x, dtype=np.float64) for x in rows]
        for name, array in zip(("q", "u", "q_d", "u_d"), arrays, strict=True):
            if array.shape != (law.model.nu,):
                raise ValueError(f"{name} has shape {array.shape}, expected ({law.model.nu},)")
        made = np.zeros(len(law.spec["rows"]))
        self.code = self._recursion.call("eomc_sample", arrays, [made, self._told])
        return made

    def __call__(
        self, q: ArrayLike, u: ArrayLike, q_d: ArrayLike | None = None, u_d: ArrayLike | None = None
    ) -> Array:
        """As `sample`; raises FloatingPointError where it fails, with the reason."""
        made = self.sample(q, u, q_d, u_d)
        if self.code == "OK":
            return made
        reason = _FAILURES.get(self.code, self.code)
        if self.code == "infeasible":
            node, name = self.failed
            reason = f"the bounds of {name!r} cannot be met at node {node}"
        raise FloatingPointError(f"MPC: {reason}")
