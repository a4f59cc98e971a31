"""Linearly implicit steps: orders with all that a model may have, bad input, who takes them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import eomc
from eomc.runtime.errors import SimulationError
from eomc.runtime.simulation.by_stiffness import method_if_stiff

Array = NDArray[np.float64]
NEEDS = ("coordinate_rates", "forward_dynamics", "normalize", "element_state_rates")
IMPLICIT = (*NEEDS, "integrate", "displacement_rates", "step_matrix", "midpoint_step")
DAMPED = ("generalized_alpha", "hht")


def _flying() -> eomc.Model:
    """A floating body with an arm on a drive that lags: quaternion, state of an element, time, and
    a parameter that stays one."""
    model = eomc.Model("flying", gravity=(0, 0, -9.81))
    model.parameter("k", 30.0)
    model.body("hull", mass=2, inertia=(1, 2, 3))
    model.joint("free", "floating", parent="world", child="hull")
    model.body("bob", mass=1, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    model.joint("hinge", "revolute", parent="hull", child="bob", axis=(0, 1, 0))
    model.lag("motor", speed="hinge", command="-k*hinge + 2*sin(3*t)", time_constant=0.02)
    return model


@cache
def flying(real: Any = "double") -> eomc.CompiledModel:
    return eomc.build(_flying(), functions=IMPLICIT, tunable=["k"], real=real)


def _start(model: eomc.CompiledModel) -> dict[str, Array]:
    rng = np.random.default_rng(1)
    return {
        "q": model.random_configuration(rng),
        "u": rng.normal(size=model.nu),
        "z": np.array([0.5]),
        "tau": rng.normal(size=model.nu),
    }


def _end(model: eomc.CompiledModel, method: str, steps: int) -> Array:
    given, k, rho = _start(model), {"k": 40.0}, []
    size = sum(given[name].size for name in ("q", "u", "z"))
    if method in DAMPED:
        given["z"], rho = np.concatenate([given["z"], np.zeros(model.nu + 1 + 2)]), [0.8]
    run = getattr(model, method)(*given.values(), *rho, 0.3, 0.2 / steps, steps, parameters=k)
    return np.concatenate([rows[-1] for rows in run])[:size]


@pytest.mark.parametrize(
    ("method", "order"),
    [
        ("linear_euler", 1),
        ("midpoint", 2),
        ("generalized_alpha", 2),
        ("hht", 2),
        ("ros34pw2", 3),
        ("rodas4p", 4),
    ],
)
def test_orders_with_quaternion_state_time_and_parameter(method: str, order: int) -> None:
    model = flying()
    *parts, _ = model.dopri(
        *_start(model).values(),
        np.array([0.3, 0.5]),
        rtol=1e-12,
        atol=1e-13,
        parameters={"k": 40.0},
    )
    exact = np.concatenate([rows[-1] for rows in parts])
    errors = [np.abs(_end(model, method, n) - exact).max() for n in (20, 40)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


def test_single_precision_takes_the_same_steps() -> None:
    double, single = (_end(flying(real), "ros34pw2", 20) for real in ("double", "float"))
    np.testing.assert_allclose(single, double, rtol=0, atol=2e-4)


def test_midpoint_rollouts_are_runs_of_their_own() -> None:
    """On lanes, bit for bit: quaternion, state of an element, time and a parameter."""
    model = eomc.build(
        _flying(), functions=(*NEEDS, "difference", "midpoint_step"), tunable=["k"], lanes=2
    )
    rng, k = np.random.default_rng(3), {"k": 40.0}
    q = np.array([model.random_configuration(rng) for _ in range(3)])
    given = [q, rng.normal(size=(3, model.nu)), rng.normal(size=(3, 1)), _start(model)["tau"]]
    runs = model.midpoint_rollouts(*given, 0.3, 0.01, 20, parameters=k)
    for row in range(3):
        own = [*(part[row] for part in given[:3]), given[3]]
        for rows, alone in zip(
            runs, model.midpoint(*own, 0.3, 0.01, 20, parameters=k), strict=True
        ):
            np.testing.assert_array_equal(rows[row], alone)


@pytest.mark.parametrize("method", DAMPED)
def test_what_a_method_keeps_goes_on_from_call_to_call(method: str) -> None:
    """A law that is a function is called before every step, a constant force never; an event looks
    between the steps."""
    model = flying()
    start, more = _start(model), {"method": method, "step": 0.01, "t_span": 0.3}
    tau, at = start.pop("tau"), []

    def law(t: float, q: Array, u: Array) -> Array:
        return tau

    def event(t: float, q: Array, u: Array) -> float:
        return float(u[0] - 0.5 * (once.u[0, 0] + once.u[-1, 0]))

    once = eomc.simulate(model, **start, tau=tau, **more)
    again = eomc.simulate(model, **start, controller=law, events=event, **more)
    np.testing.assert_allclose(again.q, once.q, rtol=0, atol=1e-13)
    np.testing.assert_allclose(again.u, once.u, rtol=0, atol=1e-12)
    assert again.statistics["residual"] == pytest.approx(once.statistics["residual"])
    assert 0 < once.statistics["residual"] < 1e-8
    at = again.events[0]
    assert event(0, at.q[0], at.u[0]) == pytest.approx(0, abs=1e-9)


def test_numerical_damping_is_chosen_within_its_range() -> None:
    model = flying()
    for method, rho, least in (("generalized_alpha", 1.2, 0), ("hht", 0.4, 0.5)):
        with pytest.raises(ValueError, match=rf"rho is {rho}: method '{method}'.*from {least} to"):
            eomc.simulate(model, t_span=0.1, method=method, step=0.01, rho=rho)
    for method, other in (("hht", "a"), ("hht", float("nan")), ("midpoint", 0.5), ("rk4", 0.5)):
        with pytest.raises(ValueError, match=rf"rho.*method '{method}'"):
            eomc.simulate(model, t_span=0.1, method=method, step=0.01, rho=other)


@pytest.mark.parametrize("kind", ["spherical", "floating"])
def test_a_midpoint_step_begins_at_rest(kind: str) -> None:
    """The rotation of no angle has derivatives."""
    model = eomc.Model("ball", gravity=(0, 0, -2))
    model.body("ball", mass=1, inertia=(0.1, 0.2, 0.3))
    model.joint("j", kind, parent="world", child="ball")
    run = eomc.simulate(eomc.build(model), t_span=0.2, method="midpoint", step=0.1)
    expected = run.q[0] - ([0, 0, 0.04, 0, 0, 0, 0] if kind == "floating" else 0)
    np.testing.assert_allclose(run.q[-1], expected, atol=1e-15)


@pytest.mark.parametrize("method", ["ros34pw2", "rodas4p"])
def test_the_error_falls_with_the_tolerance(method: str) -> None:
    model, times = flying(), np.array([0.3, 0.37, 0.5])
    start = [*_start(model).values()]
    *parts, _ = model.dopri(*start, times, rtol=1e-12, atol=1e-13)
    exact, steps = np.hstack(parts), []
    for tolerance in (1e-4, 1e-7):
        *parts, report = getattr(model, f"{method}_adaptive")(
            *start, times, rtol=tolerance, atol=tolerance
        )
        assert np.abs(np.hstack(parts) - exact).max() < 50 * tolerance
        steps.append(report["steps"])
    assert 3 < steps[1] / steps[0] < 15


def test_implicit_steps_add_no_functions_to_ordinary_builds() -> None:
    model = eomc.build(_flying(), functions=NEEDS)
    assert [entry["name"] for entry in model.manifest["integrators"]] == ["rk4", "dopri"]
    assert model.ros34pw2 is not None  # compiled when it is asked for
    assert "step_matrix" in model.functions


def _driven(**arguments: Any) -> eomc.CompiledModel:
    model = eomc.Model("driven", gravity=(0, 0, -9.81))
    model.body("table")
    model.joint("x", "prismatic", parent="world", child="table", axis=(1, 0, 0))
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="table", child="bob", axis=(0, 1, 0))
    model.prescribed("x")
    return eomc.build(model)


def test_a_prescribed_motion_within_a_step_is_refused() -> None:
    def shaken(t: float) -> tuple[float, float, float]:
        return np.sin(t), np.cos(t), -np.sin(t)

    for step in (0.1, None):
        with pytest.raises(ValueError, match=r"ros34pw2.*over a step; choose"):
            eomc.simulate(
                _driven(), t_span=1.0, prescribed={"x": shaken}, method="ros34pw2", step=step
            )
    still = eomc.simulate(
        _driven(), {"hinge": 0.1}, t_span=0.1, prescribed={"x": 0}, method="rodas4p"
    )
    assert still.method == "rodas4p"


def test_contacts_are_refused_by_steps_of_higher_order() -> None:
    """They would gain energy; the first order does not."""
    model = eomc.Model("ball", gravity=(0, 0, -9.81))
    model.body("ball", mass=1)
    model.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    model.stop("floor", coordinate="z", lower=0.0, normal={"kind": "spring", "stiffness": 1e7})
    compiled = eomc.build(model)
    with pytest.raises(ValueError, match="'rodas4p': forces of model 'ball' have kinks"):
        eomc.simulate(compiled, {"z": 0.1}, t_span=0.5, method="rodas4p")
    run = eomc.simulate(compiled, {"z": 0.1}, t_span=0.5, method="linear_euler", step=1e-3)
    assert abs(run.u).max() < np.sqrt(2 * 9.81 * 0.1) + 0.02


def test_the_midpoint_rule_takes_inertia_in_every_speed() -> None:
    """A slider without mass that a constraint moves: other implicit methods take it."""
    model = eomc.Model("carried", gravity=(0, 0, 0))
    for name, mass in (("cart", 1), ("mark", 0)):
        model.body(name, mass=mass)
        model.joint(f"x_{name}", "prismatic", parent="world", child=name, axis=(1, 0, 0))
    model.constraint("together", "expression", expression="x_cart - x_mark")
    compiled = eomc.build(model)
    with pytest.raises(ValueError, match=r"no 'midpoint'.*where speeds carry no inertia"):
        eomc.simulate(compiled, [0, 0], [1, 1], t_span=0.1, method="midpoint", step=0.01)
    run = eomc.simulate(compiled, [0, 0], [1, 1], t_span=0.1, method="hht", step=0.01)
    assert run.q[-1] == pytest.approx([0.1, 0.1], abs=1e-12)


def test_names_and_steps() -> None:
    model = flying()
    with pytest.raises(ValueError, match="unknown method 'ros34'; did you mean"):
        eomc.simulate(model, _start(model)["q"], t_span=1.0, method="ros34")
    with pytest.raises(ValueError, match="step is nan"):
        eomc.simulate(model, t_span=1.0, method="ros34pw2", step=float("nan"))
    loaded = eomc.runtime.load(eomc.build(_flying(), functions=NEEDS).library)
    with pytest.raises(ValueError, match="no 'rodas4p': build it with the functions integrate"):
        eomc.simulate(loaded, _start(model)["q"], t_span=1.0, method="rodas4p")


def test_a_matrix_that_is_singular_has_a_code_and_a_time() -> None:
    """An unstable spring whose negative stiffness cancels the inertia of the step."""
    model = eomc.Model("unstable", gravity=(0, 0, 0))
    model.body("block", mass=1)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.joint_spring("push", joint="x", stiffness=-4.0)
    with pytest.raises(SimulationError, match=r"t = 0 s.*singular_step"):
        eomc.simulate(eomc.build(model), [1.0], t_span=1.0, method="linear_euler", step=0.5)
    with pytest.raises(SimulationError, match=r"t = 0 s.*singular_step"):
        eomc.simulate(eomc.build(model), [1.0], t_span=2.4, method="midpoint", step=1.2)


@pytest.mark.parametrize("method", ["midpoint", "generalized_alpha"])
def test_a_step_that_newtons_method_does_not_settle_has_a_code(method: str) -> None:
    model = eomc.Model("swing", gravity=(0, 0, -9.81))
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    with pytest.raises(SimulationError, match=r"t = 0 s.*(step_unsolved|singular_step)"):
        eomc.simulate(eomc.build(model), [1.5], [7.0], t_span=4.0, method=method, step=2.0)


def test_a_fast_mode_that_the_tolerances_resolve_stays_explicit() -> None:
    """What is fast but excited is not stiff."""
    model = eomc.Model("oscillator", gravity=(0, 0, 0))
    for name, parent, stiffness in (("slow", "world", 2.0), ("fast", "slow", 5e7)):
        model.body(name, mass=1)
        model.joint(f"x_{name}", "prismatic", parent=parent, child=name, axis=(1, 0, 0))
        model.joint_spring(f"spring_{name}", joint=f"x_{name}", stiffness=stiffness)
    compiled = eomc.build(model)
    calm = eomc.simulate(compiled, [1.0, 2e-8], t_span=1.0)
    assert calm.method == calm.statistics["method"] == "rodas4p"
    assert "'x_fast' has a rate of 1e+04 1/s" in calm.statistics["why"]
    assert abs(calm.q[-1, 0] - np.cos(1)) < 1e-6
    assert eomc.simulate(compiled, [1.0, 1e-3], t_span=1.0).method == "dopri"
    assert method_if_stiff(compiled, [1.0, 2e-8]) == "rodas4p"  # as pages choose
    assert method_if_stiff(compiled, [1.0, 1e-3]) is None
    assert eomc.simulate(compiled, [1.0, 2e-8], t_span=1e-3).method == "dopri"


def test_large_models_run_explicitly_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eomc.runtime.simulation.by_stiffness._MOST_OPERATIONS", 0)
    model = eomc.Model("oscillator_unasked", gravity=(0, 0, 0))
    for name, parent, stiffness in (("slow", "world", 2.0), ("fast", "slow", 5e7)):
        model.body(name, mass=1)
        model.joint(f"x_{name}", "prismatic", parent=parent, child=name, axis=(1, 0, 0))
        model.joint_spring(f"spring_{name}", joint=f"x_{name}", stiffness=stiffness)
    compiled = eomc.build(model)
    start = [1.0, 2e-8]
    assert eomc.simulate(compiled, start, t_span=1.0).method == "dopri"
    assert eomc.simulate(compiled, start, t_span=0.1, method="rodas4p").method == "rodas4p"
    assert eomc.simulate(compiled, start, t_span=1.0).method == "rodas4p"  # it is there now
