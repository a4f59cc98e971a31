"""Laws of task space, of impedance, and filters in C, step by step and in compiled loops."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from small_models.mechanisms import satellite
from small_programs.controller_in_c import step_in_c

import eomc
from eomc.runtime.control import PD, Sampled
from eomc.runtime.control.impedance import Admittance, Impedance, MultipleImpedance, ObjectImpedance
from eomc.runtime.control.signal import Noise, Saturation
from eomc.runtime.control.state_map import StateMap
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
    TransposeJacobian,
)
from eomc.runtime.difference import NotEmittableError, Numeric
from eomc.runtime.estimation import ExtendedKalmanFilter, OutputFeedback
from eomc.runtime.estimation.covariance import LongPeriodError, carried, series_degree
from eomc.runtime.trajectories import Quintic

pytestmark = pytest.mark.variants

T = 0.01
Row = NDArray[np.float64]


def two_links() -> eomc.Model:
    """Two links of 1 m that hang; the second one's mass can be tuned."""
    model = eomc.Model("two_links", gravity=(0, -9.81, 0))
    model.parameter("load", 3.0, tunable=True)
    parent, at = "world", (0, 0, 0)
    for k, mass in enumerate((4.0, "load"), 1):
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
    return model


@pytest.fixture(scope="module")
def arm() -> eomc.CompiledModel:
    return eomc.build(two_links())


@pytest.fixture(scope="module")
def floating() -> eomc.CompiledModel:
    return eomc.build(satellite())


PATH = Quintic([1.0, 0.9], [0.8, 1.2], 0.6)


def on_the_arm(model: eomc.CompiledModel) -> dict[str, Any]:
    task = Task(model, [Position("tip", "xy")], parameters={"load": 2.5})
    height = Task(model, [Position("tip", "y")])
    modified: dict[str, Any] = {"rate_max": 2.0, "period": T}
    posture = {"q1": 0.4, "q2": 1.0}
    return {
        "transpose": TransposeJacobian(task, [PATH], 400.0, 60.0),
        "modified": ModifiedTransposeJacobian(task, [PATH], 90.0, 12.0, e_max=0.5, **modified),
        "modified by row": ModifiedTransposeJacobian(
            task, [PATH], 90.0, 12.0, e_max=[0.5, 0.4], **modified
        ),
        "resolved rate": ResolvedRate(task, [PATH], 4.0, [30.0, 20.0], gravity=True),
        "resolved rate of one row": ResolvedRate(
            height, [lambda t: [row[1:] for row in PATH(t)]], 4.0, 30.0, damping=0.05
        ),
        "resolved acceleration": ResolvedAcceleration(task, [PATH], 64.0, 16.0),
        "damped": ResolvedAcceleration(task, [PATH], 64.0, 16.0, damping=0.02),
        "operational space": OperationalSpace(
            height, [0.9], 64.0, 16.0, posture=posture, posture_kp=9.0
        ),
        "operational space, damped": OperationalSpace(task, [PATH], 64.0, 16.0, damping=0.01),
    }


def on_the_satellite(model: eomc.CompiledModel) -> dict[str, Any]:
    turned = np.array([4.0, 1.0, -2.0, 1.0]) / 22**0.5
    free = Task(model, [Position("hub"), Attitude("hub"), Coordinates("hinge")])
    angles = Task(model, [Position("panel", relative_to="hub"), EulerAngles("panel")])
    return {
        "attitude": ResolvedAcceleration(free, [[0.1, 0, 0], turned, [0.3]], 4.0, 4.0),
        "angles": TransposeJacobian(angles, [[0.0, 0.5, 0.1], [0.1, 0.2, -0.3]], 4.0, 4.0),
    }


ON_THE_ARM = (
    "transpose",
    "modified",
    "modified by row",
    "resolved rate",
    "resolved rate of one row",
    "resolved acceleration",
    "damped",
    "operational space",
    "operational space, damped",
)


def law_in_python(law: Any) -> Callable[[float, Row, Row], Row]:
    remembers = getattr(law, "at_samples", None)
    found: Callable[[float, Row, Row], Row] = law.torque if remembers is None else remembers(T)
    return found


def told(controller: Sampled, t: float) -> list[Row]:
    law: Any = controller.law
    rows = law.reference(t)
    return [rows[name] for name in controller.equation().inputs if name in rows]


@pytest.mark.parametrize("kind", ON_THE_ARM)
def test_a_law_of_task_space_in_c_is_the_law(
    arm: eomc.CompiledModel, tmp_path: Path, kind: str
) -> None:
    """From sample to sample, at states that the law did not make."""
    rng = np.random.default_rng(5)
    law = on_the_arm(arm)[kind]
    controller = Sampled(law, T)
    step, expected = step_in_c(tmp_path, controller, two_links()), law_in_python(law)
    for k in range(40):
        q, u = rng.uniform(0.2, 1.5, 2), rng.normal(size=2)
        assert step(q, u, *told(controller, k * T)) == pytest.approx(
            expected(k * T, q, u), rel=1e-11, abs=1e-11
        )


@pytest.mark.parametrize("kind", ["attitude", "angles"])
def test_attitudes_in_c(floating: eomc.CompiledModel, tmp_path: Path, kind: str) -> None:
    """At any attitude, and of either sign of the quaternion."""
    rng = np.random.default_rng(7)
    law = on_the_satellite(floating)[kind]
    controller = Sampled(law, T)
    step = step_in_c(tmp_path, controller, satellite())
    for _ in range(60):
        q, u = floating.random_configuration(rng), rng.normal(size=floating.nu)
        assert step(q, u, *told(controller, 0.0)) == pytest.approx(
            law.torque(0.0, q, u), rel=1e-9, abs=1e-9
        )


def test_the_compiled_loop_of_a_task_law_is_the_run_of_python(arm: eomc.CompiledModel) -> None:
    """With memory, chance and a plant that carries another load."""
    for kind in ("modified", "operational space, damped"):
        law = on_the_arm(arm)[kind]
        controller = Sampled(
            law,
            T,
            delay=0.004,
            sensors={"u": [Noise(0.01)]},
            seed=2,
            actuators=[Saturation({"q1": 70.0})],
        )
        loop = eomc.sampled_loop(two_links(), controller, flags=("-O0",))
        how: dict[str, Any] = {"t_span": np.linspace(0.0, 0.8, 41), "step": 0.005}
        how |= {"parameters": {"load": 3.3}}
        found = loop.run({"q1": 0.35, "q2": 0.7}, **how)
        run = eomc.simulate(
            arm, {"q1": 0.35, "q2": 0.7}, controller=controller, method="rk4", **how
        )
        assert np.allclose(found.q, run.q, rtol=0, atol=1e-10)
        assert np.allclose(found.tau, run.tau, rtol=0, atol=1e-7)
        assert np.ptp(found.tau[:, 0]) > 5.0


def test_singular_jacobians_are_a_code(arm: eomc.CompiledModel, tmp_path: Path) -> None:
    law = on_the_arm(arm)["resolved acceleration"]
    loop = eomc.sampled_loop(two_links(), Sampled(law, T), flags=("-O0",))
    with pytest.raises(
        eomc.runtime.errors.SimulationError, match="ResolvedAcceleration: singular_jacobian"
    ):
        loop.run([0.3, 0.0], t_span=1.0, step=T)
    with pytest.raises(SingularJacobianError, match="cannot move independently"):
        eomc.simulate(arm, [0.3, 0.0], t_span=1.0, step=T, controller=Sampled(law, T), method="rk4")


def test_single_precision(arm: eomc.CompiledModel, tmp_path: Path) -> None:
    law = on_the_arm(arm)["operational space"]
    controller = Sampled(law, T)
    step = step_in_c(tmp_path, controller, two_links(), real="float")
    q, u = np.array([0.4, 0.9]), np.array([0.3, -0.2])
    assert step(q, u, *told(controller, 0.1)) == pytest.approx(law.torque(0.1, q, u), rel=2e-4)


def test_who_is_pushed_gives_way_in_c(arm: eomc.CompiledModel, tmp_path: Path) -> None:
    """Admittance over a law that remembers; the force is an argument of the step."""
    task = Task(arm, [Position("tip", "xy")])
    pushes = np.random.default_rng(3).normal(size=(40, 2))
    law = Admittance(
        task,
        [PATH],
        Impedance(2.0, 40.0, 200.0),
        lambda t, q, u: pushes[round(t / T)],
        lambda task, motions: ModifiedTransposeJacobian(
            task, motions, 90.0, 12.0, e_max=0.5, rate_max=2.0, period=T
        ),
    )
    controller = Sampled(law, T)
    step, expected = step_in_c(tmp_path, controller, two_links()), law.at_samples(T)
    q, u = np.array([0.4, 0.9]), np.array([0.3, -0.2])
    for k, push in enumerate(pushes):
        found = step(q, u, push, *told(controller, k * T))
        assert found == pytest.approx(expected(k * T, q, u), rel=1e-11, abs=1e-11)
    assert np.abs(law.offsets[-1][1]).max() > 1e-4
    with pytest.raises(NotEmittableError, match="Admittance takes a measured 'force'"):
        eomc.sampled_loop(two_links(), controller)


@pytest.mark.parametrize("kind", [MultipleImpedance, ObjectImpedance])
def test_impedance_of_a_row_in_c(tmp_path: Path, kind: Any) -> None:
    rng = np.random.default_rng(4)
    row = eomc.Model("row", gravity=(0, 0, 0))
    parent = "world"
    for k in range(3):
        row.body(f"m{k}", mass=3.0 - k)
        row.joint(f"x{k}", "prismatic", parent=parent, child=f"m{k}", axis=(1, 0, 0))
        parent = f"m{k}"
    model = eomc.build(row)
    felt: list[Row] = []
    law = kind(
        model,
        {"x2": lambda t: (1 - np.exp(-t), np.exp(-t), -np.exp(-t))},
        Impedance(3.0, 5.0, 7.0),
        ["x0", "x1"],
        offsets=[[-0.2], [-0.1]],
        contact=lambda t, q, u: felt[-1],
        plant=StateMap.identity(model),
    )
    controller = Sampled(law, T)
    step = step_in_c(tmp_path, controller, row)
    for k in range(10):
        q, u = rng.normal(size=(2, 3))
        felt.append(rng.normal(size=1))
        assert step(q, u, *told(controller, k * T), felt[-1]) == pytest.approx(
            law.torque(k * T, q, u), rel=1e-12
        )


def pendulum() -> eomc.Model:
    """A body that hangs on a ball joint."""
    model = eomc.Model("pendulum")
    model.parameter("load", 2.0, tunable=True)
    model.body("bob", mass="load", com=(0, 0, -0.5), inertia=(0.1, 0.13, 0.05))
    model.joint("pivot", "spherical", parent="world", child="bob")
    return model


def test_a_filter_on_its_manifold_and_its_law_in_one_loop() -> None:
    """Python's filter takes exponentials by SciPy and derivatives by `linearize`."""
    built = eomc.build(pendulum())
    assumed_parameters: dict[str, Any] = {"parameters": {"load": 1.9}}
    observer = ExtendedKalmanFilter(
        built, built.displacements, process=0.1, noise=1e-4, covariance=0.01, **assumed_parameters
    )
    target = np.array([4.0, 1.0, 2.0, 0.0]) / 21**0.5
    blind = OutputFeedback(
        PD(built, target, 9.0, 3.0, gravity=True, **assumed_parameters), observer
    )
    controller = Sampled(blind, T, sensors={"q": [Noise(1e-2)]}, seed=3)
    loop = eomc.sampled_loop(pendulum(), controller, flags=("-O0",))
    found = loop.run(t_span=np.linspace(0, 1.0, 21), step=0.01)
    run = eomc.simulate(built, t_span=found.t, controller=controller, method="rk4", step=0.01)
    assert np.allclose(found.q, run.q, rtol=0, atol=1e-10)
    assert np.allclose(found.tau, run.tau, rtol=0, atol=1e-9)
    assert np.ptp(found.q[:, 1]) > 0.1
    other = OutputFeedback(PD(built, target, 9.0, 3.0), observer)
    with pytest.raises(NotEmittableError, match="believe in different parameters"):
        other.equation(T)


def test_a_filter_by_itself_in_c(tmp_path: Path) -> None:
    built = eomc.build(pendulum())
    observer = ExtendedKalmanFilter(
        built, built.displacements, process=0.1, noise=1e-4, covariance=0.01
    )
    step = step_in_c(tmp_path, observer.equation(T), pendulum())
    rng, q = np.random.default_rng(2), np.array([1.0, 0, 0, 0])
    estimate, tau = observer.begin(), np.zeros(3)
    for k in range(30):
        q = np.asarray(built.integrate(q, 0.01 * rng.normal(size=3)))
        if k:
            estimate = observer.predicted(estimate, 0.0, tau, T)
        estimate = observer.corrected(estimate, 0.0, q, np.zeros(3))
        found = step(q, np.zeros(3), tau)
        assert found == pytest.approx(np.append(estimate.q, estimate.u), rel=1e-10, abs=1e-10)
        tau = rng.normal(size=3)


def test_covariances_move_by_their_series() -> None:
    from scipy.linalg import expm

    from eomc.runtime.linearization.discretization import gathered

    rng = np.random.default_rng(6)
    a, w, p = np.diag([1.0, 1.0], 2) - np.eye(4), np.diag([0, 0, 1.0, 2.0]), np.eye(4)
    a[2:, :2] = [[-900.0, 40.0], [30.0, -1600.0]]
    series = series_degree(a, 0.05)
    assert series.halvings == 4
    flow = expm(0.05 * a)
    expected = flow @ p @ flow.T + gathered(a, w, 0.05)
    found = carried(Numeric(), a, w, p, 0.05, series)
    assert np.abs(found - expected).max() < 1e-9 * np.abs(expected).max()
    with pytest.raises(LongPeriodError, match="too long for how fast"):
        carried(Numeric(), 400 * rng.normal(size=(4, 4)), w, p, 0.05, series)


def test_what_cannot_be_written_is_named(arm: eomc.CompiledModel) -> None:
    class Own:
        """An output of a user, in numbers alone."""

        size = 1

        def names(self, model: Any) -> tuple[str, ...]:
            return ("own",)

        def begin(self, model: Any) -> Any:
            return Coordinates("q1").begin(model)

        def deviation(self, seen: Any, wanted: Any) -> Any:
            return Coordinates("q1").deviation(seen, wanted)

    law = TransposeJacobian(Task(arm, [Own()]), [[0.3]], 1.0, 1.0)  # type: ignore[list-item]
    assert law.torque(0.0, np.zeros(2), np.zeros(2))[0] == pytest.approx(0.3)
    with pytest.raises(NotEmittableError, match="Own: this output is not written"):
        law.equation(T)

    class Double(TransposeJacobian):
        def torque(self, t: float, q: Row, u: Row) -> Row:
            return 2.0 * super().torque(t, q, u)

    with pytest.raises(NotEmittableError, match="Double has a torque"):
        Double(Task(arm, [Coordinates("q1")]), [[0.3]], 1.0, 1.0).equation(T)
    # The second joint never moves the first: such a Jacobian is singular everywhere.
    still = ResolvedAcceleration(
        Task(arm, [Coordinates("q1"), Coordinates("q1")]), [[0.0]] * 2, 1, 1
    )
    with pytest.raises(NotEmittableError, match="singular in every configuration"):
        eomc.emit_controller(Sampled(still, T), "nowhere", model=two_links())
