"""Steps of explicit methods against the fastest rate of the motion.

A mode with the rate |l| of x' = f(x) is followed by steps h of a method of Runge and Kutta while
h |l| is about 1, and is stable up to a limit of the method, about 3. Of M u' = F(q, u) with
q' = G u, d = |dF/du| and k = |dF/dq G| of M^-1 F in the sizes of coordinates,

    |l| <= (d + sqrt(d^2 + 4 k)) / 2

which settles most runs; eigenvalues are found where it does not. Derivatives are differences of the
functions that the run calls.

Reference: Hairer and Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., sec. IV.2.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.integrators import InitialValueProblem, RunSolution, has_fixed_steps, is_compiled
from eomc.runtime.model.arguments import speed_sizes
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State
from eomc.runtime.output.warning_level import outside

__all__ = ["warn_of_stiffness"]


_EXPLICIT = {"RK23": 2.0, "RK45": 2.5, "DOP853": 4.0}
"""Largest h |l| of SciPy's explicit methods, where stability cuts the steps that tolerances choose;
compiled methods have theirs in the manifest."""

_LOOKS, _APART = 20, 5000
"""Most states that are looked at, and steps between two of them."""
WORTH = 1000
"""Steps from which on it is worth telling that tolerances do not choose them."""
# Of differences, by the sizes of coordinates and, for speeds, by these over a step.
_STEP = 1e-8
# One direction by chance sees a mode by its share in it: a tenth is missed once in ten looks.
_SEEN = 0.1


@dataclass(frozen=True)
class _Explicit:
    """An explicit method: its name, and the largest h |l| of its steps."""

    name: str
    limit: float
    has_fixed_steps: bool

    @classmethod
    def of(cls, model: CompiledModel, method: str) -> _Explicit | None:
        """None for an implicit method."""
        if not is_compiled(method):
            limit = _EXPLICIT.get(method)
            return None if limit is None else cls(method, limit, False)
        record = model.integrator_record(method) or {}
        if record.get("implicit"):
            return None
        return cls(method, record.get("stability_limit", 1.0), has_fixed_steps(model, method))


@dataclass(frozen=True)
class Mode:
    """The fastest: its rate [1/s], and how the coordinates and speeds move in it."""

    rate: float
    dq: Array
    du: Array

    def speed(self, model: CompiledModel) -> str:
        """The speed that moves most in it."""
        return model.speeds[int(np.argmax(np.abs(self.du) / speed_sizes(model)))]


def stability_limit(model: CompiledModel, method: str) -> float:
    """Largest h |l| of the stable steps of an explicit method."""
    explicit = _Explicit.of(model, method)
    return np.inf if explicit is None else explicit.limit


def fastest_mode(problem: InitialValueProblem, h: float, most: float) -> Mode | None:
    """The fastest mode at the start, if h times its rate is more than `most`."""
    at = [(float(problem.times[0]), problem.state)]
    if not problem.model.nu or not _suspects(problem, at, h, most):
        return None
    return _fastest(problem, *at[0], h, most)


def warn_of_stiffness(
    problem: InitialValueProblem, method: str, solution: RunSolution | None = None
) -> None:
    """Warn once if the steps of an explicit method are too long for the fastest rate that states
    of the run show: those of `solution`, or the start alone of a run that failed."""
    if problem.acceleration is not None or not problem.model.nu:
        return
    explicit = _Explicit.of(problem.model, method)
    if explicit is None:
        return
    times, states, steps = [float(problem.times[0])], [problem.state], 0
    if solution is not None:
        steps = solution.statistics["steps"]
        looks = min(_LOOKS, 2 + steps // _APART)
        rows = np.linspace(0, len(solution.t) - 1, looks).astype(int)[1:]
        times += solution.t[rows].tolist()
        states += [State(*(part[k] for part in solution.states)) for k in rows]
    if not explicit.has_fixed_steps and steps < WORTH:
        return
    h = _length(problem, explicit, steps, times[-1])
    at = list(zip(times, states, strict=True))
    # Where nothing that acts depends on time, all states are looked at in one call.
    groups = [at] if problem.excitation.is_constant else [[pair] for pair in at]
    suspects = [pair for group in groups for pair in _suspects(problem, group, h, explicit.limit)]
    for t, state in suspects:
        mode = _fastest(problem, t, state, h, explicit.limit)
        if mode is not None:
            text = _message(problem, explicit, t, state, h, mode)
            warnings.warn(text, UserWarning, stacklevel=outside())
            return


@cache
def _by_chance(size: int) -> Array:
    return np.random.default_rng(0).normal(size=size)


def _suspects(
    problem: InitialValueProblem, at: Sequence[tuple[float, State]], h: float, most: float
) -> list[tuple[float, State]]:
    """Those of the states where a mode may be too fast, at a first look: accelerations after a
    displacement and after a change of speeds by chance, whose mean squares are those of the
    derivatives' norms."""
    model, excitation = problem.model, problem.excitation
    sizes = speed_sizes(model)
    dq = _STEP * (sizes if model.nq == model.nu else 1.0) * _by_chance(model.nq)
    du = _STEP / h * sizes * _by_chance(model.nu)
    first = at[0]
    values = _acting(problem, *first)
    values["q"] = np.array([[s.q, s.q + dq, s.q] for _, s in at])
    values["u"] = np.array([[s.u, s.u, s.u + du] for _, s in at])
    if "z" in values:
        values["z"] = np.array([[s.z] * 3 for _, s in at])
    try:
        a = np.asarray(excitation.call("forward_dynamics", values)) / sizes
    except (ArithmeticError, ValueError):
        return list(at)
    slopes = np.linalg.norm(a[:, 1:] - a[:, :1], axis=-1) * (h / _STEP)
    k, d = slopes[:, 0], h * slopes[:, 1]
    fast = d + np.sqrt(d * d + 4 * h * k) > 2 * _SEEN * most
    return [pair for pair, is_fast in zip(at, fast, strict=True) if is_fast]


def _acting(problem: InitialValueProblem, t: float, state: State) -> dict[str, Any]:
    """All that acts at a state; controllers are not asked, what they hold changes no rate."""
    excitation = problem.excitation
    tau = excitation.torque(t, state) if excitation.is_constant else np.zeros(problem.model.nu)
    return {**excitation.others(t, state), "tau": tau}


def _length(problem: InitialValueProblem, method: _Explicit, steps: int, end: float) -> float:
    """The longest step of a method with given steps, the mean one of others."""
    if not method.has_fixed_steps:
        return (end - float(problem.times[0])) / max(steps, 1)
    intervals = np.diff(problem.times)
    parts = np.maximum(np.ceil(intervals / (problem.step or np.inf) - _STEP), 1)
    return float((intervals / parts).max(initial=0.0))


def _fastest(
    problem: InitialValueProblem, t: float, state: State, h: float, most: float
) -> Mode | None:
    """The fastest mode at a state, if h times its rate is more than `most`."""
    nu, sizes = problem.model.nu, speed_sizes(problem.model)
    try:
        by_q, by_u = _slopes(problem, t, state, h, sizes)
    except (ArithmeticError, ValueError):
        return None
    d, k = float(np.linalg.norm(by_u)), float(np.linalg.norm(by_q))
    if not math.isfinite(d + k) or h * (d + math.sqrt(d * d + 4 * k)) <= 2 * most:
        return None
    # Speeds in sizes over a step, so that both halves of the matrix are of one order.
    matrix = np.block([[np.zeros((nu, nu)), np.eye(nu)], [h * h * by_q, h * by_u]])
    values, vectors = np.linalg.eig(matrix)
    place = int(np.argmax(np.abs(values)))
    if abs(values[place]) <= most:
        return None
    vector = vectors[:, place].real * np.tile(sizes, 2)
    return Mode(float(abs(values[place])) / h, vector[:nu], vector[nu:] / h)


def _slopes(
    problem: InitialValueProblem, t: float, state: State, h: float, sizes: Array
) -> tuple[Array, Array]:
    """Derivatives of u' by displacements and by speeds, both in their sizes."""
    model, call = problem.model, problem.excitation.call
    nu, q, u = model.nu, state.q, state.u
    given = _acting(problem, t, state)
    step = _STEP * np.diag(sizes)
    moved = q + _displaced(problem, given, q, step)
    values = {
        **given,
        "q": np.concatenate([q[None], moved, np.broadcast_to(q, (nu, q.size))]),
        "u": np.concatenate([np.broadcast_to(u, (nu + 1, nu)), u + step / h]),
    }
    a = np.asarray(call("forward_dynamics", values))
    slopes = (a[1:] - a[0]).T / (_STEP * sizes[:, None])
    return slopes[:, :nu], slopes[:, nu:] * h


def _displaced(
    problem: InitialValueProblem, given: Mapping[str, Any], q: Array, du: Array
) -> Array:
    """G(q) du, row by row; functions read quaternions at unit length."""
    several = {
        **given,
        "q": np.broadcast_to(q, (len(du) + 1, q.size)),
        "u": np.pad(du, ((0, 1), (0, 0))),
    }
    rates = np.asarray(problem.excitation.call("coordinate_rates", several))
    found: Array = rates[:-1] - rates[-1]
    return found


def _message(
    problem: InitialValueProblem, method: _Explicit, t: float, state: State, h: float, mode: Mode
) -> str:
    """The warning: what is fast, and what to do."""
    model = problem.model
    name = mode.speed(model)
    element = _element(problem, t, state, mode)
    what = f"{element} and the speed {name!r} have" if element else f"the speed {name!r} has"
    shorter = method.limit / mode.rate
    fixed = method.has_fixed_steps
    why = "too long for it" if fixed else "as short as stability demands, not the tolerances"
    advice = f"give step={shorter:.1g} or less, or " if fixed else ""
    return (
        f"model {model.name!r}, method {method.name!r}: {what} a rate of {mode.rate:.3g} 1/s "
        f"at t = {t:.6g} s, and steps of {h:.3g} s are {why}; {advice}take an implicit method, "
        "'rodas4p', 'Radau' or 'BDF'"
    )


def _element(problem: InitialValueProblem, t: float, state: State, mode: Mode) -> str:
    """The element whose force changes most along the mode; empty if no function tells."""
    model, call = problem.model, problem.excitation.call
    if not model.has_function("acting_forces"):
        return ""
    values = _acting(problem, t, state)
    size = _STEP / max(float(np.abs(mode.dq / speed_sizes(model)).max(initial=0.0)), _STEP)
    q = state.q + _displaced(problem, values, state.q, size * mode.dq[None])[0]
    there = np.asarray(call("acting_forces", {**values, **state.named}))
    away = {**values, **state.named, "q": q, "u": state.u + size * mode.du}
    change = np.linalg.norm((np.asarray(call("acting_forces", away)) - there)[:, 3:6], axis=1)
    rows = model.output_names("acting_forces")
    return f"{rows[int(np.argmax(change))]!r}" if change.any() else ""
