"""Runs against motions that are known: closed forms, conserved quantities, orders of methods."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.special import ellipk
from small_models.mechanisms import charge, free_body, pendulum
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import eomc
from eomc.runtime.control import PD
from eomc.runtime.errors import SimulationError

ADAPTIVE = ("DOP853", "RK45", "RK23", "LSODA", "Radau", "BDF")


@pytest.mark.parametrize("amplitude", [0.1, 1.0, 2.5])
def test_the_period_of_a_pendulum_is_the_elliptic_integral(
    swing: eomc.CompiledModel, amplitude: float
) -> None:
    def angle(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return float(q[0])

    run = eomc.simulate(
        swing, {"hinge": amplitude}, t_span=10, rtol=1e-12, atol=1e-13, events=angle
    )
    (zeros,) = run.events
    period = 4 * np.sqrt(0.5 / 9.81) * ellipk(np.sin(amplitude / 2) ** 2)
    assert zeros.t == pytest.approx(period * (0.25 + 0.5 * np.arange(len(zeros.t))), abs=1e-9)
    assert len(zeros.t) == int((10 - period / 4) / (period / 2)) + 1


@pytest.mark.parametrize("method", ADAPTIVE)
def test_every_adaptive_method_keeps_the_energy(chain: eomc.CompiledModel, method: str) -> None:
    start = {"shoulder": 1.0, "elbow": -0.5}
    run = eomc.simulate(chain, start, t_span=(0, 1), method=method, rtol=1e-7, atol=1e-9, step=0.05)
    assert run.count == 21
    assert np.ptp(run.energy) < 2e-4 * np.ptp(run.kinetic_energy)


def test_a_free_body_keeps_momentum_energy_and_unit_quaternions(
    tumbler: eomc.CompiledModel,
) -> None:
    rng = np.random.default_rng(2)
    q, u = tumbler.random_configuration(rng), rng.normal(size=6)
    run = eomc.simulate(tumbler, q, u, t_span=20, rtol=1e-11, atol=1e-12)
    momentum = run.evaluate("momentum")
    assert momentum == pytest.approx(np.broadcast_to(momentum[0], momentum.shape), abs=1e-8)
    assert np.ptp(run.energy) < 1e-8
    assert np.linalg.norm(run.q[:, 3:], axis=1) == pytest.approx(np.ones(run.count), abs=1e-14)
    assert np.ptp(run["base_wx"]) > 0.5  # it does tumble


def test_a_symmetric_top_precesses_at_the_rate_of_euler() -> None:
    transverse, axial = 1.0, 1.6
    top = eomc.build(free_body((transverse, transverse, axial)))
    u = {"base_wx": 0.3, "base_wz": 2.0}
    run = eomc.simulate(top, u=u, t_span=10, method="rk4", step=1e-3)
    rate = (axial - transverse) / transverse * 2.0
    assert run["base_wx"] == pytest.approx(0.3 * np.cos(rate * run.t), abs=1e-10)
    assert run["base_wy"] == pytest.approx(0.3 * np.sin(rate * run.t), abs=1e-10)
    assert np.linalg.norm(run.q[:, 3:], axis=1) == pytest.approx(np.ones(run.count), abs=1e-14)


@pytest.mark.parametrize("name", ["chain", "tumbler"])
def test_the_compiled_runge_kutta_is_of_order_four(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: eomc.CompiledModel = request.getfixturevalue(name)
    rng = np.random.default_rng(4)
    q, u = model.random_configuration(rng), rng.normal(size=model.nu)
    exact = eomc.simulate(model, q, u, t_span=1, rtol=1e-13, atol=1e-14).final
    errors = []
    for step in (1 / 50, 1 / 100, 1 / 200):
        end = eomc.simulate(model, q, u, t_span=1, method="rk4", step=step).final
        turn = model.difference(exact.q, end.q)
        errors.append(np.linalg.norm([*turn, *(end.u - exact.u)]))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx([4.0, 4.0], abs=0.25)


def test_rk4_records_any_times_with_steps_no_longer_than_asked(swing: eomc.CompiledModel) -> None:
    times = np.array([0.0, 0.1, 0.1005, 0.5, 1.0])
    run = eomc.simulate(swing, [1.0], t_span=times, method="rk4", step=1e-3)
    fine = eomc.simulate(swing, [1.0], t_span=times, rtol=1e-12, atol=1e-13)
    assert run.t is not times and np.array_equal(run.t, times)
    assert run.q == pytest.approx(fine.q, abs=1e-9)
    assert run.statistics["steps"] == 100 + 1 + 400 + 500


@pytest.mark.parametrize("method", ["DOP853", "rk4"])
def test_a_constant_force_moves_a_mass_as_newton_says(method: str) -> None:
    mass = eomc.build(charge("0"))
    run = eomc.simulate(mass, u={"x": 1.0}, tau={"x": 3.0}, t_span=(2, 4), method=method, step=0.01)
    elapsed = run.t - 2
    assert (run.t[0], run.t[-1]) == (2.0, 4.0)
    assert run["x"] == pytest.approx(elapsed + 1.5 * elapsed**2, abs=1e-10)
    assert run["tau(x)"].tolist() == [3.0] * run.count


def test_a_controller_is_an_object_or_a_function(swing: eomc.CompiledModel) -> None:
    class Balance:
        """Takes the weight off and brakes."""

        def torque(self, t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
            return swing.gravity(q) - 0.75 * u

    run = eomc.simulate(swing, [0.7], [2.0], t_span=3, controller=Balance())
    # m l^2 u' = -0.75 u with m l^2 = 0.375
    assert run["speed(hinge)"] == pytest.approx(2.0 * np.exp(-2.0 * run.t), abs=1e-7)
    same = eomc.simulate(swing, [0.7], [2.0], t_span=3, controller=Balance().torque)
    assert np.array_equal(run.q, same.q)
    assert run.tau == pytest.approx(swing.gravity(run.q) - 0.75 * run.u)


@pytest.mark.parametrize("name", ["chain", "tumbler"])
def test_the_error_of_compiled_dormand_prince_follows_the_tolerance(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: eomc.CompiledModel = request.getfixturevalue(name)
    rng = np.random.default_rng(4)
    q, u = model.random_configuration(rng), rng.normal(size=model.nu)
    exact = eomc.simulate(model, q, u, t_span=2, rtol=1e-13, atol=1e-14)
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
        run = eomc.simulate(model, q, u, t_span=2, method="dopri", rtol=rtol, atol=rtol)
        turn = model.difference(exact.q, run.q)
        errors.append(np.abs(np.hstack([turn, run.u - exact.u])).max())
        assert errors[-1] < 100 * rtol
    assert all(later < 0.05 * sooner for sooner, later in pairwise(errors))
    length = np.linalg.norm(run.q[:, 3:], axis=1) if name == "tumbler" else np.ones(1)
    assert length == pytest.approx(np.ones(len(length)), abs=1e-14)
    # Fewer points of the record change nothing but where the steps end.
    coarse = eomc.simulate(model, q, u, t_span=2, step=0.5, method="dopri", rtol=1e-10, atol=1e-10)
    assert model.difference(exact.final.q, coarse.final.q) == pytest.approx(0, abs=1e-8)
    assert coarse.statistics["steps"] > 0


def test_dopri_holds_a_controllers_torque_between_the_times(swing: eomc.CompiledModel) -> None:
    asked: list[float] = []

    def law(t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        asked.append(t)
        return [-3.0 * q[0] - 0.5 * u[0]]

    run = eomc.simulate(swing, [0.7], [2.0], t_span=1, step=0.01, controller=law, method="dopri")
    held = eomc.simulate(swing, [0.7], [2.0], t_span=1, step=0.01, controller=law, method="rk4")
    assert run.q == pytest.approx(held.q, abs=1e-7)
    assert run.tau == pytest.approx(held.tau, abs=1e-6)
    asked.clear()
    eomc.simulate(swing, [0.7], t_span=[0, 0.5, 1.0], controller=law, method="dopri")
    assert sorted(set(asked)) == [0.0, 0.5, 1.0]


def test_rk4_holds_a_controllers_torque_over_each_step(swing: eomc.CompiledModel) -> None:
    calls: list[float] = []

    def law(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        calls.append(t)
        return swing.gravity(q) - 0.75 * u

    run = eomc.simulate(swing, [0.7], [2.0], t_span=1, controller=law, method="rk4", step=0.01)
    assert len(calls) == 102  # once before the run, once a step, once at the end
    held = eomc.simulate(swing, run.q[3], run.u[3], t_span=0.01, tau=run.tau[3], rtol=1e-10)
    assert held.final.u == pytest.approx(run.u[4], abs=1e-9)


def test_a_prescribed_motion_and_inputs_drive_the_model(driven: eomc.CompiledModel) -> None:
    def table(t: float) -> tuple[float, float, float]:
        return np.sin(2 * t), 2 * np.cos(2 * t), -4 * np.sin(2 * t)

    run = eomc.simulate(
        driven,
        t_span=2,
        prescribed={"table": table},
        inputs={"thrust": lambda t, q, u: -0.5 * u[0]},
        rtol=1e-10,
        atol=1e-11,
    )
    assert run["table"] == pytest.approx(np.sin(2 * run.t))
    assert run["thrust"] == pytest.approx(-0.5 * run["speed(arm)"])
    # The energy is what the drives bring in: the prescribed joint's force and the input.
    force = run.evaluate("prescribed_forces")[:, 0]
    power = force * run["speed(table)"] + run["thrust"] * run["speed(arm)"]
    brought = np.concatenate([[0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(run.t))])
    gained = run.energy - run.energy[0]
    assert np.abs(gained - brought).max() < 1e-4 * np.ptp(gained)
    held = eomc.simulate(driven, t_span=0.5, prescribed=[0.3], inputs=[2.0])
    assert held["table"].tolist() == [0.3] * held.count
    assert held["thrust"].tolist() == [2.0] * held.count


def test_parameters_take_new_values(swing: eomc.CompiledModel) -> None:
    # The mass has no influence on the motion, but on the energy.
    light, heavy = (
        eomc.simulate(swing, [1.0], t_span=1, parameters={"m": mass}, rtol=1e-11, atol=1e-12)
        for mass in (1.0, 4.0)
    )
    assert heavy.q == pytest.approx(light.q, abs=1e-8)
    assert heavy.energy == pytest.approx(4 * light.energy, rel=1e-8)


def test_a_terminal_event_ends_the_run(swing: eomc.CompiledModel) -> None:
    def falling(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return float(q[0] - 0.2)

    falling.terminal = True  # type: ignore[attr-defined]
    falling.direction = -1  # type: ignore[attr-defined]
    run = eomc.simulate(swing, [0.5], t_span=10, events=[falling], rtol=1e-10, atol=1e-11)
    assert run.t[-1] < 1
    assert run.q[-1, 0] == pytest.approx(0.2, abs=1e-9)
    assert run.events[0].t.tolist() == [run.t[-1]]
    falling.direction = 1  # type: ignore[attr-defined]
    assert eomc.simulate(swing, [0.5], t_span=10, events=[falling]).t[-1] > 1


@pytest.mark.parametrize("method", ["rk4", "dopri"])
def test_compiled_methods_find_the_events_that_scipys_find(
    swing: eomc.CompiledModel, method: str
) -> None:
    def lowest(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return float(q[0])

    def turning(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return float(u[0])

    turning.direction = 1  # type: ignore[attr-defined]

    def run(method: str, tau: float, **options: Any) -> eomc.Trajectory:
        return eomc.simulate(
            swing,
            [1.2],
            t_span=4,
            tau=[tau],
            events=[lowest, turning],
            method=method,
            rtol=1e-10,
            atol=1e-11,
            **options,
        )

    for tau in (0.0, 0.5):
        expected, found = run("DOP853", tau), run(method, tau, step=2e-3)
        for one, other in zip(expected.events, found.events, strict=True):
            assert other.t == pytest.approx(one.t, abs=2e-8)
            assert other.q == pytest.approx(one.q, abs=1e-7)
            assert other.u == pytest.approx(one.u, abs=1e-6)
        assert len(found.events[0].t) > len(found.events[1].t) > 1


@pytest.mark.parametrize("method", ["rk4", "dopri"])
@pytest.mark.parametrize("controlled", [False, True])
@pytest.mark.parametrize("times", [(0, 3), np.linspace(0, 3, 7)])
def test_a_terminal_event_ends_a_compiled_run(
    swing: eomc.CompiledModel, method: str, controlled: bool, times: Any
) -> None:
    def falling(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return float(q[0] - 0.2)

    falling.terminal = True  # type: ignore[attr-defined]
    law = (lambda t, q, u: -0.3 * u) if controlled else None
    options: dict[str, Any] = {"controller": law, "method": method, "step": 0.01}
    options |= {"rtol": 1e-10, "atol": 1e-12}
    whole = eomc.simulate(swing, [0.9], t_span=times, **options)
    run = eomc.simulate(swing, [0.9], t_span=times, events=falling, **options)
    assert run.q[-1, 0] == pytest.approx(0.2, abs=1e-9)
    assert run.events[0].t.tolist() == [run.t[-1]]
    assert run.events[0].q[0] == pytest.approx(run.q[-1], abs=1e-9)
    # What comes before is the run without events, and so is what the event cut short.
    before = run.count - 1
    assert 0 < before < whole.count - 1 and whole.t[before - 1] < run.t[-1] < whole.t[before]
    assert run.t[:-1].tolist() == whole.t[:before].tolist()
    assert run.q[:-1] == pytest.approx(whole.q[:before], abs=1e-12)
    assert run.tau[:-1] == pytest.approx(whole.tau[:before], abs=1e-12)
    assert len(run.tau) == run.count
    if whole.count > 100:
        assert whole.at(run.t[-1]).q == pytest.approx(run.final.q, abs=1e-7)


def test_a_controller_is_asked_once_a_held_interval(swing: eomc.CompiledModel) -> None:
    for method in ("rk4", "dopri"):
        asked: list[float] = []

        def law(t: float, q: np.ndarray, u: np.ndarray, asked: list[float] = asked) -> np.ndarray:
            asked.append(t)
            return -u

        eomc.simulate(
            swing,
            [0.9],
            t_span=np.linspace(0, 1, 6),
            step=0.1,
            controller=law,
            method=method,
            events=lambda t, q, u: q[0],
        )
        assert asked[0] == 0.0  # before the run, to see that the law is sound
        assert asked[1:] == pytest.approx(np.linspace(0, 1, 11))


@pytest.mark.parametrize("method", ["rk4", "dopri"])
def test_compiled_methods_take_prescribed_coordinates_at_rest(
    driven: eomc.CompiledModel, method: str
) -> None:
    options: dict[str, Any] = {"t_span": 0.5, "inputs": [2.0], "rtol": 1e-10, "atol": 1e-11}
    for motion in ([0.3], {"table": 0.3}):
        held = eomc.simulate(driven, prescribed=motion, method=method, step=1e-3, **options)  # type: ignore[arg-type]
        expected = eomc.simulate(driven, prescribed=[0.3], **options)
        assert held.final.q == pytest.approx(expected.final.q, abs=1e-8)
        assert held["table"].tolist() == [0.3] * held.count


def swung(t: float) -> tuple[float, float, float]:
    """s, s', s''"""
    return 0.4 * math.sin(7 * t), 2.8 * math.cos(7 * t), -19.6 * math.sin(7 * t)


def test_compiled_methods_follow_a_prescribed_motion(driven: eomc.CompiledModel) -> None:
    options: dict[str, Any] = {"t_span": 1.0, "inputs": [2.0], "prescribed": {"table": swung}}
    expected = eomc.simulate(driven, rtol=1e-12, atol=1e-13, **options).final.q
    errors = []
    for count in (50, 100):
        run = eomc.simulate(driven, method="rk4", step=1 / count, **options)
        errors.append(np.abs(run.final.q - expected).max())
    assert errors[0] > 1e-9
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.3), "of fourth order"
    run = eomc.simulate(driven, method="dopri", rtol=1e-10, atol=1e-11, **options)
    assert run.final.q == pytest.approx(expected, abs=1e-8)
    assert run["table"][-1] == pytest.approx(swung(1.0)[0])


def test_a_controller_is_held_while_a_motion_goes_on(driven: eomc.CompiledModel) -> None:
    asked = []

    def law(t: float, q: Any, u: Any) -> Any:
        asked.append(t)
        return -u

    options: dict[str, Any] = {"t_span": 1.0, "inputs": [2.0], "prescribed": {"table": swung}}
    eomc.simulate(driven, method="rk4", step=0.1, controller=law, **options)
    assert asked[1:] == pytest.approx(np.linspace(0, 1, 11))
    with pytest.raises(ValueError, match="'dopri' holds torques and inputs between the times"):
        eomc.simulate(driven, method="dopri", controller=law, **options)


@pytest.mark.parametrize("method", [None, *ADAPTIVE, "rk4", "dopri"])
def test_a_motion_that_diverges_is_told_with_its_time(method: str | None) -> None:
    # x'' = 2 x^3 with x' = x^2: x = 1 / (1 - t) is infinite at t = 1.
    model = eomc.build(charge("2*x**3"))
    with pytest.raises(SimulationError, match=r"'line' stopped at t = (0\.9|1\.0|1 )") as caught:
        eomc.simulate(model, [1.0], [1.0], t_span=2, method=method, step=1e-3, rtol=1e-5, atol=1e-8)
    assert caught.value.time == pytest.approx(1.0, abs=0.05)


def test_a_failing_controller_is_told_with_its_time(swing: eomc.CompiledModel) -> None:
    def law(t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        return [np.nan if t > 0.5 else 0.0]

    with pytest.raises(SimulationError, match=r"at t = 0\.5.*controller: torque.*not finite"):
        eomc.simulate(swing, [0.5], t_span=1, controller=law)
    with pytest.raises(ValueError, match="not finite"):
        eomc.simulate(swing, [0.5], t_span=1, controller=law, method="rk4", step=0.01)


Bad = tuple[dict[str, object], str]
BAD: list[Bad] = [
    ({"q": [1.0, 2.0]}, r"q has shape \(2,\), expected \(1,\)"),
    ({"q": {"hing": 1.0}}, "did you mean 'hinge'"),
    ({"q": [np.nan]}, "q: entry 0 is not finite"),
    ({"u": "fast"}, "u: give 1 numbers"),
    ({"u": {"hinge": np.inf}}, "u of 'hinge'"),
    ({"t_span": 0.0}, "positive duration"),
    ({"t_span": (1.0, 0.0)}, "increase"),
    ({"t_span": [0.0, 1.0, 1.0]}, "increase"),
    ({"t_span": np.inf}, "t_span is not finite"),
    ({"t_span": "long"}, "t_span: give a duration"),
    ({"method": "Euler"}, "unknown method 'Euler'; valid: "),
    ({"step": 0.0}, "step is 0.0"),
    ({"step": 1e-12}, "1e[+]13 points|points; give the times"),
    ({"rtol": -1e-3}, "rtol is"),
    ({"atol": np.nan}, "atol is"),
    ({"tau": [1.0, 2.0]}, "tau has shape"),
    ({"tau": {"knee": 1.0}}, "tau has no entry 'knee'"),
    ({"inputs": [1.0]}, "inputs has shape"),
    ({"inputs": lambda t, q, u: [1.0]}, "declares none"),
    ({"prescribed": [0.0]}, "no prescribed coordinates"),
    ({"parameters": {"g": 1.0}}, "no tunable parameter 'g'"),
    ({"parameters": {"m": np.nan}}, "parameters: entry 0 is not finite"),
    ({"controller": 3.0}, r"object with torque\(t, q, u\)"),
    ({"controller": lambda t, q, u: [0.0, 0.0]}, "controller: torque at t = 0 s has shape"),
    ({"events": lambda t, q, u: np.nan}, r"events\[0\] is nan"),
    ({"events": lambda t, q, u: np.inf if t > 1 else 1, "method": "rk4"}, r"events\[0\] is inf"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_a_wrong_argument_is_named(
    swing: eomc.CompiledModel, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        eomc.simulate(swing, **arguments)  # type: ignore[arg-type]


def test_wrong_motions_are_named(driven: eomc.CompiledModel, tumbler: eomc.CompiledModel) -> None:
    wrong: list[tuple[object, str]] = [
        (None, "give the motion of the prescribed coordinates table"),
        ({"tabel": 0.0}, "did you mean 'table'"),
        ({}, "'table': it is missing"),
        (lambda t: 0.0, "s, s_rate, s_acceleration"),
        ({"table": np.nan}, "prescribed of 'table': entry 0 is not finite"),
        ({"table": "far"}, "prescribed of 'table': give 1 numbers"),
        ({"table": lambda t: (0.0, 0.0)}, "motion of 'table' at t = 0 s has shape"),
    ]
    for motion, message in wrong:
        with pytest.raises(ValueError, match=message):
            eomc.simulate(driven, t_span=1, prescribed=motion)  # type: ignore[arg-type]
    none = np.zeros(7)
    for procedure in (
        lambda: eomc.simulate(tumbler, none, t_span=1),
        lambda: eomc.linearize(tumbler, q=none),
        lambda: eomc.equilibrium(tumbler, none),
    ):
        with pytest.raises(ValueError, match=r"quaternion base_qw, .* has length 0"):
            procedure()
    with pytest.raises(FloatingPointError, match="no_rotation"):
        tumbler.normalize(none)


def test_a_tree_whose_inertia_vanishes_stops_the_run() -> None:
    model = pendulum()
    built = eomc.build(model, tunable="all")
    for method in (None, "DOP853", "rk4", "dopri"):
        with pytest.raises(SimulationError, match=r"t = 0 s.*singular_mass_matrix"):
            eomc.simulate(built, [1.0], t_span=1, parameters={"m": 0.0}, method=method)


def test_progress_is_silent_without_a_terminal_and_drawn_when_asked_for(
    swing: eomc.CompiledModel, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    eomc.simulate(swing, [1.0], t_span=5)
    assert capfd.readouterr() == ("", "")
    monkeypatch.setattr("eomc.runtime.output.progress._PATIENCE", 0.0)
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich draws as on a terminal
    eomc.simulate(swing, [1.0], t_span=5, progress=True)
    out, err = capfd.readouterr()
    assert out == "" and "simulating" in err


def test_default_times_are_a_thousand_intervals(swing: eomc.CompiledModel) -> None:
    run = eomc.simulate(swing, [0.2])
    assert (run.count, run.t[0], run.t[-1]) == (1001, 0.0, 10.0)


def test_a_system_given_in_sympy_runs_like_the_tree(swing: eomc.CompiledModel) -> None:
    angle, mass, length, gravity = dynamicsymbols("hinge"), *sympy.symbols("m l g")
    method = LagrangesMethod(
        mass * length**2 * angle.diff() ** 2 / 2 + mass * gravity * length * sympy.cos(angle),
        [angle],
    )
    method.form_lagranges_equations()
    values = {mass: 1.5, length: 0.5, gravity: 9.81}
    built = eomc.build(eomc.from_sympy(method, name="lagrange", parameters=values))
    for options in ({"rtol": 1e-11, "atol": 1e-12}, {"method": "rk4", "step": 1e-3}):
        ends = [
            eomc.simulate(model, {"hinge": 1.2}, t_span=2, **options).final  # type: ignore[arg-type]
            for model in (built, swing)
        ]
        assert ends[0].q == pytest.approx(ends[1].q, abs=1e-8)
        assert ends[0].u == pytest.approx(ends[1].u, abs=1e-8)


@pytest.mark.parametrize("method", [None, "DOP853", "dopri", "BDF"])
def test_a_run_of_too_many_steps_ends(swing: eomc.CompiledModel, method: str | None) -> None:
    run = eomc.simulate(swing, {"hinge": 1.0}, t_span=10, method=method, step=5.0)
    taken = run.statistics["steps"]
    again = eomc.simulate(
        swing, {"hinge": 1.0}, t_span=10, method=method, step=5.0, max_steps=2 * taken
    )
    assert (again.q == run.q).all()
    with pytest.raises(SimulationError, match=r"stopped at t = .*steps.*raise max_steps") as caught:
        eomc.simulate(
            swing, {"hinge": 1.0}, t_span=10, method=method, step=5.0, max_steps=taken // 2
        )
    assert 0 < caught.value.time < 10
    with pytest.raises(ValueError, match="max_steps is 0"):
        eomc.simulate(swing, max_steps=0)


def test_a_law_too_stiff_for_the_method_is_no_endless_run(swing: eomc.CompiledModel) -> None:
    stiff = PD(swing, [0.0], kp=1e20, kd=0.0)
    with pytest.raises(SimulationError, match="stiff"):
        eomc.simulate(swing, {"hinge": 1.0}, t_span=1, controller=stiff, max_steps=200)
