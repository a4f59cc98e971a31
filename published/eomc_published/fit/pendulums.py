"""Pendulums: one run, a long run, a wrong model, and parameters that no run tells apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import CompiledModel
from eomc.runtime.fit import Fit, Run, fit
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

Array = np.ndarray[Any, np.dtype[np.float64]]
_G = 9.81
_SOURCE = "records by DOP853 at 1e-12 with seeded noise; optima by Gauss-Newton of other programs"


def recorded(
    rates: Callable[[float, Array], list[float]],
    x: list[float],
    dt: float,
    count: int,
    tolerance: float = 1e-12,
) -> tuple[Array, Array]:
    """(t, x (samples, entries)) of an exact flow."""
    from scipy.integrate import solve_ivp

    t: Array = np.asarray(np.arange(count + 1) * dt, dtype=np.float64)
    given: Any = {"method": "DOP853", "rtol": tolerance, "atol": tolerance, "t_eval": t}
    found = solve_ivp(rates, (0, t[-1]), x, **given)
    return t, np.asarray(found.y.T, dtype=np.float64)


def near(fit: Fit, truth: dict[str, float], tolerance: float) -> CaseCheck:
    """Estimates within so many of their deviations of the optimum."""
    errors = [(fit[name] - value) / fit.deviations[name] for name, value in truth.items()]
    return at_most(f"{', '.join(truth)}, in deviations", float(np.abs(errors).max()), tolerance)


@cache
def pendulum(is_rubbing: bool = False) -> CompiledModel:
    """A point mass of 1 kg on a hinge, with viscous and dry friction."""
    model = Model("fit_pendulum", gravity=(0, 0, -_G))
    for name, value in (("l", 0.6), ("b", 0.1)):
        model.parameter(name, value)
    friction: Any = 0
    if is_rubbing:
        model.parameter("Fc", 0.01)
        friction = "Fc"
    model.body("bob", mass=1, com=(0, 0, "-l"))
    hinge: dict[str, Any] = {"parent": "world", "child": "bob", "axis": (0, 1, 0), "damping": "b"}
    model.joint("hinge", "revolute", friction=friction, friction_speed=0.01, **hinge)
    return build(model)


def swing(
    b: float, count: int, sigma: float, seed: int, start: float = 1.0, friction: float = 0.0
) -> Run:
    """A recorded swing of a pendulum of 0.5 m from rest."""

    def rates(t: float, x: Array) -> list[float]:
        loss = b * x[1] + friction * np.tanh(x[1] / 0.01)
        return [x[1], -_G / 0.5 * np.sin(x[0]) - loss / 0.25]

    t, x = recorded(rates, [start, 0.0], 0.02, count)
    y = x[:, 0] + sigma * np.random.default_rng(seed).standard_normal(count + 1)
    return Run({"t": t, "hinge": y}, q={"hinge": start}, u={"hinge": 0.0})


def case_1() -> Iterator[CaseCheck]:
    run = swing(0.05, 250, 0.01, 0)
    found = fit(pendulum(), run, ["l", "b"], sigma=0.01, substeps=10)
    yield near(found, {"l": 0.49990951063, "b": 0.050028377137}, 1e-3)
    yield agrees("chi2", 257.72716391, found.chi2, 1e-3)
    sd = list(found.deviations.values())
    yield agrees("deviations", [1.153418e-4, 2.324474e-4], sd, 1e-4, relative=True)
    yield agrees("correlation", 0.5210, found.correlation[0, 1], 1e-3)
    yield agrees("Durbin-Watson", 1.92115, found.durbin_watson["hinge"], 1e-4)
    biased = {**run.data, "hinge": run.data["hinge"] + 0.02}
    free = fit(pendulum(), biased, ["l", "b", "bias(hinge)"], sigma=0.01, substeps=10)
    names = ("l", "b", "q.hinge", "u.hinge", "bias(hinge)")
    truth = (0.50012042, 0.049969106, 0.99915432, -0.0080302694, 0.020070053)
    yield near(free, dict(zip(names, truth, strict=True)), 1e-3)
    yield agrees("chi2 with start and bias free", 256.06489361, free.chi2, 1e-3)


def case_2() -> Iterator[CaseCheck]:
    run = swing(0.005, 1000, 0.01, 1)
    truth = {"l": 0.50002585904, "b": 0.0050130464077}
    for start in (0.2, 0.3, 0.4, 0.7, 1.0, 2.0):
        free = {"l": start, "b": 0.005}
        found = fit(pendulum(), run, free, sigma=0.01, nodes=40)
        yield near(found, truth, 1e-3)
    yield agrees("chi2", 974.88144117, found.chi2, 1e-3)
    sd = list(found.deviations.values())
    yield agrees("deviations", [2.972518e-5, 1.774306e-5], sd, 1e-4, relative=True)
    given: dict[str, Any] = {"parameters": {"b": 0.005}, "sigma": 0.01}
    slipped = fit(pendulum(), run, {"l": 0.7}, **given)
    yield agrees("single shooting from 0.7 m stops at", 0.71359, slipped["l"], 1e-4)
    whole = fit(pendulum(), run, {"l": 0.7}, nodes=40, **given)
    yield agrees("multiple shooting at", 0.50000535608, whole["l"], 3e-8)


def case_9() -> Iterator[CaseCheck]:
    run = swing(0.02, 250, 0.005, 9, friction=0.1)
    held_out = swing(0.02, 250, 0.005, 109, start=0.6, friction=0.1)
    wrong = fit(pendulum(), run, {"l": 0.5, "b": 0.05}, sigma=0.005, substeps=40)
    start = {"l": 0.5, "b": 0.03, "Fc": 0.01}
    right = fit(pendulum(True), run, start, sigma=0.005, substeps=40)
    yield near(wrong, {"l": 0.50142078, "b": 0.056844809}, 1e-3)
    yield agrees("chi2 without dry friction", 670.0239, wrong.chi2, 1e-3)
    yield agrees("Ljung-Box", 737.96, wrong.ljung_box["hinge"][0], 0.01)
    yield holds("its residuals", "correlated", "white" * wrong.is_white, not wrong.is_white)
    yield near(right, {"l": 0.49989915, "b": 0.017953484, "Fc": 0.10552872}, 1e-3)
    yield agrees("chi2 with dry friction", 240.9536, right.chi2, 1e-3)
    yield holds("its residuals", "white", "correlated" * (not right.is_white), right.is_white)
    names = list(start)
    pair = right.correlation[names.index("b"), names.index("Fc")]
    yield agrees("correlation of b and Fc", -0.9983, pair, 1e-4)
    for found, rms in ((wrong, 8.577), (right, 1.061)):
        yield agrees("rms of a run held out", rms, found.validate(held_out).rms["hinge"], 1e-3)


@cache
def driven(gravity: float) -> CompiledModel:
    """A pendulum with mass and inertia of its own."""
    model = Model("fit_driven", gravity=(0, 0, -gravity))
    for name, value in (("m", 1.2), ("l", 0.2), ("J", 0.05), ("b", 0.1)):
        model.parameter(name, value)
    model.body("bob", mass="m", com=(0, 0, "-l"), inertia=("J", "J", "J"))
    hinge: dict[str, Any] = {"parent": "world", "child": "bob", "axis": (0, 1, 0), "damping": "b"}
    model.joint("hinge", "revolute", **hinge)
    return build(model)


def case_10() -> Iterator[CaseCheck]:
    def torque(t: float) -> float:
        return float(0.3 * np.sin(2 * np.pi * 0.7 * t) + 0.2 * np.sin(2 * np.pi * 1.9 * t))

    for pull, texts, values, sds, chi2 in (
        (0.0, ["m*l**2 + J"], [0.091986317322], [3.068033e-5], 426.72162673),
        (
            _G,
            ["m*l", "m*l**2 + J"],
            [0.23978195186, 0.091917285777],
            [2.366201e-4, 1.060617e-4],
            423.70937753,
        ),
    ):

        def rates(t: float, x: Array, pull: float = pull) -> list[float]:
            moment = torque(t) - 0.05 * x[1] - 0.8 * pull * 0.3 * np.sin(x[0])
            return [x[1], moment / (0.8 * 0.09 + 0.02)]

        t, x = recorded(rates, [0.0, 0.0], 0.01, 400)
        y = x[:, 0] + 0.002 * np.random.default_rng(8).standard_normal(401)
        run = Run({"t": t, "hinge": y, "tau(hinge)": torque}, q={"hinge": 0}, u={"hinge": 0})
        free = ["m", "l", "J", "b"]
        found = fit(driven(pull), run, free, sigma=0.002, substeps=5)
        combinations = found.combinations
        yield holds(
            "identified", ", ".join(texts), ", ".join(combinations), list(combinations) == texts
        )
        deviations = [sd for _, sd in combinations.values()]
        errors = [
            (combinations[n][0] - v) / combinations[n][1]
            for n, v in zip(texts, values, strict=True)
        ]
        yield at_most("their values, in deviations", float(np.abs(errors).max()), 1e-3)
        yield agrees("their deviations", sds, deviations, 1e-4, relative=True)
        yield agrees("chi2", chi2, found.chi2, 1e-3)


CASES = (
    Case(
        1,
        "a pendulum",
        _SOURCE,
        "optimum, covariance, residuals; then start and bias of the sensor free",
        case_1,
        slow=True,
    ),
    Case(
        2,
        "a long run",
        _SOURCE,
        "multiple shooting from six lengths; single shooting ends in a false minimum",
        case_2,
        slow=True,
    ),
    Case(
        9,
        "a model without its dry friction",
        _SOURCE,
        "residuals and a run held out reject it, and accept the right one",
        case_9,
        slow=True,
    ),
    Case(
        10,
        "parameters that act together",
        _SOURCE,
        "combinations that the run identifies, by name, with values and deviations",
        case_10,
        slow=True,
    ),
)
