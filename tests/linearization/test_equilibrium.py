"""Equilibria of rest and motion, and their branches."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.runtime import continuation, equilibrium, linearize
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.equilibria.equilibrium import posed
from eomc.runtime.equilibria.problem import Candidate
from eomc.runtime.equilibria.unknowns import unknowns
from eomc.systems.trom import four_bar, planar_truck


@pytest.fixture(scope="module")
def swing() -> eomc.CompiledModel:
    model = eomc.Model("swing", gravity=(0, 0, -9.81))
    model.parameter("m", 2.0, tunable=True)
    model.body("bob", mass="m", com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    return eomc.build(model)


def test_a_branch_turns_back_at_a_fold(swing: eomc.CompiledModel) -> None:
    """tau = m g l sin(theta): the largest torque is passed, the angle goes on."""
    start = equilibrium(swing)
    with pytest.raises(eomc.runtime.errors.EquilibriumError):
        equilibrium(swing, {"hinge": 1.0}, tau={"hinge": 10.0})
    branch = continuation(start, "tau(hinge)", 12.0, step=0.2, max_steps=30)
    largest = 2.0 * 9.81 * 0.5
    assert branch.folds
    assert not branch.reached
    assert branch.values.max() == pytest.approx(largest, rel=1e-12)
    assert np.abs(branch.values - largest * np.sin(branch["hinge"])).max() < 1e-9
    assert branch["hinge"].max() > np.pi / 2


def test_a_branch_along_a_parameter(swing: eomc.CompiledModel) -> None:
    start = equilibrium(swing, {"hinge": 0.3}, tau={"hinge": 2.0})
    branch = continuation(start, "m", 5.0)
    assert branch.values[[0, -1]] == pytest.approx([2.0, 5.0])
    assert branch["hinge"] == pytest.approx(np.arcsin(2.0 / (branch.values * 9.81 * 0.5)))


def test_a_branch_keeps_the_accelerations_of_its_start(swing: eomc.CompiledModel) -> None:
    """I a + m g l sin(theta) = tau with a = 1 rad/s^2."""
    start = equilibrium(swing, acceleration={"hinge": 1.0})
    branch = continuation(start, "tau(hinge)", 1.0)
    assert branch.reached
    assert branch["hinge"] == pytest.approx(np.arcsin((branch.values - 0.5) / (2 * 9.81 * 0.5)))
    assert [state.a.item() for state in branch.equilibria] == [1.0] * len(branch)


def test_a_start_off_the_branch_is_refused(swing: eomc.CompiledModel) -> None:
    start = equilibrium(swing)
    with pytest.raises(eomc.runtime.errors.EquilibriumError, match=r"not on the branch.*'hinge'"):
        continuation(start, "tau(hinge)", 1.0, acceleration={"hinge": 1.0})


def test_a_floating_body_finds_its_springs() -> None:
    """Quaternion coordinates: three springs hold a plate; its attitude is found."""
    model = eomc.Model("plate", gravity=(0, 0, -9.81))
    model.body("plate", mass=2, com=(0.05, 0, 0), inertia=(0.1, 0.1, 0.2))
    model.joint("j", "floating", parent="world", child="plate")
    corners = ((0.3, 0.0), (-0.2, 0.25), (-0.2, -0.25))
    for k, (x, y) in enumerate(corners):
        model.spring(
            f"s{k}",
            a=eomc.Point("plate", (x, y, 0)),
            b=eomc.Point("world", (2 * x, 2 * y, 1)),
            stiffness=60,
            free_length=0.6,
        )
    compiled = eomc.build(model)
    rest = equilibrium(compiled)
    assert np.abs(compiled.inverse_dynamics(rest.q, rest.u, rest.a)).max() < 1e-9
    assert np.linalg.norm(rest.q[3:]) == pytest.approx(1.0, abs=1e-14)
    linear = linearize(compiled, rest)
    assert np.abs(linear.stiffness - linear.stiffness.T).max() < 1e-9
    assert (linear.modes().natural_frequency > 0.3).all()


def test_a_loop_assembles_and_balances() -> None:
    compiled = eomc.build(four_bar())
    rest = equilibrium(compiled, {"phi2": 0.4, "phi4": 0.1}, tau={"phi2": 40.0})
    angle = np.arcsin(40 / 196.2)
    assert rest["phi2"] == pytest.approx(angle)
    assert rest["phi4"] == pytest.approx(angle)
    assert np.abs(compiled.constraint_residual(rest.q)).max() < 1e-12
    held = equilibrium(compiled, {"phi2": 0.4}, fixed=["phi2"])
    assert held["tau(phi2)"] == pytest.approx(196.2 * np.sin(0.4))


def test_a_turn_in_body_axes_and_in_inertial_ones() -> None:
    """The same turn, tighter and tighter."""
    model = eomc.build(planar_truck("body"))
    unknown = ["speed(base_vy)", "steer", "gamma", "drive"]
    straight = equilibrium(model, None, {"base_vx": 20.0}, solve_for=unknown)
    assert straight["steer"] == pytest.approx(0.0, abs=1e-12)
    branch = continuation(straight, "speed(base_wz)", 0.2, solve_for=unknown)
    steer = branch["steer"]
    assert (np.diff(steer) > 0).all()
    # Geometry leads at small rates: wheelbase over radius and the hinge's share.
    assert steer[-1] == pytest.approx(0.2 / 20.0 * 4.0, rel=1.0)
    assert branch.equilibria[-1].residual < 1e-6


def test_inputs_of_an_equilibrium_are_constant() -> None:
    """A pull that grows with the angle: taken at the start, it would balance elsewhere."""
    model = eomc.Model("pulled", gravity=(0, 0, -9.81))
    pull = model.input("pull")
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    model.generalized_force("turned", "hinge", pull)
    pulled = eomc.build(model)
    with pytest.raises(ValueError, match="inputs: an equilibrium takes constant inputs"):
        equilibrium(pulled, inputs={"pull": lambda t, q, u: 1.0 - q[0]})
    state = equilibrium(pulled, inputs={"pull": 1.0})
    assert abs(state["hinge"]) == pytest.approx(np.arcsin(1 / 9.81))


def test_derivatives_by_parameters_of_a_loop() -> None:
    """The forces G^T lambda of the constraints change with the lengths of the links."""
    model, y = eomc.Model("slider", gravity=(0, 0, -9.81)), (0, 1, 0)
    for name, value in {"r": 0.3, "l": 0.8, "k": 30.0}.items():
        model.parameter(name, value, tunable=True)
    model.body("crank", mass=1, com=("r/2", 0, 0))
    model.body("rod", mass=1, com=("l/2", 0, 0))
    model.body("block", mass=2)
    model.joint("crank", "revolute", parent="world", child="crank", axis=y)
    pin, end = ({"xyz": (length, 0, 0)} for length in "rl")
    model.joint("pin", "revolute", parent="crank", child="rod", axis=y, placement=pin)
    model.joint("rail", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    closing = {"parent": "rod", "child": "block", "axis": y, "placement": end, "cut": True}
    model.joint("closing", "revolute", **closing)
    at = {"body": "world", "xyz": (1.5, 0, 0)}
    model.spring("spring", a=at, b={"body": "block", "xyz": (0, 0, 0)}, stiffness="k")
    around = Surroundings.of(eomc.build(model))
    names = ["crank", "pin", "rail", "r", "l", "k"]
    problem = posed(around, None, unknowns(around.model, names))
    count = sum(entry.kind == "multiplier" for entry in problem.unknowns)
    multipliers = np.linspace(20.0, -30.0, count)
    q, u, p = np.array([-0.4, 0.6, 1.0]), np.zeros(3), np.array([0.3, 0.8, 30.0])
    at = Candidate(q, u, u, np.zeros(0), p, multipliers)
    columns = []
    for step in 1e-5 * np.eye(len(problem.unknowns)):
        ahead, behind = (problem.residuals(problem.moved(at, x), 1.0) for x in (step, -step))
        columns.append((ahead - behind) / 2e-5)
    np.testing.assert_allclose(problem.slopes(at, 1.0), np.transpose(columns), atol=1e-7)
