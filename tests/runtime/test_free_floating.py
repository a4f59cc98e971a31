"""Free-floating control: what it promises of any base, and what it refuses."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.control import Sampled
from eomc.runtime.control.free_floating import (
    FreeBase,
    FreeFloatingTask,
    LeastReactionPath,
    MomentumUnloading,
)
from eomc.runtime.control.task_space import Position, ResolvedAcceleration, SingularJacobianError

LENGTH = 1.2


def chain(base: str = "planar", links: int = 2, **joint: Any) -> eomc.Model:
    """Links on a base that moves freely in a plane, or in space."""
    model = eomc.Model("free_chain", gravity=(0, 0, 0))
    model.body("hub", mass=20, inertia=(2, 3, 4))
    model.joint("base", base, parent="world", child="hub", **joint)
    parent, at = "hub", (0.4, 0.1, 0.0)
    for k in range(1, links + 1):
        model.body(f"link{k}", mass=3, com=(LENGTH / 2, 0, 0), inertia=(0.1, 0.4, 0.4))
        model.joint(
            f"q{k}",
            "revolute",
            parent=parent,
            child=f"link{k}",
            axis=(0, 0, 1),
            placement=eomc.Placement(xyz=at),
            lower=-2.0,
            upper=2.0,
        )
        parent, at = f"link{k}", (LENGTH, 0.0, 0.0)
    model.frame("tip", body=parent, placement=eomc.Placement(xyz=at))
    return model


@pytest.fixture(scope="module")
def robot() -> eomc.CompiledModel:
    """In the plane."""
    return eomc.build(chain(axis=(0, 0, 1)))


@pytest.fixture(scope="module")
def flyer() -> eomc.CompiledModel:
    """In space."""
    return eomc.build(chain("floating", 3))


def test_accelerations_follow_the_equations_of_motion(flyer: eomc.CompiledModel) -> None:
    rng = np.random.default_rng(5)
    unloading = MomentumUnloading(flyer, 0.7, actuators=["base_wx", "base_wy", "base_wz"])
    task = FreeFloatingTask(flyer, [Position("tip")], unloading=unloading)
    law = ResolvedAcceleration(task, [[1.0, 0.2, 0.1]], 3.0, 2.0, damping=0.1)
    q, u = flyer.random_configuration(rng), rng.uniform(-1, 1, flyer.nu)
    tau = law.torque(0.0, q, u)
    assert tau == pytest.approx(np.where(np.arange(9) < 6, unloading.torque(0.0, q, u), tau))
    assert np.abs(tau[3:6]).min() > 1e-3 and not tau[:3].any()
    a = flyer.forward_dynamics(q, u, tau)
    state = task.at(0.0, q, u)
    tip = flyer.frame("tip").acceleration(q, u, a)[:3]
    assert state.jacobian @ a + state.drift == pytest.approx(tip, abs=1e-9)


@pytest.mark.slow
def test_laws_run_in_c_as_they_do_here(robot: eomc.CompiledModel) -> None:
    q, u = np.array([0, 0, 0, 0.7, -0.9]), np.array([0.02, -0.01, 0.05, 0.1, -0.2])
    unloading = MomentumUnloading(robot, 0.7, actuators=["base_theta"])
    task = FreeFloatingTask(robot, [Position("tip", "xy")], unloading=unloading)
    still = task.at(0.0, q, u).seen[0].y
    for law in (unloading, ResolvedAcceleration(task, [still], 9.0, 6.0)):
        digital = Sampled(law, 0.01)
        plant = chain(axis=(0, 0, 1))
        fast = eomc.sampled_loop(plant, digital, model=plant).run(q, u, t_span=0.5, step=0.01)
        slow = eomc.simulate(
            robot, q, u, t_span=fast.t, controller=digital, method="rk4", step=0.01
        )
        assert np.abs(fast.q - slow.q).max() < 1e-12 < np.abs(fast.tau[:, 2]).min()


def test_any_joints_make_the_base() -> None:
    model = eomc.Model("gantry", gravity=(0, 0, 0))
    model.body("cart", mass=4)
    model.joint("rail", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.body("pole", mass=1, com=(0, 0, 0.5), inertia=(0.1, 0.1, 0))
    model.joint("swing", "revolute", parent="cart", child="pole", axis=(0, 1, 0))
    cart = eomc.build(model)
    with pytest.raises(ValueError, match="no joint on the world leaves a body three freedoms"):
        FreeBase(cart)
    free = FreeBase(cart, "rail")
    # m x' + m_p (x' + 0.5 cos(q) q') = 0
    assert free.coupling([0.2, 0.6]) == pytest.approx(np.array([[-0.1 * np.cos(0.6)]]))
    u = free.speeds([0.2, 0.6], [3.0], momentum=2.0)
    assert free.momentum([0.2, 0.6], u) == pytest.approx([2.0])


def test_paths_stay_within_limits(robot: eomc.CompiledModel) -> None:
    free = FreeBase(robot)
    path = LeastReactionPath(free, [0.5, -0.5], [1.9, -1.9], 3.0, effort=0.05, segments=5)
    ends = path([0.0, 3.0])
    assert ends.position == pytest.approx(np.array([[0.5, -0.5], [1.9, -1.9]]))
    assert np.abs(ends.rate).max() < 1e-12 and np.abs(ends.acceleration).max() < 1e-9
    t, h = np.linspace(0.2, 2.8, 7), 1e-5
    middle = path(t)
    assert (path(t + h).position - path(t - h).position) / (2 * h) == pytest.approx(
        middle.rate, abs=1e-8
    )
    assert (path(t + h).rate - path(t - h).rate) / (2 * h) == pytest.approx(
        middle.acceleration, abs=1e-7
    )
    straight = FreeBase(robot).generalized_jacobian(free.configuration([1.2, -1.2]), "hub")[5]
    assert 0 < path.reaction < 1.5 * abs(straight @ [1.4, -1.4])


REFUSED: list[tuple[Callable[[eomc.CompiledModel], object], str]] = [
    (lambda m: FreeBase(m, "bass"), "no joint 'bass'; did you mean 'base'"),
    (lambda m: FreeBase(m, ["base", "q1", "q2"]), "leaves no base, or no joint"),
    (lambda m: FreeBase(m).reaction_null_space(m.neutral(), ("wq",)), "rows .* choose one or more"),
    (lambda m: FreeBase(m).speeds(m.neutral(), [1.0]), "joint_speeds has shape"),
    (lambda m: MomentumUnloading(m, 0.0), "rate is 0.0; give a positive number"),
    (lambda m: MomentumUnloading(m, 1.0, actuators=["q1"]), "'q1' is no speed of the base; valid"),
    (lambda m: LeastReactionPath(FreeBase(m), [0, 0], [3, 0], 1.0), "q1 = 3 is beyond -2 to 2"),
    (lambda m: LeastReactionPath(FreeBase(m), [0, 0], [1, 0], 1.0, segments=1), "segments is 1"),
    (lambda m: LeastReactionPath(FreeBase(m), [0, 0], [1, 0], 1.0, effort=0), "effort is 0"),
    (lambda m: LeastReactionPath(FreeBase(m), [0, 0, 0], [1, 0], 1.0), "start has shape"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED)
def test_refusals(
    robot: eomc.CompiledModel, make: Callable[[eomc.CompiledModel], object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make(robot)


def test_dynamic_singularities_and_loops_are_named(robot: eomc.CompiledModel) -> None:
    task = FreeFloatingTask(robot, [Position("tip", "xy")])
    law = ResolvedAcceleration(task, [[2.8, 0.1]], 1.0, 2.0)
    with pytest.raises(SingularJacobianError, match="cannot move independently"):
        law.torque(0.0, _stretched(robot), np.zeros(5))
    three = FreeFloatingTask(robot, [Position("tip", "xy"), Position("hub", "x")])
    with pytest.raises(SingularJacobianError, match="3 rows for 2 speeds"):
        ResolvedAcceleration(three, [[2.0, 0.1], [0.0]], 1.0, 2.0).torque(
            0.0, robot.neutral(), np.zeros(5)
        )
    model = chain(axis=(0, 0, 1))
    ends = {"placement": (0.4, 1.3, 0.0), "child_placement": (LENGTH, 0.0, 0.0)}
    model.joint(
        "shut",
        "revolute",
        parent="hub",
        child="link2",
        axis=(0, 0, 1),
        cut=True,
        **{name: eomc.Placement(xyz=xyz) for name, xyz in ends.items()},
    )
    with pytest.raises(ValueError, match="has constraints"):
        FreeBase(eomc.build(model, functions=("neutral",)))


def _stretched(robot: eomc.CompiledModel) -> np.ndarray:
    """Where the determinant of J* changes its sign."""
    from scipy.optimize import brentq

    free = FreeBase(robot)

    def volume(bend: float) -> float:
        J = free.generalized_jacobian(free.configuration([0.4, bend]), "tip")[:2]
        return float(np.linalg.det(J))

    return free.configuration([0.4, brentq(volume, -0.5, 0.5, xtol=1e-15)])
