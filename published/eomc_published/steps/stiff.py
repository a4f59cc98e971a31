"""Cases 2 to 4: order on stiff problems, and errors that do not depend on stiffness."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.codegen.integrators import Rosenbrock, rosenbrock_methods
from eomc.runtime.model.errors import SimulationError
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.steps.models import G, relaxing, spring_pendulum

_RELAXING = {
    "ros34pw2": (2, (1.063e-10, 2.891e-11, 7.52e-12, 1.92e-12)),
    "rodas4p": (3, (2.415e-12, 3.03e-13, 3.79e-14)),
}
_ROUNDING = 2e-15


def _phi(t: float) -> float:
    return float(np.sin(t + np.pi / 4))


def _relaxed(method: str, rate: float, h: float) -> float:
    """The error at t = 1."""
    model, steps = relaxing(rate), round(1 / h)
    _, u = getattr(model, method)([0.0], [_phi(0)], [0.0], 0.0, h, steps)
    return abs(float(u[-1, 0]) - _phi(1))


def _without_time(method: Rosenbrock, rate: float, h: float) -> float:
    """The same in NumPy, by stages as they are written, with df/dt left out."""
    y, s = _phi(0), method.stages
    a, g = np.zeros((s, s)), float(method.gamma) * np.eye(s)
    for i in range(s):
        a[i, :i], g[i, :i] = ([float(x) for x in row[i]] for row in (method.a, method.g))
    for step in range(round(1 / h)):
        k = np.zeros(s)
        for i in range(s):
            t = step * h + a[i].sum() * h
            f = rate * (y + h * a[i] @ k - _phi(t)) + np.cos(t + np.pi / 4)
            k[i] = (f + h * rate * g[i, :i] @ k[:i]) / (1 - h * g[i, i] * rate)
        y += h * float(np.array(method.b, dtype=float) @ k)
    return abs(y - _phi(1))


def _orders(errors: list[float]) -> np.ndarray:
    found: np.ndarray = np.log2(np.array(errors[:-1]) / errors[1:])
    return found


def _relaxation() -> Iterator[CaseCheck]:
    for name, (order, expected) in _RELAXING.items():
        errors = [_relaxed(name, -1e6, 0.1 / 2**k) for k in range(len(expected))]
        for k, (wanted, got) in enumerate(zip(expected, errors, strict=True)):
            tolerance = 0.02 * wanted + _ROUNDING
            yield agrees(f"{name}: error at h = {0.1 / 2**k:g}", wanted, got, tolerance)
        last = _orders(errors)[: -1 if errors[-1] < 1e-13 else None]
        yield agrees(f"{name}: order", np.full(last.size, order), last, 0.15)
    mild = {"ros34pw2": (7.641e-7, 5.286e-9), "rodas4p": (4.890e-8, 2.371e-11)}
    for name, wanted_ends in mild.items():
        got_ends = [_relaxed(name, -100.0, h) for h in (0.1, 0.0125)]
        yield agrees(
            f"{name}: rate -100", np.ones(2), np.array(got_ends) / np.array(wanted_ends), 0.02
        )
    records = {method.name: method for method in rosenbrock_methods()}
    for name, order in (("ros34pw2", 3), ("rodas4p", 1)):
        errors = [_without_time(records[name], -1.0, 0.1 / 2**k) for k in range(4)]
        yield agrees(f"{name}: order without df/dt, rate -1", order, _orders(errors)[-1], 0.1)
    dropped = _without_time(records["rodas4p"], -1e6, 0.025)
    yield holds(
        "rodas4p: error without df/dt, rate -1e6",
        "over ten times as large",
        f"{dropped:.3g}",
        dropped > 10 * 3.79e-14,
    )


@cache
def pendulum_error(method: str, stiffness: float, angle: float, h: float) -> float:
    """Of the angle at t = 2; with rho = 0 behind the name of the method, if it is not 0.8."""
    model, start = spring_pendulum(stiffness), [1.0, G * np.cos(1) / stiffness]
    name, _, chosen = method.partition(", rho = ")
    rho = float(chosen) if chosen else None
    run = simulate(model, start, t_span=2.0, method=name, step=h, rho=rho)
    return abs(float(run.q[-1, 0]) - angle)


_STEPS = (0.02, 0.01, 0.005, 0.0025)
_ANGLE = 0.920791267505513
_PENDULUM = {
    "linear_euler": (1.39e-1, None, None, 1.79e-2),
    "ros34pw2": (2.41e-5, 2.98e-6, 3.71e-7, 4.63e-8),
    "rodas4p": (2.74e-8, 1.71e-9, 1.06e-10, 6.5e-12),
    "midpoint": (5.30e-4, None, None, 8.27e-6),
    "generalized_alpha": (6.99e-4, None, None, 1.09e-5),
    "generalized_alpha, rho = 0": (4.11e-3, None, None, 5.77e-5),
}


def _pendulum() -> Iterator[CaseCheck]:
    start = [1.0, G * np.cos(1) / 1e7]
    model = spring_pendulum(1e7)
    exact = simulate(model, start, t_span=[0, 2], method="dopri", rtol=1e-12, atol=1e-14)
    yield agrees("angle by an explicit method", _ANGLE, exact.q[-1, 0], 1e-10)
    yield agrees("rate of the angle", 1.128319005666406, exact.u[-1, 0], 1e-9)
    for method, expected in _PENDULUM.items():
        for h, wanted in zip(_STEPS, expected, strict=True):
            if wanted is not None:
                got = pendulum_error(method, 1e7, _ANGLE, h)
                yield agrees(f"{method}: error at h = {h:g}", wanted, got, 0.02, relative=True)
    chosen = simulate(model, start, t_span=2.0)
    yield at_most("error of that run", abs(chosen.q[-1, 0] - _ANGLE), 1e-9)
    yield holds(
        "a run that names none is implicit", "rodas4p", chosen.method, chosen.method == "rodas4p"
    )


def _stiffer() -> Iterator[CaseCheck]:
    model, start = spring_pendulum(1e9), [1.0, G * np.cos(1) / 1e9]
    exact = simulate(model, start, t_span=[0, 2], method="rodas4p", rtol=1e-10, atol=1e-12)
    yield agrees("angle", 0.92079380156, exact.q[-1, 0], 1e-10)
    for h, wanted in zip(_STEPS, (2.405e-5, 2.983e-6, 3.71e-7, 4.63e-8), strict=True):
        got = pendulum_error("ros34pw2", 1e9, float(exact.q[-1, 0]), h)
        yield agrees(f"ros34pw2: error at h = {h:g}", wanted, got, 0.05, relative=True)
    try:
        simulate(model, start, t_span=2.0, method="rk4", step=1e-3)
        got_text = "ran to the end"
    except SimulationError as error:
        got_text = str(error)
    stopped = "stopped at t = 0.00" in got_text
    yield holds("rk4 at 1 ms", "stops at once, with its time", got_text, stopped)


CASES = (
    Case(
        2,
        "Relaxation to a moving target",
        "Prothero and Robinson, Math. Comp. 28 (1974)",
        "errors of the compiled steps, and NumPy without df/dt",
        _relaxation,
    ),
    Case(
        3,
        "Pendulum on a stiff spring",
        "Hairer and Wanner II, sec. VI.1",
        "errors at four steps, and the method that a run takes by itself",
        _pendulum,
    ),
    Case(
        4,
        "Pendulum on a spring a hundred times as stiff",
        "Hairer and Wanner II, sec. VI.1",
        "the same errors; explicit steps diverge",
        _stiffer,
    ),
)
