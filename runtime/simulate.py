"""Runs of a compiled model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.excitation import Excitation, InputLaw, MotionLaw, TorqueLaw
from eomc.runtime.integrators import METHODS, Problem, Solution
from eomc.runtime.near_names import near_names
from eomc.runtime.progress import time_bar
from eomc.runtime.state import State, StateLike, as_state
from eomc.runtime.trajectory import Trajectory

Array = NDArray[np.float64]

_POINTS = 500
_MOST_POINTS = 50_000_000


def simulate(
    model: CompiledModel,
    state: StateLike,
    t: float | Sequence[float] | ArrayLike,
    *,
    controller: TorqueLaw = None,
    inputs: InputLaw = None,
    prescribed: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
    method: str = "DOP853",
    step: float | None = None,
    rtol: float = 1e-8,
    atol: float = 1e-10,
    progress: bool | None = None,
    **options: Any,
) -> Trajectory:
    """Integrate the equations of motion from a state.

    Parameters
    ----------
    model : CompiledModel
    state : (q, u), x = [q; u], or None for the neutral configuration at rest
    t : duration [s]; (start, end); or all times of the record, increasing
    controller : object with ``torque(t, state)``, function ``(t, state) -> tau (nu,)``, constant
        tau, or None for no torque
    inputs : declared inputs r: function ``(t, state) -> r``, constant array, or values by name
    prescribed : function ``t -> (s, s_rate, s_acceleration)``, or constant s
    parameters : values of tunable parameters
    method : SciPy's "RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA" (rtol, atol; further options
        such as max_step go to the solver), or "rk4", compiled, with steps of fixed length over
        which torques and inputs are held
    step : interval of the record [s] if t gives none; for "rk4" also the longest step
    progress : show a bar on long runs; by default if standard error is a terminal

    Returns
    -------
    Trajectory with q, u, tau, the inputs and the energies at each time.

    Raises
    ------
    ValueError
        An argument has another shape or is not finite; the message names it.
    SimulationError
        The run cannot go on; the message names the time.
    """
    solve = METHODS.get(method)
    if solve is None:
        raise ValueError(f"unknown method {method!r}; {near_names(str(method), METHODS)}")
    times = record_times(t, step)
    initial = as_state(model, state)
    excitation = Excitation(model, controller, inputs, prescribed, parameters)
    settings: dict[str, Any] = {}
    if method != "rk4":
        settings = {"rtol": _positive("rtol", rtol), "atol": _positive("atol", atol), **options}
    elif options:
        raise ValueError(f"method 'rk4' takes no option {next(iter(options))!r}")
    longest = step if method == "rk4" else None
    with time_bar(float(times[0]), float(times[-1]), progress) as report:
        problem = Problem(model, excitation, initial, times, longest, report)
        problem.rates(float(times[0]), initial)  # what is wrong with a law shows before the run
        solution = solve(problem, settings)
    return _trajectory(model, excitation, times, method, solution)


def record_times(t: Any, step: float | None) -> Array:
    """Times of the record: those given, or from start to end by `step`.

    The last interval is shorter if `step` does not divide the span.

    >>> record_times(1.0, 0.4).tolist()
    [0.0, 0.4, 0.8, 1.0]
    """
    if step is not None:
        step = _positive("step", step)
    try:
        times = np.array(t, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("t: give a duration, (start, end), or the times of the record") from None
    if not np.isfinite(times).all():
        raise ValueError("t is not finite")
    if times.ndim == 0:
        times = np.array([0.0, float(times)])
    if times.ndim != 1 or times.size < 2 or not (np.diff(times) > 0).all():
        raise ValueError("t must be a positive duration, or times that increase")
    if times.size > 2:
        return times
    start, end = float(times[0]), float(times[1])
    if step is None:
        return np.linspace(start, end, _POINTS + 1)
    count = (end - start) / step
    if count > _MOST_POINTS:
        raise ValueError(f"step {step:g} s makes {count:.3g} points; give the times of the record")
    whole = int(np.floor(count * (1 + 1e-12) + 1e-9))
    if whole < 1:
        return np.array([start, end])
    grid = start + step * np.arange(whole + 1)
    if end - grid[-1] > 1e-9 * step:
        return np.append(grid, end)
    grid[-1] = end
    return grid


def _positive(name: str, value: float) -> float:
    number = float(value)
    if not (np.isfinite(number) and number > 0):
        raise ValueError(f"{name} is {value!r}; give a positive number")
    return number


def _trajectory(
    model: CompiledModel,
    excitation: Excitation,
    times: Array,
    method: str,
    solution: Solution,
) -> Trajectory:
    """The record with what follows from it: torques, inputs, energies."""
    states = [State(q, u) for q, u in zip(solution.q, solution.u, strict=True)]
    tau = solution.tau
    if tau is None:
        tau = np.array([excitation.torque(t, x) for t, x in zip(times, states, strict=True)])
        tau = tau.reshape(times.size, model.nu)
    rows = [excitation.others(t, x) for t, x in zip(times, states, strict=True)]
    values = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    values |= {"q": solution.q, "u": solution.u, "tau": tau}
    channels = {
        name: np.asarray(excitation.call(name, values))
        for name in ("kinetic_energy", "potential_energy")
        if name in model.available_functions
    }
    return Trajectory(
        model=model.name,
        method=method,
        t=times,
        q=solution.q,
        u=solution.u,
        tau=tau,
        r=values.get("r", np.empty((times.size, 0))),
        coordinates=model.coordinates,
        speeds=model.speeds,
        inputs=model.inputs,
        channels=channels,
        statistics=solution.statistics,
    )
