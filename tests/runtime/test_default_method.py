"""Runs whose method is not named: which one they take, and that it follows known motions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipj, ellipk
from small_models.mechanisms import charge, free_body

import eomc
from eomc.runtime.errors import SimulationError

Array = np.ndarray
Made = tuple[Array, Array]
"""Values of a run, and those of the closed form."""


def swung(fixture: Callable[[str], eomc.CompiledModel], **options: Any) -> Made:
    """sin(theta/2) = k sn(K + w t, k) of a pendulum that is let go at the angle theta_0."""
    run = eomc.simulate(fixture("swing"), {"hinge": 2.0}, **options)
    k, w = np.sin(1.0), np.sqrt(9.81 / 0.5)
    return run["hinge"], 2 * np.arcsin(k * ellipj(ellipk(k**2) + w * run.t, k**2)[0])


def oscillated(fixture: Callable[[str], eomc.CompiledModel], **options: Any) -> Made:
    """A damped oscillation about the place where a constant force holds the mass."""
    run = eomc.simulate(fixture("oscillator"), [0.3], inputs={"thrust": 4.0}, **options)
    m, d, k, rest = 2.0, 0.6, 32.0, 4.0 / 32.0
    decay = d / (2 * m)
    w = np.sqrt(k / m - decay**2)
    wave = np.cos(w * run.t) + decay / w * np.sin(w * run.t)
    return run["x"], rest + (0.3 - rest) * np.exp(-decay * run.t) * wave


def thrown(fixture: Callable[[str], eomc.CompiledModel], **options: Any) -> Made:
    """Free flight: a parabola."""
    run = eomc.simulate(fixture("mass"), u=[3.0], tau={"x": -2.0}, **options)
    return run["x"], 3.0 * run.t - run.t**2 / 2


def turned(fixture: Callable[[str], eomc.CompiledModel], **options: Any) -> Made:
    """A free body about its middle axis, at the energy between the two kinds of motion:
    w_2 = w tanh(a t), the others w sech(a t) beside it."""
    run = eomc.simulate(fixture("tumbler"), u=at_the_edge(np.zeros(1))[0], **options)
    return run.u, at_the_edge(run.t)


def at_the_edge(t: Array) -> Array:
    """Speeds of a body of moments 1, 2, 2.5 whose 2 T I_2 = L^2, with w_2 = 0 at the start."""
    i1, i2, i3 = 1.0, 2.0, 2.5
    w = 1.0
    first = w * np.sqrt(i2 * (i3 - i2) / (i1 * (i3 - i1)))
    third = w * np.sqrt(i2 * (i2 - i1) / (i3 * (i3 - i1)))
    rate = w * np.sqrt((i2 - i1) * (i3 - i2) / (i1 * i3))
    still, sech = np.zeros_like(t), 1 / np.cosh(rate * t)
    return np.stack(
        [still, still, still, first * sech, w * np.tanh(rate * t), third * sech], axis=-1
    )


def precessed(fixture: Callable[[str], eomc.CompiledModel], **options: Any) -> Made:
    """A symmetric top turns about the axis of its momentum: its axis is on a cone."""
    top = eomc.build(free_body((1.0, 1.0, 1.6)))
    run = eomc.simulate(top, u={"base_wx": 0.3, "base_wz": 2.0}, **options)
    momentum = np.array([0.3, 0.0, 3.2])
    rate = np.linalg.norm(momentum)
    along, start = momentum / rate, np.array([0.0, 0.0, 1.0])
    c, s = np.cos(rate * run.t)[:, None], np.sin(rate * run.t)[:, None]
    axis = c * start + s * np.cross(along, start) + (1 - c) * (along @ start) * along
    w, x, y, z = run.q[:, 3:].T
    found = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x**2 + y**2)], axis=-1)
    return found, axis


def orbited(fixture: Callable[[str], eomc.CompiledModel], **options: Any) -> Made:
    """r(E) = a (1 - e cos E), t = (E - e sin E)/n by Kepler, a = mu = 1, from the apocentre."""
    model = eomc.Model("planet", gravity=(0, 0, 0))
    model.body("planet", mass=1)
    model.joint("r", "prismatic", parent="world", child="planet", axis=(1, 0, 0))
    e = 0.5
    square = 1 - e**2  # of the angular momentum, by which the centrifugal force goes
    model.generalized_force("attraction", "r", f"{square}/r**3 - 1/r**2")
    run = eomc.simulate(eomc.build(model), [1 + e], **options)
    anomaly = run.t + np.pi
    for _ in range(60):
        anomaly -= (anomaly - e * np.sin(anomaly) - np.pi - run.t) / (1 - e * np.cos(anomaly))
    return run["r"], 1 - e * np.cos(anomaly)


@pytest.mark.parametrize("times", [10.0, [0.0, 3.0, 10.0]], ids=["dense", "sparse"])
@pytest.mark.parametrize("made", [swung, oscillated, thrown, turned, precessed, orbited])
def test_the_default_follows_what_is_known(
    made: Any, times: Any, request: pytest.FixtureRequest
) -> None:
    """To a few hundred times the relative tolerance of 1e-8 after ten seconds."""
    found, expected = made(request.getfixturevalue, t_span=times)
    assert np.abs(found - expected).max() < 3e-6


def test_the_error_of_the_default_follows_the_tolerance(request: pytest.FixtureRequest) -> None:
    for rtol in (1e-6, 1e-9, 1e-12):
        found, expected = swung(request.getfixturevalue, t_span=5.0, rtol=rtol, atol=rtol / 100)
        assert np.abs(found - expected).max() < 200 * rtol


@pytest.mark.parametrize(
    "how",
    [
        lambda law: {"controller": lambda t, q, u: [law(t)]},
        lambda law: {"inputs": {"thrust": lambda t, q, u: law(t)}},
        lambda law: {"inputs": lambda t, q, u: [law(t)]},
    ],
    ids=["controller", "input", "inputs"],
)
def test_laws_that_change_within_a_step_are_not_held(
    oscillator: eomc.CompiledModel, how: Any
) -> None:
    """m x'' + d x' + k x = F sin(w t) of 40 Hz, recorded at three times."""
    m, d, k, w, force = 2.0, 0.6, 32.0, 250.0, 400.0
    options = how(lambda t: force * np.sin(w * t))
    response = force / (k - m * w**2 + 1j * d * w)  # to exp(i w t)
    start, speed = response.imag, (1j * w * response).imag
    run = eomc.simulate(oscillator, [start], [speed], t_span=[0.0, 0.4, 1.0], **options)
    assert run["x"] == pytest.approx((response * np.exp(1j * w * run.t)).imag, abs=1e-8)
    assert run.method == run.statistics["method"] == "DOP853"
    assert "called at every stage" in str(run.statistics["why"])


def crossed(t: float, q: Array, u: Array) -> float:
    return float(q[0] - 0.1)


def turning(t: float, q: Array, u: Array) -> float:
    return float(u[0])


turning.direction = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("times", [8.0, [0.0, 8.0]], ids=["dense", "sparse"])
def test_events_are_found_as_by_the_method_in_python(swing: eomc.CompiledModel, times: Any) -> None:
    """However sparse the record is: ten swings between its two times."""
    runs = [
        eomc.simulate(
            swing,
            [1.2],
            t_span=times,
            events=[crossed, turning],
            method=method,
            rtol=1e-10,
            atol=1e-12,
        )
        for method in (None, "DOP853")
    ]
    assert [run.method for run in runs] == ["dopri", "DOP853"]
    assert runs[0].statistics["steps"] > 50
    assert len(runs[0].events[0].t) > 8
    for one, other in zip(*(run.events for run in runs), strict=True):
        assert one.t == pytest.approx(other.t, abs=2e-8)
        assert one.q == pytest.approx(other.q, abs=1e-7)
        assert one.u == pytest.approx(other.u, abs=1e-6)
    assert runs[0].q == pytest.approx(runs[1].q, abs=1e-7)


def test_watching_for_events_changes_the_motion_by_the_tolerances_only(
    chain: eomc.CompiledModel,
) -> None:
    times = np.sort(np.random.default_rng(3).uniform(0, 4, 200))
    start = {"shoulder": 1.0, "elbow": -0.5}
    free = eomc.simulate(chain, start, t_span=times, rtol=1e-10, atol=1e-12)
    watched = eomc.simulate(chain, start, t_span=times, rtol=1e-10, atol=1e-12, events=crossed)
    assert np.array_equal(watched.t, times)
    assert watched.q == pytest.approx(free.q, abs=1e-8)
    assert watched.u == pytest.approx(free.u, abs=1e-7)


def test_a_terminal_event_ends_the_run_before_what_comes_behind() -> None:
    """x = 1/(1 - t) is 2 at t = 1/2, infinite at t = 1: no step of the run gets that far."""
    line = eomc.build(charge("2*x**3"))

    def far(t: float, q: Array, u: Array) -> float:
        return float(q[0] - 2)

    far.terminal = True  # type: ignore[attr-defined]
    for times in (2.0, [0.0, 2.0], [0.0, 0.25, 0.75]):
        run = eomc.simulate(line, [1.0], [1.0], t_span=times, events=far)
        assert run.method == "dopri"
        assert run.t[-1] == pytest.approx(0.5, abs=1e-7)
        assert run.final.q == pytest.approx([2.0], abs=1e-9)
        assert run["x"] == pytest.approx(1 / (1 - run.t), rel=1e-6)
        assert run.events[0].t.tolist() == [run.t[-1]]


@pytest.mark.parametrize("events", [None, lambda t, q, u: q[0] + 1], ids=["", "events"])
def test_what_stops_a_run_is_told_as_by_the_method_in_python(
    swing: eomc.CompiledModel, events: Any
) -> None:
    line = eomc.build(charge("2*x**3"))
    for method in (None, "DOP853"):
        with pytest.raises(SimulationError, match=r"stopped at t = .*diverges") as caught:
            eomc.simulate(line, [1.0], [1.0], t_span=2, method=method, events=events)
        assert caught.value.time == pytest.approx(1.0, abs=1e-3)
        until = caught.value.until()
        assert 0.9 < until.t[-1] < caught.value.time
        with pytest.raises(SimulationError, match=r"stopped at t = .*steps.*raise max_steps"):
            eomc.simulate(swing, [1.0], method=method, events=events, max_steps=20)


def test_the_statistics_tell_the_choice(
    swing: eomc.CompiledModel, tumbler: eomc.CompiledModel, driven: eomc.CompiledModel
) -> None:
    def chosen(model: eomc.CompiledModel, **options: Any) -> Any:
        run = eomc.simulate(model, t_span=0.1, **options)
        assert run.method == run.statistics["method"]
        return run.statistics.get("why", run.method)

    def moving(t: float) -> tuple[float, float, float]:
        return t, 1.0, 0.0

    assert chosen(swing) == chosen(tumbler) == chosen(driven, prescribed={"table": 0.3}) == "dopri"
    assert chosen(swing, tau=[1.0], events=crossed, parameters={"m": 2.0}) == "dopri"
    assert chosen(driven, prescribed={"table": 0.3}, inputs=[2.0]) == "dopri"
    assert "called at every stage" in chosen(swing, controller=lambda t, q, u: [0.0])
    assert chosen(driven, prescribed=moving) == "prescribed coordinates move within a step"
    assert chosen(swing, dense=True) == "interpolants are kept for dense"
    named = eomc.simulate(swing, t_span=0.1, method="dopri").statistics
    assert "method" not in named and "why" not in named


def test_a_model_without_the_compiled_method_runs_in_python(
    swing: eomc.CompiledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eomc.CompiledModel, "integrator", lambda self, name: None)
    run = eomc.simulate(swing, [0.3], t_span=1.0)
    assert run.method == "DOP853"
    assert run.statistics["why"] == "the model is compiled without dopri"
    assert "evaluations" in run.statistics
