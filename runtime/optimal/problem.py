"""A problem of optimal control on a model, stated in one call and checked before it is solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import taken
from eomc.runtime.names.near_names import require_known
from eomc.runtime.optimal.quantities import FrameOutputs, Quantities, numbers
from eomc.runtime.optimal.shooting import MultipleShooting, Terms
from eomc.runtime.optimal.solution import OptimalRun

Values = Mapping[str, float] | ArrayLike


def ocp(
    model: Any,
    t_span: float,
    nodes: int,
    start: Values,
    target: Values | None = None,
    *,
    controls: Sequence[str] | None = None,
    cost: Mapping[str, Any] | None = None,
    final_cost: Mapping[str, Any] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> OptimalControl:
    """A problem of optimal control by multiple shooting, ready to be solved.

        minimize    h sum_k sum_i w_i (y_i(x_k, v_k) - c_i)^2 + final cost at x_N,  k = 0..N-1
        subject to  x_{k+1} = F(x_k, v_k), one Runge-Kutta step of length h, v_k held over it

    Quantities are named as the channels of a run: ``elbow``, ``speed(elbow)``, ``tau(elbow)``, an
    input; ``tip.x`` is the position of a frame [m].

    Parameters
    ----------
    model : a model, compiled or not
        Its speeds are rates of coordinates; no constraints, prescribed motion or internal states.
    t_span : T = N h [s]
    nodes : N, number of steps
    start : mapping of names of states, or array (nq,)
        What is not named is zero; an array is a configuration at rest.
    target : mapping of names of states and outputs, or array (nq,); optional
        Values at the end. Of a mapping only what it names is fixed.
    controls : names of controls
        By default the inputs of the model, or the generalized forces of all its speeds.
    cost, final_cost : mappings of name to w, or to (w, c)
        Squares at every step, and at the end.
    bounds : mapping of name to (lower, upper)
        At every node; infinite where there is none.
    parameters : values of tunable parameters

    Raises ValueError that names what is wrong.

    References: Betts, *Practical Methods for Optimal Control and Estimation* (2010), ch. 3-4; Diehl
    and Gros, *Numerical Optimal Control* (2024), ch. 12.
    """
    return OptimalControl(
        model, t_span, nodes, start, target, controls, cost, final_cost, bounds, parameters
    )


class OptimalControl:
    """A checked problem; see `ocp`. `solve` finds the optimal run."""

    def __init__(
        self,
        model: Any,
        t_span: float,
        nodes: int,
        start: Values,
        target: Values | None,
        controls: Sequence[str] | None,
        cost: Mapping[str, Any] | None,
        final_cost: Mapping[str, Any] | None,
        bounds: Mapping[str, tuple[float, float]] | None,
        parameters: Mapping[str, float] | None,
    ) -> None:
        self.t_span, self.nodes = _horizon(t_span, nodes)
        weights = [_terms(what, x) for what, x in (("cost", cost), ("final_cost", final_cost))]
        self.cost, self.final_cost = weights
        limits = {name: _limits(name, pair) for name, pair in _named("bounds", bounds).items()}
        self.model = taken(model)
        _require_smooth(self.model)
        self.names = names = Quantities(self.model, controls)
        names.check("cost", list(weights[0]), "states", "controls", "outputs")
        names.check("final_cost", list(weights[1]), "states", "outputs")
        names.check("bounds", list(limits), "states", "controls", "outputs")
        require_known(parameters or {}, self.model.parameters, "parameters: no")
        self.bounds, self.parameters = limits, numbers("parameters", parameters or {})
        self.start = self._start(start)
        self.target = self._target(target)
        outputs = [
            n for n in names.outputs if n in (*weights[0], *weights[1], *limits, *self.target)
        ]
        of = FrameOutputs(self.model, outputs, parameters)
        self.shooting = MultipleShooting(
            names, of, self.t_span / self.nodes, self.nodes, Terms(*weights), parameters,
            [n for n in outputs if n in limits], [n for n in outputs if n in self.target],
        )  # fmt: skip

    def _start(self, given: Values) -> Array:
        names, nq = self.names, self.model.nq
        if isinstance(given, Mapping):
            names.check("start", list(given), "states")
            found = numbers("start", given)
            x = np.array([found.get(name, 0.0) for name in names.states])
        else:
            x = np.concatenate([_configuration("start", given, nq), np.zeros(nq)])
        self._within("start", dict(zip(names.states, x.tolist(), strict=True)))
        return x

    def _target(self, given: Values | None) -> dict[str, float]:
        names = self.names
        if given is None:
            return {}
        if isinstance(given, Mapping):
            names.check("target", list(given), "states", "outputs")
            found = numbers("target", given)
        else:
            q = _configuration("target", given, self.model.nq)
            found = dict(zip(names.states, [*q.tolist(), *[0.0] * self.model.nu], strict=True))
        self._within("target", found)
        return found

    def _within(self, what: str, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            lower, upper = self.bounds.get(name, (-np.inf, np.inf))
            if not lower <= value <= upper:
                raise ValueError(
                    f"{what}: {name!r} is {value:g}, outside its bounds {lower:g} to {upper:g}"
                )

    def guess(self, given: Mapping[str, ArrayLike] | None = None) -> Array:
        """First values of all unknowns: a straight line of positions, speeds and controls zero,
        but for what is given by name at the N + 1 nodes, of controls in the N steps."""
        shooting, nq = self.shooting, self.model.nq
        x = np.zeros((self.nodes + 1, len(self.names.states)))
        x[0], x[-1] = self.start, self.start
        for k, name in enumerate(self.names.states):
            x[-1, k] = self.target.get(name, 0.0 if k >= nq else self.start[k])
        x[:, :nq] = np.linspace(x[0, :nq], x[-1, :nq], self.nodes + 1)
        v = np.zeros((self.nodes, len(self.names.controls)))
        self.names.check("guess", list(given or {}), "states", "controls")
        for name, values in (given or {}).items():
            known = self.names.states if name in self.names.states else self.names.controls
            part = x if name in self.names.states else v
            try:
                part[:, known.index(name)] = values
            except (TypeError, ValueError):
                raise ValueError(
                    f"guess: {name!r} has shape {np.shape(values)}, expected ({len(part)},)"
                ) from None
        if not (np.isfinite(x).all() and np.isfinite(v).all()):
            raise ValueError("guess is not finite")
        return shooting.joined(x, v)

    def limits(self) -> tuple[Array, Array, Array, Array]:
        """Lower and upper bounds of all unknowns, then of all rows."""
        shooting, states = self.shooting, self.names.states
        sides = []
        for side, endless in ((0, -np.inf), (1, np.inf)):
            own = {name: pair[side] for name, pair in self.bounds.items()}
            x = np.tile([own.get(name, endless) for name in states], (self.nodes + 1, 1))
            v = np.tile([own.get(name, endless) for name in self.names.controls], (self.nodes, 1))
            x[0] = self.start
            x[-1] = [self.target.get(n, b) for n, b in zip(states, x[-1], strict=True)]
            sides.append((shooting.joined(x, v), shooting.rows(own, self.target)))
        (x_low, g_low), (x_high, g_high) = sides
        return x_low, x_high, g_low, g_high

    def solve(
        self,
        guess: Mapping[str, ArrayLike] | OptimalRun | None = None,
        *,
        solver: str = "auto",
        hessian: str = "exact",
        tolerance: float = 1e-9,
        iterations: int = 500,
    ) -> OptimalRun:
        """The optimal run; where the solver gives up, its last iterate, with a warning.

        Parameters
        ----------
        guess : mapping of names to values at the nodes, or a former optimal run
        solver : "riccati", "fatrop", "ipopt", "scipy"
            "auto" takes fatrop, with bounds IPOPT, and SciPy where CasADi is not installed.
        hessian : "exact", or "gauss-newton", which leaves second derivatives of steps and outputs
        tolerance, iterations : of the solver
        """
        from eomc.runtime.optimal.solvers import solve

        if isinstance(guess, OptimalRun):
            guess = {
                name: guess.at_nodes(name) for name in (*self.names.states, *self.names.controls)
            }
        if hessian not in ("exact", "gauss-newton"):
            raise ValueError(f"hessian {hessian!r}; valid: 'exact', 'gauss-newton'")
        self.shooting.exact = hessian == "exact"
        start = self.guess(guess)
        if not np.isfinite(self.shooting.value(start)).all():
            raise ValueError("guess: steps or cost are not finite there; give a milder guess")
        return solve(self, start, solver, tolerance, iterations)


def _horizon(t_span: Any, nodes: Any) -> tuple[float, int]:
    (length,) = numbers("ocp", {"t_span": t_span}).values()
    if length <= 0:
        raise ValueError(f"t_span is {length:g} s: there is nothing to optimize; give T > 0")
    if isinstance(nodes, bool) or not isinstance(nodes, Integral) or nodes < 1:
        raise ValueError(f"nodes is {nodes!r}; give a whole number of steps, at least 1")
    return length, int(nodes)


def _named(what: str, given: Any) -> Mapping[str, Any]:
    if not isinstance(given or {}, Mapping):
        raise ValueError(f"{what}: give a mapping of names, not {type(given).__name__}")
    return given or {}


def _terms(what: str, given: Mapping[str, Any] | None) -> dict[str, tuple[float, float]]:
    found = {}
    for name, entry in _named(what, given).items():
        pair = entry if isinstance(entry, tuple | list) else (entry, 0.0)
        if len(pair) != 2:
            raise ValueError(f"{what}: {name!r} is {entry!r}; give a weight, or (weight, value)")
        weight, value = (numbers(what, {name: x})[name] for x in pair)
        if weight < 0:
            raise ValueError(
                f"{what}: the weight of {name!r} is {weight:g}; it must not be negative"
            )
        found[name] = weight, value
    return found


def _limits(name: str, given: Any) -> tuple[float, float]:
    try:
        lower, upper = (float(x) for x in given)
    except (TypeError, ValueError):
        raise ValueError(f"bounds: {name!r} is {given!r}; give (lower, upper)") from None
    if np.isnan(lower) or np.isnan(upper) or lower > upper:
        raise ValueError(f"bounds: {name!r} from {lower:g} to {upper:g}: they cross")
    return lower, upper


def _configuration(what: str, given: ArrayLike, nq: int) -> Array:
    try:
        q = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what}: give numbers, or a mapping of names to numbers") from None
    if q.shape != (nq,):
        raise ValueError(f"{what} has shape {q.shape}, expected ({nq},): a configuration at rest")
    if not np.isfinite(q).all():
        raise ValueError(f"{what} is not finite")
    return q


def _require_smooth(model: Any) -> None:
    """Raise ValueError for models whose step has no two derivatives."""
    if not model.has_function("rk4_step_hessian"):
        turning = model.coordinates != model.speeds
        lacks = {
            "it has loops or constraints": model.is_constrained,
            f"its motion is prescribed in {', '.join(model.prescribed)}": model.prescribed,
            f"its elements have states, {', '.join(model.element_states)}": model.element_states,
            "its speeds are not rates of its coordinates, as with quaternions": turning,
            "it was loaded without the function rk4_step_hessian": True,
        }
        why = next(reason for reason, found in lacks.items() if found)
        raise ValueError(
            f"ocp: no second derivatives of a step of model {model.name!r}: {why}; optimal control "
            "takes open chains of joints with one coordinate for each speed"
        )
    if model.has_function("element_switches"):
        kinks = ", ".join(dict.fromkeys(model.output_names("element_switches")))
        raise ValueError(
            f"ocp: forces of model {model.name!r} are not smooth, by their switches {kinks}; give "
            "these elements smooth laws, such as friction with a width"
        )
