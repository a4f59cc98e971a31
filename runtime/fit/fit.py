"""Output-error identification: the parameters of whose motion the records are likeliest.

    minimize  sum_k |W^{1/2} (h(x_k, v_k, p) - y_k)|^2,   x_{k+1} = Phi(x_k, v_k, p)

over steps Phi of the classical Runge-Kutta method, with the exact derivatives of these steps.
Reference: Ljung, *System Identification*, 2nd ed., sec. 7; Maine and Iliff, NASA RP-1138 (1985).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.fit.channels import Channels, place_of
from eomc.runtime.fit.errors import FitError
from eomc.runtime.fit.estimate import Fit, estimate
from eomc.runtime.fit.problem import Problem
from eomc.runtime.fit.recording import Interpolation, Recording, recordings
from eomc.runtime.fit.rollout import SensitiveRollout
from eomc.runtime.fit.shooting import shot
from eomc.runtime.fit.starts import ClosedStart, entries, guess, require_open_start
from eomc.runtime.fit.unknowns import FreeValue, Given, Unknowns, frees, listed, parameters_of
from eomc.runtime.model.arguments import taken
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import near_names

_LOSSES = ("linear", "huber", "soft_l1", "cauchy", "arctan")

_TOLERANCE = 1e-11
_REWEIGHTED = 4
_NOTHING = 1e-12
"""Relative change of the outputs that counts as none."""

Sigma = Mapping[str, float] | float | None


def fit(
    model: CompiledModel,
    runs: Any,
    free: Given,
    *,
    outputs: Sequence[str] = (),
    sigma: Sigma = None,
    parameters: Mapping[str, float] | None = None,
    nodes: int | None = None,
    loss: str = "linear",
    substeps: int = 4,
    interpolation: Interpolation = "linear",
    most: int = 200,
) -> Fit:
    """Estimate parameters of a model from recorded runs.

    Parameters
    ----------
    model : CompiledModel
        Made by `eomc.build`, so that derivatives can be compiled.
    runs : run or list of runs
        Each a `Trajectory`, a mapping of channels, the path of a CSV, Parquet or MAT-file or of a
        ROS bag, or a `Run` that knows its start.
    free : names, or mapping of names to a start, (low, high) or `FreeValue`
        Parameters of the model by name, ``q.hinge`` and ``u.hinge`` of initial states,
        ``bias(channel)``, ``gain(channel)``, and ``delay`` of all inputs [s].
    outputs : names, optional
        Channels to compare: coordinates, ``speed(name)``, ``acceleration(name)``, ``frame.x``,
        ``element.output``; by default all of a record that are such.
    sigma : standard deviations by channel, or one of all
        Estimated from the residuals where it is not given.
    parameters : mapping, optional
        Values of others.
    nodes : int, optional
        Shots of each run, for starts far from the answer: multiple shooting.
    loss : "linear", "huber", "soft_l1", "cauchy" or "arctan"
        As of `scipy.optimize.least_squares`, in units of sigma.
    substeps : int
        Steps of the integration between two samples.
    interpolation : "zero_order_hold", "linear" or "cubic"
        Inputs between samples.
    most : int
        Evaluations.

    Raises FitError that names run, channel and time.
    """
    model = taken(model)
    if loss not in _LOSSES:
        raise FitError(f"loss: unknown {loss!r}; {near_names(str(loss), _LOSSES)}")
    if nodes is not None and (not isinstance(nodes, int) or nodes < 1):
        raise FitError(f"nodes is {nodes!r}; give a whole number of at least 1")
    problem = prepared(
        model,
        runs,
        free,
        outputs=outputs,
        sigma=sigma,
        parameters=parameters,
        substeps=substeps,
        interpolation=interpolation,
    )
    channels = problem.channels.names
    theta = problem.unknowns.start()
    # A start whose motion diverges is an error with its time; each column must act.
    first = problem.jacobian(theta)
    _require_sensitivity(problem, first)
    if nodes is not None:
        if loss != "linear":
            raise FitError(f"nodes: multiple shooting has no loss {loss!r}; leave one out")
        try:
            theta = shot(problem, model, nodes, theta)
        except FitError as error:
            if error.theta is not None:
                with suppress(FitError):
                    error.partial = estimate(problem, channels, error.theta, True, None)
            raise
    found: Any = None
    history: list[float] = []
    for _ in range(1 if sigma is not None else _REWEIGHTED):
        theta, found = _minimized(problem, theta, loss, most, history)
        if sigma is None:
            before, new = problem.sigma, _deviations(problem, theta)
            problem = replace(problem, sigma=new)
            if np.allclose(new, before, rtol=1e-3):
                break

    def validate(more: Any) -> Fit:
        return _validated(model, problem, theta, _read(model, more, channels, interpolation)[0])

    known = sigma is not None
    return estimate(problem, channels, theta, known, found, validate, history)


def prepared(
    model: CompiledModel,
    runs: Any,
    free: Given,
    *,
    outputs: Sequence[str] = (),
    sigma: Sigma = None,
    parameters: Mapping[str, float] | None = None,
    substeps: int = 4,
    interpolation: Interpolation = "linear",
) -> Problem:
    """The residuals of a fit with their derivatives, as functions of the unknowns; see `fit`."""
    read, channels = _read(model, runs, outputs, interpolation)
    chosen, given = frees(free), dict(parameters or {})
    tunable = [*(p for name in chosen for p in parameters_of(name)), *given]
    linker = model._links("forward_dynamics").tuned(tuple(dict.fromkeys(tunable)))
    rollout = SensitiveRollout(linker, substeps)
    names = rollout.library.parameters
    p = np.array([given.get(n, d) for n, d in zip(names, rollout.library.defaults, strict=True)])
    starts, initial = _starts(model, read)
    values = dict(zip(names, p.tolist(), strict=True))
    unknowns = listed(chosen, values, entries(model), initial, channels)
    closure = ClosedStart(model, linker) if model.is_constrained else None
    weights = _sigma(sigma, channels, read)
    made = Channels(model, linker, rollout, channels)
    problem = Problem(rollout, made, read, unknowns, p, starts, closure, weights)
    if not len(unknowns):
        raise FitError("free: give at least one parameter")
    if len(unknowns) >= problem.size:
        raise FitError(f"{len(unknowns)} unknowns, but {problem.size} measured values")
    return problem


def _validated(
    model: CompiledModel, problem: Problem, theta: Array, runs: Sequence[Recording]
) -> Fit:
    """The estimates on other runs, of which initial states alone may be free."""
    of_runs = [u.kind == "state" for u in problem.unknowns.entries]
    kept = theta[~np.array(of_runs, dtype=bool)]
    common = [u for u in problem.unknowns.entries if u.kind != "state"]
    starts, states = _starts(model, runs)
    own = listed({}, {}, entries(model), states, ())
    other = replace(problem, runs=runs, starts=starts, unknowns=Unknowns([*common, *own.entries]))
    count = len(common)
    fixed = Unknowns(
        replace(u, free=FreeValue(u.start, log=u.free.log)) for u in other.unknowns.entries
    )
    other = replace(other, unknowns=fixed)
    start = np.concatenate([kept, own.start()])
    found: Any = None
    if len(own):
        from scipy.optimize import least_squares

        found = least_squares(
            lambda x: other.residuals(np.concatenate([kept, x])),
            start[count:],
            lambda x: other.jacobian(np.concatenate([kept, x]))[:, count:],
            x_scale="jac",
        )
        start[count:] = found.x
    return estimate(other, tuple(problem.channels.names), start, True, found)


def _minimized(
    problem: Problem, theta: Array, loss: str, most: int, history: list[float]
) -> tuple[Array, Any]:
    from scipy.optimize import least_squares

    if not len(theta):
        return theta, None

    def residuals(x: Array) -> Array:
        r = problem.residuals(x)
        history.append(float(r @ r))
        return r

    low, high = problem.unknowns.bounds()
    found = least_squares(
        residuals,
        np.clip(theta, low, high),
        problem.jacobian,
        (low, high),
        loss=loss,
        x_scale="jac",
        ftol=_TOLERANCE,
        xtol=_TOLERANCE,
        gtol=_TOLERANCE,
        max_nfev=most,
    )
    return np.asarray(found.x, dtype=np.float64), found


def _deviations(problem: Problem, theta: Array) -> Array:
    """Of the residuals of each channel."""
    simulated = [y for y, _ in problem.all(theta, False)]
    errors = np.concatenate(
        [y - run.outputs for y, run in zip(simulated, problem.runs, strict=True)]
    )
    left = max(1 - len(theta) / errors.size, 0.1)
    found: Array = np.sqrt(np.mean(errors**2, axis=0) / left)
    return np.where(found > 0, found, 1.0)


def _read(
    model: CompiledModel, runs: Any, outputs: Sequence[str], interpolation: Interpolation
) -> tuple[list[Recording], tuple[str, ...]]:
    """Checked runs and their channels."""
    if model.prescribed:
        raise FitError(f"model {model.name!r} has prescribed coordinates, which a fit cannot take")
    read, channels = recordings(
        model, runs, outputs, lambda name: place_of(model, name) is not None, interpolation
    )
    if not channels:
        raise FitError("outputs: the runs have no channel that is an output of the model")
    for run in read:
        require_open_start(model, run)
    return read, channels


def _starts(
    model: CompiledModel, runs: Sequence[Recording]
) -> tuple[list[Array], list[tuple[str, dict[str, float], bool]]]:
    """Initial states, and their entries by name with whether they are free."""
    starts, names = [guess(model, run) for run in runs], entries(model)
    initial = [
        (run.name, dict(zip(names, x.tolist(), strict=True)), run.q is None and run.u is None)
        for run, x in zip(runs, starts, strict=True)
    ]
    return starts, initial


def _sigma(sigma: Sigma, channels: Sequence[str], runs: Sequence[Recording]) -> Array:
    if sigma is None:
        spread = np.concatenate([run.outputs for run in runs]).std(axis=0)
        return np.where(spread > 0, spread, 1.0)
    found = sigma if isinstance(sigma, Mapping) else dict.fromkeys(channels, sigma)
    for channel in channels:
        if channel not in found or not 0 < found[channel] < np.inf:
            value = found.get(channel, "missing")
            raise FitError(f"sigma of {channel!r} is {value}; give a positive deviation")
    return np.array([float(found[channel]) for channel in channels])


def _require_sensitivity(problem: Problem, J: Array) -> None:
    """Refuse unknowns that act on nothing, by name."""
    unknowns: Unknowns = problem.unknowns
    values = np.abs(unknowns.values(unknowns.start()))
    # Coordinates of an inertia are of the size of 1; it acts if one of them does.
    whole = {u.body: f"inertia({u.body})" for u in unknowns.entries if u.body}
    scale = [
        1.0 if u.body or not v > 0 else v for u, v in zip(unknowns.entries, values, strict=True)
    ]
    sizes: dict[str, float] = {}
    for u, size in zip(unknowns.entries, np.linalg.norm(J, axis=0) * scale, strict=True):
        name = whole.get(u.body, u.name)
        sizes[name] = max(sizes.get(name, 0.0), float(size))
    for name, size in sizes.items():
        if size <= _NOTHING * max(sizes.values()):
            raise FitError(f"free {name!r} acts on nothing that these runs measure")
