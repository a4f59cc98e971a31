"""Laws of task-space control against the error dynamics that they promise."""

import numpy as np
import pytest
from small_models.mechanisms import satellite

import eomc
from eomc.runtime.control import Sampled
from eomc.runtime.control.impedance import Admittance, Impedance
from eomc.runtime.control.task_space import (
    Attitude,
    Coordinates,
    EulerAngles,
    ModifiedTransposeJacobian,
    OperationalSpace,
    Position,
    ResolvedAcceleration,
    ResolvedRate,
    SingularJacobianError,
    Task,
    TaskOutput,
    TransposeJacobian,
)
from eomc.runtime.trajectories import Quintic

OUTPUTS: list[TaskOutput] = [
    Position("hub"),
    Position("panel", "xz"),
    Position("panel", relative_to="hub"),
    Attitude("hub"),
    Attitude("panel"),
    EulerAngles("hub"),
    EulerAngles("panel", ("beta", "gamma")),
    Coordinates("hinge"),
]


@pytest.fixture(scope="module", name="satellite")
def built_satellite() -> eomc.CompiledModel:
    return eomc.build(satellite())


@pytest.fixture(scope="module")
def arm() -> eomc.CompiledModel:
    """Two links of 1 m in a horizontal plane."""
    model = eomc.Model("two_links", gravity=(0, 0, 0))
    parent, at = "world", (0, 0, 0)
    for k, mass in enumerate((4.0, 3.0), 1):
        model.body(f"link{k}", mass=mass, com=(0.5, 0, 0), inertia=(0, 0.3, 0.3))
        model.joint(
            f"q{k}",
            "revolute",
            parent=parent,
            child=f"link{k}",
            axis=(0, 0, 1),
            placement=eomc.Placement(xyz=at),
        )
        parent, at = f"link{k}", (1, 0, 0)
    model.frame("tip", body="link2", placement=eomc.Placement(xyz=(1, 0, 0)))
    return eomc.build(model)


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: type(output).__name__)
def test_rates_and_drift_are_derivatives(satellite: eomc.CompiledModel, output: TaskOutput) -> None:
    rng = np.random.default_rng(3)
    task = Task(satellite, [output])
    q, u = satellite.random_configuration(rng), rng.uniform(-1, 1, satellite.nu)
    h = 1e-5

    def after(t: float) -> tuple[np.ndarray, np.ndarray]:
        """(q, u) on a motion with u' = 0."""
        return np.asarray(satellite.integrate(q, t * u)), u

    state = task.at(0.0, q, u)
    ahead, behind = (task.at(0.0, *after(sign * h)) for sign in (1, -1))
    assert state.rate == pytest.approx(state.jacobian @ u, abs=1e-12)
    assert state.drift == pytest.approx((ahead.rate - behind.rate) / (2 * h), abs=1e-8)
    if not isinstance(output, Attitude):
        moved = (ahead.seen[0].y - behind.seen[0].y) / (2 * h)
        assert state.rate == pytest.approx(moved, abs=1e-8)
    else:
        eta, *epsilon = state.seen[0].y
        moved = (ahead.seen[0].y - behind.seen[0].y) / (2 * h)
        rates = (eta * state.rate + np.cross(epsilon, state.rate)) / 2
        assert rates == pytest.approx(moved[1:], abs=1e-8)


def circle(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    c, s = np.cos(t), np.sin(t)
    return np.array([c, s]) + 0.2, np.array([-s, c]), np.array([-c, -s])


def test_resolved_acceleration_makes_the_error_linear(arm: eomc.CompiledModel) -> None:
    task = Task(arm, [Position("tip", "xy")])
    law = ResolvedAcceleration(task, [circle], kp=16.0, kd=8.0)
    run = eomc.simulate(arm, [0.3, 1.2], t_span=2.0, controller=law, rtol=1e-11, atol=1e-12)
    errors = np.array([law.error(*row) for row in zip(run.t, run.q, run.u, strict=True)])
    e = errors[0]
    rate = circle(0.0)[1] - task.at(0.0, run.q[0], run.u[0]).rate
    t = run.t[:, None]
    assert errors == pytest.approx((e + (rate + 4 * e) * t) * np.exp(-4 * t), abs=1e-8)
    assert np.abs(e).min() > 0.01


def test_both_forms_of_resolved_acceleration_are_one(arm: eomc.CompiledModel) -> None:
    task, (q, u) = Task(arm, [Position("tip", "xy")]), np.array([[0.3, 1.2], [0.7, -0.4]])
    law = ResolvedAcceleration(task, [circle], kp=[9.0, 16.0], kd=8.0)
    state, (e, rate, a) = law.look(0.4, q, u)
    # M^ = J^-T M J^-1,   c^ = J^-T c - M^ J' u,   Q = J^T (M^ v + c^)
    inverse = np.linalg.inv(state.jacobian)
    mass = inverse.T @ arm.mass_matrix(q) @ inverse
    bias = inverse.T @ arm.bias(q, u) - mass @ state.drift
    expected = state.jacobian.T @ (mass @ (a + law.kd @ rate + law.kp @ e) + bias)
    assert law.torque(0.4, q, u) == pytest.approx(expected, rel=1e-12)


def test_attitude_errors_are_linear_at_any_size(satellite: eomc.CompiledModel) -> None:
    outputs = [Position("hub"), Attitude("hub"), Coordinates("hinge")]
    task = Task(satellite, outputs, actuators="all")
    half = np.radians(170) / 2
    motions = [np.zeros(3), [np.cos(half), 0, 0.6 * np.sin(half), 0.8 * np.sin(half)], 0.5]
    law = ResolvedAcceleration(task, motions, kp=4.0, kd=4.0)
    run = eomc.simulate(satellite, t_span=8.0, controller=law, rtol=1e-11, atol=1e-12)
    e_epsilon = np.sin(half) * (1 + 2 * run.t) * np.exp(-2 * run.t)
    angle = np.arccos(np.clip(np.abs(run.q[:, 3:7] @ motions[1]), 0, 1))
    assert np.sin(angle) == pytest.approx(e_epsilon, abs=1e-6)


@pytest.mark.slow
def test_transpose_jacobian_comes_to_rest(satellite: eomc.CompiledModel) -> None:
    outputs = [Position("panel"), Attitude("panel"), Coordinates("hinge")]
    task = Task(satellite, outputs, actuators="all")
    law = TransposeJacobian(task, [[1.0, 0.5, 0.2], [0.8, 0.6, 0, 0], 0.3], kp=5.0, kd=6.0)
    run = eomc.simulate(satellite, t_span=30.0, controller=law)
    assert np.abs(law.error(30.0, run.q[-1], run.u[-1])).max() < 1e-4
    assert np.abs(law.error(0.0, run.q[0], run.u[0])).max() > 0.5


def test_the_stored_force_improves_tracking(arm: eomc.CompiledModel) -> None:
    task = Task(arm, [Position("tip", "xy")])
    worst = {}
    q = [0.3, 1.2]
    start = task.at(0.0, np.array(q), np.zeros(2)).seen[0].y
    path = Quintic(start, start + np.array([-0.5, 0.3]), 1.0)
    laws = {
        "plain": TransposeJacobian(task, [path], 30.0, 60.0),
        "stored": ModifiedTransposeJacobian(
            task, [path], 30.0, 60.0, e_max=1.0, rate_max=10.0, period=0.01
        ),
    }
    for name, law in laws.items():
        run = eomc.simulate(arm, q, t_span=1.0, step=0.05, controller=law, method="RK45", rtol=1e-6)
        rows = zip(run.t, run.q, run.u, strict=True)
        worst[name] = max(np.abs(law.error(*row)).max() for row in rows)
    assert 0 < worst["stored"] < 0.1 * worst["plain"]


def test_singular_jacobians_are_named_and_damped(arm: eomc.CompiledModel) -> None:
    task, q, u = Task(arm, [Position("tip", "xy")]), np.zeros(2), np.zeros(2)
    law = ResolvedAcceleration(task, [[1.0, 1.0]], kp=1.0, kd=2.0)
    with pytest.raises(SingularJacobianError, match="tip_x cannot move independently"):
        law.torque(0.0, q, u)
    damped = ResolvedAcceleration(task, [[1.0, 1.0]], kp=1.0, kd=2.0, damping=0.1)
    assert 1e-3 < np.abs(damped.torque(0.0, q, u)).max() < 100
    regular = np.array([0.3, 1.2])
    damped.damping = 1e-6
    assert damped.torque(0.0, regular, u) == pytest.approx(law.torque(0.0, regular, u), rel=1e-6)


def test_bad_tasks_are_refused_by_name(satellite: eomc.CompiledModel) -> None:
    with pytest.raises(KeyError, match="no frame 'pannel'; did you mean 'panel'"):
        Task(satellite, [Position("pannel")])
    with pytest.raises(ValueError, match="its rate is no speed; control its attitude"):
        Task(satellite, [Coordinates("base_qw")])
    with pytest.raises(ValueError, match=r"axes \('w',\); choose one or more of x, y, z"):
        Position("panel", "w")
    with pytest.raises(ValueError, match="the task has none"):
        Task(satellite, [])
    task = Task(satellite, [Position("panel"), Coordinates("hinge")])
    with pytest.raises(ValueError, match="1 for 2 outputs"):
        TransposeJacobian(task, [0.0], 1.0, 1.0)
    with pytest.raises(ValueError, match="motion of panel_x has shape"):
        TransposeJacobian(task, [[0.0, 1.0], 0.0], 1.0, 1.0)
    with pytest.raises(ValueError, match=r"kp has shape \(3,\)"):
        TransposeJacobian(task, [[0.0, 1.0, 0.0], 0.0], [1.0, 2.0, 3.0], 1.0)
    law = ResolvedAcceleration(task, [[0.0, 1.0, 0.0], 0.0], 1.0, 1.0)
    with pytest.raises(SingularJacobianError, match="4 rows for 7 speeds"):
        law.torque(0.0, satellite.neutral(), np.zeros(7))
    law = TransposeJacobian(Task(satellite, [Attitude("hub")]), [[1.0, 0.1, 0, 0]], 1.0, 1.0)
    with pytest.raises(
        ValueError, match=r"attitude of 'hub': the one wanted, .* no unit quaternion"
    ):
        law.torque(0.0, satellite.neutral(), np.zeros(7))
    for name in ("e_max", "rate_max", "period"):
        settings = {"e_max": 1.0, "rate_max": 1.0, "period": 1.0, name: 0.0}
        with pytest.raises(ValueError, match=name):
            ModifiedTransposeJacobian(task, [[0.0, 1.0, 0.0], 0.0], 1.0, 1.0, **settings)


# -- more joints than rows ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_arm() -> eomc.CompiledModel:
    """Three links in a vertical plane."""
    model = eomc.Model("three_links", gravity=(0, -9.81, 0))
    parent, at = "world", (0, 0, 0)
    for k, mass in enumerate((4.0, 3.0, 2.0), 1):
        model.body(f"link{k}", mass=mass, com=(0.4, 0, 0), inertia=(0, 0.2, 0.2))
        model.joint(
            f"q{k}",
            "revolute",
            parent=parent,
            child=f"link{k}",
            axis=(0, 0, 1),
            placement=eomc.Placement(xyz=at),
        )
        parent, at = f"link{k}", (0.8, 0, 0)
    model.frame("tip", body="link3", placement=eomc.Placement(xyz=(0.8, 0, 0)))
    return eomc.build(model)


BENT = np.array([0.3, 0.8, -0.5])


def test_a_posture_moves_nothing_that_the_task_holds(long_arm: eomc.CompiledModel) -> None:
    """The error of the tip is the same solution with a posture and without, though joints move."""
    task = Task(long_arm, [Position("tip", "xy")])
    goal = task.at(0.0, BENT, np.zeros(3)).seen[0].y + np.array([-0.2, 0.1])
    found, drawn = [], {"q1": 1.2, "q2": -0.6, "q3": 0.4}
    for posture in (None, drawn):
        law = OperationalSpace(task, [goal], 25.0, 10.0, posture=posture, posture_kp=9.0)
        run = eomc.simulate(long_arm, BENT, t_span=2.0, controller=law, rtol=1e-10, atol=1e-12)
        errors = np.array([law.error(t, *row) for t, *row in zip(run.t, run.q, run.u, strict=True)])
        expected = np.outer((1 + 5 * run.t) * np.exp(-5 * run.t), [-0.2, 0.1])
        assert np.allclose(errors, expected, atol=1e-7)
        found.append(run.q[-1])
    assert np.abs(found[1] - found[0]).max() > 0.1


def test_with_as_many_rows_as_joints_it_is_resolved_acceleration(arm: eomc.CompiledModel) -> None:
    task = Task(arm, [Position("tip", "xy")])
    path = Quintic([1.2, 0.8], [0.9, 1.0], 1.0)
    laws = [kind(task, [path], 30.0, 8.0) for kind in (OperationalSpace, ResolvedAcceleration)]
    rng = np.random.default_rng(6)
    for _ in range(5):
        q, u = rng.uniform(0.3, 1.2, 2), rng.normal(size=2)
        assert np.allclose(*(law.torque(0.4, q, u) for law in laws), rtol=1e-10)


def test_rates_are_resolved_with_the_least_speeds(long_arm: eomc.CompiledModel) -> None:
    task = Task(long_arm, [Position("tip", "xy")])
    path = Quintic([1.6, 1.0], [1.2, 1.3], 1.0)
    law = ResolvedRate(task, [path], 6.0, 2e3, gravity=True)
    u = law.speeds(0.3, BENT, np.zeros(3))
    state = task.at(0.3, BENT, u)
    e, rate, _ = task.deviation(state, task.wanted([path])(0.3))
    assert np.allclose(rate, -6.0 * e, atol=1e-12)
    assert np.allclose(u, np.linalg.pinv(state.jacobian) @ (state.jacobian @ u), atol=1e-12)
    weight = long_arm.gravity(BENT)
    assert np.allclose(law.torque(0.3, BENT, u), weight, atol=1e-9)
    start = task.at(0.0, BENT, np.zeros(3)).seen[0].y
    path = Quintic(start, start + np.array([-0.2, 0.1]), 1.0)
    law = ResolvedRate(task, [path], 6.0, 2e3, gravity=True)
    run = eomc.simulate(long_arm, BENT, t_span=2.0, controller=law, method="LSODA")
    assert np.abs(law.error(2.0, run.q[-1], run.u[-1])).max() < 1e-3


def test_what_is_pushed_gives_way(arm: eomc.CompiledModel) -> None:
    """A sensed force of 10 N moves the goal aside as mass, damper and spring would, and the tip."""
    task = Task(arm, [Position("tip", "xy")])
    start = np.array([0.4, 1.1])
    goal = task.at(0.0, start, np.zeros(2)).seen[0].y
    soft = Impedance(2.0, 40.0, 200.0)  # critically damped, at 10 rad/s

    def push(t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        return [10.0, 0.0]

    law = Admittance(
        task,
        [goal],
        soft,
        push,
        lambda task, motions: ResolvedAcceleration(task, motions, 400.0, 40.0),
    )
    run = eomc.simulate(
        arm, start, t_span=np.linspace(0, 2, 101), controller=Sampled(law, 0.01), method="dopri"
    )
    times, offsets = np.array([t for t, _ in law.offsets]), np.array([c for _, c in law.offsets])
    expected = 0.05 * (1 - (1 + 10 * times) * np.exp(-10 * times))
    assert np.allclose(offsets[:, 0], expected, atol=1e-12)
    assert np.allclose(offsets[:, 1], 0.0)
    tip = arm.frame("tip").pose(run.q)[:, :2, 3] - goal
    assert np.abs(tip[-1] - [0.05, 0.0]).max() < 1e-5
    assert np.abs(tip[::1, 0] - np.interp(run.t, times, offsets[:, 0])).max() < 5e-3


def test_what_further_laws_refuse(long_arm: eomc.CompiledModel, arm: eomc.CompiledModel) -> None:
    stretched = np.zeros(3)
    task = Task(long_arm, [Position("tip", "xy")])
    for law in (OperationalSpace(task, [[2, 0]], 1.0, 1.0), ResolvedRate(task, [[2, 0]], 1.0, 1.0)):
        with pytest.raises(SingularJacobianError, match="tip_x cannot move independently"):
            law.torque(0.0, stretched, stretched)
    damped = OperationalSpace(task, [[2, 0]], 1.0, 1.0, damping=0.1)
    assert np.isfinite(damped.torque(0.0, stretched, stretched)).all()
    damped_rate = ResolvedRate(task, [[2, 0]], 1.0, 1.0, damping=0.1)
    assert np.isfinite(damped_rate.torque(0.0, stretched, stretched)).all()
    wide = Task(arm, [Position("tip", "xy"), Coordinates("q1")])
    with pytest.raises(ValueError, match="the task has 3 rows, the model 2 speeds"):
        OperationalSpace(wide, [[1, 1], [0]], 1.0, 1.0)
    with pytest.raises(ValueError, match="damping is -1"):
        ResolvedRate(task, [[2, 0]], 1.0, 1.0, damping=-1)
    with pytest.raises(ValueError, match="Attitude: its 4 values cannot be moved aside"):
        Admittance(
            Task(arm, [Attitude("tip")]),
            [[1, 0, 0, 0]],
            Impedance(1, 1, 1),
            lambda t, q, u: np.zeros(3),
            lambda task, motions: TransposeJacobian(task, motions, 1, 1),
        )
