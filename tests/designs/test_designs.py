"""Designs: derivatives of every quantity, solvers, starts that go on, and input that is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime import CompiledModel
from eomc.runtime.designs import Design, DesignError, FreeValue, optimize
from eomc.runtime.designs.dual import DualArray, dual
from eomc.runtime.designs.problem import DesignProblem
from eomc.runtime.designs.states import DesignFunctions
from eomc.runtime.fit.unknowns import Unknown, Unknowns
from eomc.runtime.study.results import StudyError

x = DualArray(np.array([[0.3, -1.2, 2.0], [0.7, 0.1, -0.4]]), np.arange(12.0).reshape(2, 3, 2) - 5)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sin(x) * np.cos(x[0]) - np.tan(x[1]) / (2 + x**2),
        lambda x: np.sqrt(x**2 + 1) + np.exp(x) * np.tanh(x) - np.arctan(x),
        lambda x: np.log(np.abs(x)) + np.hypot(x, 2.0) + np.arctan2(x, x[::-1]),
        lambda x: np.maximum(x, 0.2) + np.minimum(x[0], x[1]) + abs(-x) ** 1.5 + 2.0 ** (x / 3),
        lambda x: np.concatenate([x.T @ x[0, :2], [1.0]])[1:] * np.mean(x, axis=0)[:2].sum(),
        lambda x: np.stack([x[0], x[1]], axis=1) @ np.eye(2)[::-1] + (np.eye(3) @ x.T),
        lambda x: np.linalg.norm(x, axis=1) - x.max() + np.min(x) + np.sum(x[..., 1]),
        lambda x: dual([x[0] * x[1], [1.0, x[0, 0], x[1, 1]]], 2) + dual(np.array([x[1, 2]]), 2),
        lambda x: np.where(x.value > 0, x**2, 1.0) + np.clip(x, -1.0, 0.5) * np.ptp(x),
        lambda x: np.diff(x)[0] * np.trapezoid(x[0], np.array([0.0, 0.3, 1.0])),
        lambda x: np.arcsin(x / 3) * np.arccos(x / 3) + np.square(x.ravel().reshape(2, 3)),
    ],
)
def test_derivatives_of_array_functions(f: Callable[[Any], Any]) -> None:
    found, h = f(x), 1e-6
    for k in range(2):
        ahead, behind = (f(DualArray(x.value + s * x.slopes[..., k], x.slopes)) for s in (h, -h))
        slope = (ahead.value - behind.value) / (2 * h)
        assert found.slopes[..., k] == pytest.approx(slope, rel=1e-7, abs=1e-7)


def test_functions_without_a_derivative_are_named() -> None:
    with pytest.raises(TypeError, match=r"np\.floor has no derivative"):
        np.floor(x)
    with pytest.raises(TypeError, match=r"np\.sort has no derivative"):
        np.sort(x)
    assert (x > 0).tolist() == (x.value > 0).tolist() and float(dual(2.0, 3)) == 2.0


@cache
def slider() -> CompiledModel:
    """A crank on a spring with a rod to a block on a rail; a pendulum hangs on the block."""
    model = eomc.Model("designed", gravity=(0, 0, -9.81))
    for name, value in {"r": 0.3, "l": 0.8, "k": 30.0, "m": 1.0, "c": 0.2}.items():
        model.parameter(name, value)
    y, thin = (0, 1, 0), (0.01, 0.01, 0.01)
    model.body("crank", mass="m", com=("r/2", 0, 0), inertia=thin)
    model.body("rod", mass=1, com=("l/2", 0, 0), inertia=thin)
    model.body("block", mass=2, inertia=thin)
    model.body("bob", mass=0.5, com=(0, 0, "-r"), inertia=thin)
    model.joint("crank", "revolute", parent="world", child="crank", axis=y, damping="c")
    pin = {"xyz": ("r", 0, 0)}
    model.joint("pin", "revolute", parent="crank", child="rod", axis=y, placement=pin)
    model.joint("rail", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.joint("hinge", "revolute", parent="block", child="bob", axis=y, damping=0.01)
    end = {"xyz": ("l", 0, 0)}
    closing = {"parent": "rod", "child": "block", "axis": y, "placement": end, "cut": True}
    model.joint("closing", "revolute", **closing)
    at = {"body": "world", "xyz": (1.5, 0, 0)}
    model.spring("spring", a=at, b={"body": "block", "xyz": (0, 0, 0)}, stiffness="k")
    model.frame("middle", body="rod", placement={"xyz": ("l/2", 0, 0)})
    return eomc.build(model, tunable="all")


GUESS = {"crank": -0.4, "pin": 0.6, "rail": 1.0}


def closed(design: Design) -> Any:
    states = design.closed({"crank": design["a"] * np.linspace(-0.8, -0.3, 4)}, guess=GUESS)
    return np.concatenate([states["rail"], states["middle.z"], states.position("middle").ravel()])


def rest(design: Design) -> Any:
    at = design.equilibrium(GUESS)
    return np.stack([at["crank"], at["spring.tension"], at["middle.z"], *at.frequencies])


def moved(design: Design) -> Any:
    run = design.run(0.2, 0.01, start=design.closed({"crank": -0.4}, guess=GUESS), substeps=4)
    late = np.concatenate([run[n][-3:] for n in ("crank", "speed(hinge)", "spring.length")])
    return np.concatenate([late, run["middle.x"][-2:]])


def problem(objective: Callable[[Design], Any], names: str) -> DesignProblem:
    """With some parameters and a variable free."""
    p = slider().parameters
    entries = [Unknown(n, "p", list(p).index(n), None, FreeValue(), p[n]) for n in names]
    entries.append(Unknown("a", "variable", 0, None, FreeValue(), 1.0))
    return DesignProblem(DesignFunctions(slider()), Unknowns(entries), {}, objective, {})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("objective", "names", "near"),
    [(closed, "rlkmc", 1e-8), (rest, "rk", 1e-6), (moved, "rlkmc", 1e-7)],
    ids=["closed", "rest", "moved"],
)
def test_derivatives_of_quantities_of_a_loop(objective: Any, names: str, near: float) -> None:
    made = problem(objective, names)
    theta = made.unknowns.start()
    slopes = made.trial(theta).objective.slopes
    for k in range(len(theta)):
        h = 1e-5 * max(theta[k], 0.1) * np.eye(len(theta))[k]
        ahead, behind = (made.trial(theta + s * h).objective.value for s in (1, -1))
        slope = (ahead - behind) / (2 * h[k])
        assert slopes[:, k] == pytest.approx(slope, rel=near, abs=near * np.abs(slopes).max())


@cache
def mass() -> CompiledModel:
    """A mass on a spring with an output."""
    model = eomc.Model("mass", gravity=(0, 0, 0))
    for name, value in (("k", 4.0), ("m", 1.0), ("idle", 1.0)):
        model.parameter(name, value)
    model.body("block", mass="m + 0*idle")
    model.joint("slide", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.generalized_force("spring", speed="slide", expression="-k*slide")
    return eomc.build(model, tunable="all")


def valley(design: Design) -> Any:
    """Rosenbrock's function with minimum at (1, 1), as residuals."""
    k, m = design["k"], design["m"]
    return np.stack([10 * (m - k**2), 1 - k])


def test_inputs_of_past_trials_are_forgotten() -> None:
    """Every trial makes a recording of its own; its inputs are kept no longer than itself."""

    def end(design: Design) -> Any:
        states = design.run(0.2, 0.1, q={"slide": design["k"]}, inputs={"tau(slide)": np.cos})
        return states["slide"][-1]

    p = mass().parameters
    free = Unknowns([Unknown("k", "p", list(p).index("k"), None, FreeValue(), 4.0)])
    made = DesignProblem(DesignFunctions(mass()), free, {}, end, {})
    for k in range(20):
        made.trial(np.array([4.0 + k]))
    assert len(made.functions.rollout(1)._inputs) <= 1


_SLOW = pytest.param("trust-constr", marks=pytest.mark.slow)


@pytest.mark.parametrize("method", ["least squares", "SLSQP", _SLOW])
def test_every_method_finds_the_minimum(method: str) -> None:
    free = {"k": FreeValue(-0.5, -2, 2), "m": FreeValue(1.5, -2, 3)}
    found = optimize(mass(), valley, free, method=method)
    assert found.success and [found["k"], found["m"]] == pytest.approx([1, 1], abs=1e-5)
    if method != "least squares":
        # On a circle of radius 1: a minimum by Lagrange's condition.
        bound = {"circle": (lambda d: d["k"] ** 2 + d["m"] ** 2, 1.0, 1.0)}
        found = optimize(mass(), valley, free, subject_to=bound, method=method)
        k, m = found["k"], found["m"]
        slope = [-400 * k * (m - k**2) - 2 * (1 - k), 200 * (m - k**2)]
        assert k**2 + m**2 == pytest.approx(1) and slope[0] * m == pytest.approx(slope[1] * k)
        inside = {"circle": (lambda d: d["k"] ** 2 + d["m"] ** 2, -np.inf, 0.5)}
        found = optimize(mass(), valley, free, subject_to=inside, method=method)
        assert found["k"] ** 2 + found["m"] ** 2 < 0.5 + 1e-7
        # An interior point method stays a little inside.
        assert found["k"] ** 2 + found["m"] ** 2 == pytest.approx(0.5, abs=1e-3)
        assert found.active == ("circle",) or method != "SLSQP"


def wave(design: Design) -> Any:
    """Minima near k = 1.2, 3.3 and 5.4, the last of them the least."""
    return np.cos(3 * design["k"]) - 0.1 * design["k"] + (design["m"] - 1) ** 2


def test_starts_find_all_minima_and_go_on(tmp_path: Path) -> None:
    free, calls = {"k": (0.1, 6.0), "m": (0.5, 2.0)}, [0]

    def counted(design: Design) -> Any:
        calls[0] += 1
        return wave(design)

    given: dict[str, Any] = {"starts": 12, "folder": tmp_path / "search", "threads": 2}
    found = optimize(mass(), counted, free, **given)
    assert [round(values["k"], 1) for _, values in found.optima] == [5.2, 3.2, 1.1]
    state, value, *_, others = str(found).splitlines()
    assert state.startswith("optimal, cost ") and value == f"k = {found['k']:.8g}"
    assert others == "3 local optima"
    # One start is lost: it alone is done again.
    (path, *_) = sorted((tmp_path / "search").glob("runs-*"))[3:]
    path.unlink()
    before, calls[0] = calls[0], 0
    again = optimize(mass(), counted, free, **given)
    assert again.optima == found.optima and 0 < calls[0] < before / 3
    with pytest.raises(StudyError, match="another study"):
        optimize(mass(), wave, free, **given | {"seed": 1})


def test_bad_input_is_named() -> None:
    def k(design: Design) -> Any:
        return design["k"]

    for error, text, given in (
        (ValueError, "no tunable parameter 'kk'.*did you mean 'k'", {"free": ["kk"]}),
        (ValueError, "lower bound 3 is not below 2", {"free": {"k": FreeValue(2.5, 3, 2)}}),
        (ValueError, "the start 4 is outside 0 ... 1", {"free": {"k": (0, 1)}}),
        (DesignError, "free 'idle' acts on nothing", {"free": ["k", "idle"]}),
        (ValueError, "least squares takes an array", {"free": ["k"], "method": "least squares"}),
        (ValueError, "method: 'Newton'", {"free": ["k"], "method": "Newton"}),
        (ValueError, r"random starts need bounds \(low, high\) of k", {"free": ["k"], "starts": 3}),
        (ValueError, "'m' is a parameter", {"free": ["k"], "variables": {"m": 1.0}}),
        (ValueError, "give at least one", {"free": []}),
        (ValueError, r"subject_to 'a': give \(function", {"free": ["k"], "subject_to": {"a": 1}}),
        (
            DesignError,
            "the derivative by 'k' is not finite",
            {"free": ["k"], "objective": lambda d: np.sqrt(d["k"] - 4)},
        ),
        (
            DesignError,
            "cannot be evaluated: the objective",
            {"free": ["k"], "objective": lambda d: np.log(-d["k"])},
        ),
    ):
        objective: Any = given.pop("objective", k)  # type: ignore[attr-defined]
        with np.errstate(all="ignore"), pytest.raises(error, match=text):
            optimize(mass(), objective, **given)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="no 'stiffness' in this design"):
        optimize(mass(), lambda d: d["stiffness"], ["k"])
    with pytest.raises(KeyError, match=r"has no 'slide\.x'"):
        optimize(mass(), lambda d: d.equilibrium()["slide.x"], ["k"])
