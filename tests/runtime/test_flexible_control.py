"""Slow and fast subsystems, composite control and modal observers of mechanisms that bend."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from small_programs.controller_in_c import step_in_c

import eomc
from eomc.runtime.control import Sampled
from eomc.runtime.control.controllability import ControllabilityError
from eomc.runtime.control.flexible import (
    CompositeControl,
    GainSchedule,
    ModalObserver,
    ObservedControl,
    RigidMotion,
    SlowFast,
    fast_regulator,
)
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.difference import NotEmittableError
from eomc.runtime.trajectories import (
    Shaped,
    SineRamp,
    shaper_of,
    zero_vibration,
    zero_vibration_derivative,
)
from eomc.systems.beam_robot import ONE_LINK, TWO_LINKS, beam_robot
from eomc.systems.truss_crane import single_actuator_crane

FUNCTIONS = [*eomc.CORE, "composite_control"]


@cache
def robot(links: int = 1, modes: int = 2) -> eomc.CompiledModel:
    declared = beam_robot(ONE_LINK if links == 1 else TWO_LINKS, modes)
    return eomc.build(declared, functions=FUNCTIONS)


@cache
def rigid_robot() -> eomc.CompiledModel:
    return eomc.build(beam_robot(TWO_LINKS).rigidified("beam1").rigidified("beam2"))


def slew(system: SlowFast, duration: float, angle: float = 1.0) -> RigidMotion:
    path = {name: SineRamp(0.0, angle, duration) for name in system.slow}
    return RigidMotion(system, path, np.linspace(0, duration, 101))


def test_slow_and_fast_are_told_apart_by_what_bends() -> None:
    system = SlowFast(robot(2))
    assert system.slow == system.actuators == ("joint1", "joint2")
    assert system.fast == ("beam1_y1", "beam1_y2", "beam2_y1", "beam2_y2")


def test_fast_frequencies_are_those_of_the_linearized_model() -> None:
    model = robot(2)
    frozen = SlowFast(model).at([0.3, -0.7])
    linear = eomc.linearize(model, q=frozen.q, a=np.zeros(model.nu))
    elastic = np.sort(np.abs(np.linalg.eigvals(linear.A).imag))[::-2][:4][::-1]
    np.testing.assert_allclose(frozen.free_frequencies, elastic, rtol=1e-9)
    slow = np.abs(np.linalg.eigvals(frozen.A).imag) / frozen.epsilon
    np.testing.assert_allclose(np.sort(slow)[::2], elastic, rtol=1e-9)


def test_rigid_forces_are_those_of_the_model_without_modes() -> None:
    system, rigid = SlowFast(robot(2)), rigid_robot()
    theta, rate, acceleration = [0.4, -1.1], [0.7, 0.3], [-2.0, 1.5]
    found = system.rigid(0.0, theta, rate, acceleration)
    np.testing.assert_allclose(
        found.forces, rigid.inverse_dynamics(theta, rate, acceleration), rtol=1e-10
    )
    frozen = system.at(theta, rate)
    np.testing.assert_allclose(
        frozen.quasi_static_force(found.forces), found.bending, rtol=1e-9, atol=1e-12
    )


@pytest.mark.slow
def test_bending_approaches_the_quasi_static_one_with_the_square_of_the_ratio() -> None:
    """b - b- is of second order in the ratio of the time scales."""
    model, errors = robot(), []
    system = SlowFast(model)
    for duration in (2.0, 4.0):
        rigid = slew(system, duration)
        law = CompositeControl(rigid, 100.0, computed_torque=True)
        middle = duration / 4
        start = {"beam1_y1": 0.0}
        t = np.linspace(0, duration, 401)
        run = eomc.simulate(model, start, t_span=t, controller=law, rtol=1e-9, progress=False)
        _, rest = rigid.looked_up(middle)
        near = np.abs(run.t - middle) < 0.2 * duration
        bent = np.array([rigid.looked_up(s)[1][0] for s in run.t[near]])
        errors.append(np.abs(run["beam1_y1"][near] - bent).max() / abs(rest[0]))
    assert errors[1] < 0.55 * errors[0] < 0.3


def test_gains_are_scipys() -> None:
    from scipy.linalg import solve_continuous_are

    frozen = SlowFast(robot(2)).at([1.0, 0.5])
    design = fast_regulator(frozen, 2.0, 50.0)
    p = solve_continuous_are(frozen.A, frozen.B, 2 * np.eye(8), 50 * np.eye(2))
    np.testing.assert_allclose(design.design.gain, frozen.B.T @ p / 50, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(design.amplitude_gain, design.force_gain @ frozen.stiffness)
    np.testing.assert_allclose(
        design.rate_gain, frozen.epsilon * design.force_rate_gain @ frozen.stiffness
    )
    assert (design.poles.real < 0).all()


def test_structural_damping_is_in_the_fast_subsystem() -> None:
    damped = eomc.build(beam_robot(damping=0.01))
    frozen = SlowFast(damped).at()
    poles = np.linalg.eigvals(frozen.A) / frozen.epsilon
    linear = eomc.linearize(damped, q=frozen.q, a=np.zeros(damped.nu))
    other = np.linalg.eigvals(linear.A)
    elastic = other[np.abs(other) > 1]
    np.testing.assert_allclose(np.sort_complex(poles), np.sort_complex(elastic), rtol=1e-8)
    assert (poles.real < -1e-3).all()


def test_the_emitted_law_is_the_law() -> None:
    """Inverse dynamics on the graph against that of the reduced matrices."""
    model = robot(2)
    system = SlowFast(model)
    rigid, rng = slew(system, 2.0), np.random.default_rng(3)
    design = fast_regulator(system.at([0.5, 0.5]), 1.0, 1e3)
    law = CompositeControl(rigid, 30.0, None, design, computed_torque=True)
    places = [model.speeds.index(name) for name in system.slow]
    for t in (0.3, 1.4):
        q, u = (0.1 * rng.normal(size=model.nu) for _ in range(2))
        wanted = np.zeros((5, model.nu))
        wanted[:3, places] = rigid.motion(t).T
        wanted[3, places], wanted[4, places] = 30.0, law.kd.diagonal()
        got = model.composite_control(q, u, *wanted, design.force_gain, design.rate_gain)
        np.testing.assert_allclose(got, law.torque(t, q, u), rtol=1e-9, atol=1e-9)
        assert not np.delete(got, places).any()


def test_the_emitted_law_has_a_step_of_the_closed_loop(tmp_path: Path) -> None:
    functions = ["forward_dynamics", "coordinate_rates", "normalize", "composite_control"]
    folder = eomc.emit(beam_robot(), tmp_path / "robot", functions=functions)
    text = (folder / "beam_robot.h").read_text()
    assert "beam_robot_composite_control_closed_loop_step" in text


def test_rigid_and_closed_mechanisms_have_no_emitted_composite_law() -> None:
    for declared, reason in (
        (beam_robot(TWO_LINKS).rigidified("beam1").rigidified("beam2"), "nothing in it bends"),
        (single_actuator_crane(2), "loops or constraints"),
    ):
        with pytest.raises(eomc.ModelError, match=reason):
            eomc.equations(declared).program(functions=["composite_control"])


def test_gains_follow_the_motion() -> None:
    system = SlowFast(robot(2))
    rigid = slew(system, 2.0, angle=2.0)
    schedule = GainSchedule.along(rigid, [0.0, 1.0, 2.0], 1.0, 100.0, begin=0.5)
    ends = [fast_regulator(system.at([s, s]), 1.0, 100.0) for s in (0.0, 1.0, 2.0)]
    assert not schedule(0.4)[0].any()
    never = GainSchedule.along(rigid, [0.0, 1.0, 2.0], 1.0, 100.0, begin=np.inf)
    assert not never(9.0)[0].any() and not never(9.0)[1].any()
    halfway = (ends[0].amplitude_gain + ends[1].amplitude_gain) / 2
    np.testing.assert_allclose(schedule(0.5)[0], halfway, rtol=1e-7)
    np.testing.assert_allclose(schedule(9.0)[1], ends[2].rate_gain, rtol=1e-7)
    assert np.abs(ends[0].rate_gain - ends[2].rate_gain).max() > 10.0


@pytest.mark.parametrize("begin", [-np.inf, 0.5])
def test_a_schedule_in_c_is_that_of_python(tmp_path: Path, begin: float) -> None:
    """At times of the table, between them, outside, and before control begins."""
    model = robot(2)
    rigid = slew(SlowFast(model), 2.0, angle=2.0)
    gains = GainSchedule.along(rigid, [0.0, 1.0, 2.0], 1.0, 100.0, begin=begin)
    law = CompositeControl(rigid, 3.0, 0.5, gains)
    equation, rng = Sampled(law, 0.01).equation(), np.random.default_rng(5)
    step = step_in_c(tmp_path, equation, beam_robot(TWO_LINKS, 2))
    seen = set()
    for t in (-0.5, 0.0, 0.3, 0.5, 1.0, 1.7, 2.0, 3.0):
        q, u = rng.normal(size=(2, model.nq)) * [[0.5], [0.2]]
        found = step(q, u, *law.reference(t).values())
        np.testing.assert_allclose(found, law.torque(t, q, u), rtol=1e-12, atol=1e-12)
        seen.add(float(gains(t)[0][0, 0]))
    assert len(seen) >= 5


def test_a_law_of_one_regulator_takes_no_time() -> None:
    system = SlowFast(robot())
    rigid = slew(system, 2.0)
    law = CompositeControl(rigid, 3.0, 0.5, fast_regulator(system.at(), 1.0, 100.0))
    assert "t" not in law.equation(0.01).inputs
    computed = CompositeControl(rigid, 3.0, computed_torque=True)
    with pytest.raises(NotEmittableError, match="function composite_control"):
        computed.equation(0.01)


def test_looked_up_forces_are_linear_or_smooth() -> None:
    system = SlowFast(robot())
    path = {"joint1": SineRamp(0.0, 1.0, 2.0)}
    times = np.linspace(0, 2, 21)
    linear, smooth = (RigidMotion(system, path, times, order=k) for k in (1, 3))
    exact = system.rigid(0.55, *[[float(x)] for x in path["joint1"](0.55)]).forces
    middle = (linear.forces[5] + linear.forces[6]) / 2
    np.testing.assert_allclose(linear.looked_up(0.55)[0], middle, rtol=1e-12)
    np.testing.assert_allclose(smooth.looked_up(0.55)[0], exact, rtol=1e-3)
    np.testing.assert_allclose(linear.looked_up(-1.0)[0], linear.forces[0])


# -- observers -------------------------------------------------------------------------------------

SENSORS = ("joint1", "tip1.y")


def observed(plant: eomc.CompiledModel | None = None) -> tuple[ObservedControl, SlowFast]:
    system = SlowFast(robot())
    design = fast_regulator(system.at(), 1.0, 100.0)
    rigid = RigidMotion(system, {"joint1": 0.0}, [0.0, 1.0])
    where = None if plant is None else StateMap(plant, system.model)
    law = CompositeControl(rigid, 20.0, None, design, computed_torque=True, plant=where)
    observer = ModalObserver(system, SENSORS, 10.0, 1e-8)
    assert (observer.poles.real < 0).all()
    return ObservedControl(law, observer, plant), system


def test_an_observer_finds_the_amplitudes_from_joint_and_tip() -> None:
    law, system = observed()
    start = {"beam1_y1": 0.01, "beam1_y2": -0.002}
    t = np.linspace(0, 1, 501)
    run = eomc.simulate(
        system.model,
        start,
        t_span=t,
        controller=Sampled(law, 0.002),
        method="dopri",
        progress=False,
    )
    times = np.array([at for at, _, _ in law.estimates])
    shown = np.array([x for _, x, _ in law.estimates])
    found = np.abs(times - 0.3) < 1e-9
    k = int(np.argmin(np.abs(run.t - 0.3)))
    np.testing.assert_allclose(shown[found][0], run.q[k], atol=3e-4)
    assert np.abs(run.q[-1]).max() < 5e-4


def test_an_observer_of_two_modes_on_a_plant_of_three() -> None:
    plant = robot(modes=3)
    law, _ = observed(plant)
    start, t = {"beam1_y1": 0.01}, np.linspace(0, 1, 201)
    run = eomc.simulate(
        plant, start, t_span=t, controller=Sampled(law, 0.002), method="dopri", progress=False
    )
    assert np.abs(run["beam1_y1"][-20:]).max() < 1e-3
    assert np.abs(run["beam1_y3"]).max() < 0.01


# -- shaped commands -------------------------------------------------------------------------------


def test_a_modal_observer_in_c_is_that_of_python(tmp_path: Path) -> None:
    observer = ModalObserver(SlowFast(robot()), SENSORS, 10.0, 1e-8)
    equation = observer.equation(0.002)
    step, python = step_in_c(tmp_path, equation), equation.begin()
    rng, size = np.random.default_rng(2), len(observer.A)
    flow, effect = observer.step(0.002)
    estimate = np.zeros(size)
    for _ in range(100):
        v, y = rng.normal(size=1), rng.normal(size=2)
        found = step(v, y)
        assert np.array_equal(found, python(v, y))
        assert np.allclose(found, estimate, rtol=1e-12, atol=1e-12)
        estimate = flow @ estimate + effect @ np.concatenate([v, y])


def left_after(shaped: bool, robust: bool = False, error: float = 1.0) -> float:
    """Vibration of the beam after a slew of its joint, which is prescribed."""
    declared = beam_robot(modes=1)
    declared.prescribed("joint1")
    model = eomc.build(declared)
    linear = eomc.linearize(model, prescribed={"joint1": 0.0})
    frequency = float(np.abs(np.linalg.eigvals(linear.A)).max()) * error
    kind = zero_vibration_derivative if robust else zero_vibration
    profile = SineRamp(0.0, 0.3, 0.5)
    path = Shaped(profile, kind(frequency)) if shaped else profile
    end = path.end_time
    run = eomc.simulate(
        model,
        t_span=np.linspace(0, end + 1, 2001),
        prescribed={"joint1": path},
        rtol=1e-10,
        progress=False,
    )
    return float(np.abs(run["beam1_y1"][run.t > end]).max())


@pytest.mark.slow
def test_shaped_commands_leave_no_vibration() -> None:
    plain = left_after(False)
    assert left_after(True) < 2e-2 * plain  # the inertia of the bent beam is of second order
    wrong = left_after(True, error=1.15)
    assert left_after(True, robust=True, error=1.15) < 0.4 * wrong < 0.4 * plain


def test_shapers_of_damped_modes() -> None:
    """The sum of impulse responses of x'' + 2 zeta w x' + w^2 x vanishes after the last impulse."""
    w, zeta = 5.0, 0.1
    shaper = zero_vibration(w, zeta)
    wd = w * np.sqrt(1 - zeta**2)
    t = shaper.duration + np.linspace(0.01, 3, 50)
    response = sum(
        a * np.exp(-zeta * w * (t - s)) * np.sin(wd * (t - s))
        for a, s in zip(shaper.amplitudes, shaper.times, strict=True)
    )
    assert np.abs(response).max() < 1e-14
    both = shaper_of([(w, zeta), (11.0, 0.0)], zero_vibration_derivative)
    assert len(both.times) == 9 and abs(both.amplitudes.sum() - 1) < 1e-14
    assert both.residual(w, zeta) < 1e-14 and both.residual(11.0) < 1e-14


@pytest.mark.parametrize(
    ("frequency", "damping", "text"),
    [
        (0.0, 0.0, "give a positive one"),
        (1.0, 1.0, "from 0 to below 1"),
        (np.nan, 0.0, "frequency is not finite"),
    ],
)
def test_what_is_no_mode_is_refused(frequency: float, damping: float, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        zero_vibration(frequency, damping)


# -- bad input -------------------------------------------------------------------------------------


def test_what_does_not_fit_is_refused_by_name() -> None:
    model = robot()
    with pytest.raises(ValueError, match="fast: no speed 'beam1_y3'; did you mean"):
        SlowFast(model, fast=["beam1_y3"])
    with pytest.raises(ValueError, match="speed 'beam1_y2' is neither slow nor fast"):
        SlowFast(model, slow=["joint1"], fast=["beam1_y1"])
    with pytest.raises(ValueError, match="'joint1' has no stiffness"):
        SlowFast(model, slow=["beam1_y1"], fast=["joint1", "beam1_y2"], actuators=["joint1"])
    with pytest.raises(ValueError, match="2 actuators for 1 slow speeds"):
        SlowFast(model, actuators=["joint1", "beam1_y1"])
    with pytest.raises(ValueError, match="no deformable body"):
        SlowFast(rigid_robot())
    system = SlowFast(model)
    with pytest.raises(ValueError, match="give a positive one"):
        system.at().validity(0.0)
    with pytest.raises(ValueError, match="'joint3' is none of joint1"):
        system.at({"joint3": 1.0})
    with pytest.raises(ValueError, match="target of 'joint1' is missing"):
        RigidMotion(system, {}, [0.0, 1.0])
    with pytest.raises(ValueError, match="at least two, rising"):
        RigidMotion(system, {"joint1": 0.0}, [1.0, 0.0])
    rigid = RigidMotion(system, {"joint1": 0.0}, [0.0, 1.0])
    with pytest.raises(ValueError, match="kd: give it"):
        CompositeControl(rigid, 1.0)
    other = fast_regulator(SlowFast(robot(modes=3)).at())
    with pytest.raises(ValueError, match="of other amplitudes"):
        CompositeControl(rigid, 1.0, 1.0, other)
    with pytest.raises(ValueError, match="give a time for each"):
        GainSchedule([0.0, 1.0], [other])
    with pytest.raises(ValueError, match=r"measured: 'tip2.y'"):
        ModalObserver(system, ["tip2.y"], 1.0, 1.0)
    with pytest.raises(ControllabilityError, match="do not see"):
        ModalObserver(system, ["speed(joint1)"], 1.0, 1.0)


def test_a_model_with_loops_needs_its_slow_speeds() -> None:
    crane = eomc.build(single_actuator_crane(2))
    with pytest.raises(ValueError, match="has constraints: name the slow speeds"):
        SlowFast(crane)


def test_the_report_tells_whether_the_time_scales_are_apart() -> None:
    frozen = SlowFast(robot()).at()
    assert "apart\n" in frozen.report(1.0) + "\n" and "not apart" not in frozen.report(1.0)
    assert "not apart: 10 is asked for" in frozen.report(10.0)
