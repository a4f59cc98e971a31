"""Friction of joints under their own reactions, in loops and under constraints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.derive.language.errors import ModelError
from eomc.derive.system import System
from eomc.runtime.control import ComputedTorque
from eomc.runtime.linearization.pencil import unreduced_eigenvalues
from eomc.runtime.model.errors import LinearizationError
from eomc_published.reactions.loops import four_bar

_ASKED = (
    "forward_dynamics",
    "constrained_dynamics",
    "inverse_dynamics",
    "forces_by_reactions",
    "forces_by_multipliers",
    "forward_dynamics_derivatives",
    "forward_dynamics_vjp",
    "forward_dynamics_jvp",
    "linearization",
    "constraint_derivatives",
    "mass_matrix",
    "bias",
    "integrate",
    "normalize",
    "coordinate_rates",
    "constraint_residual",
    "constraint_jacobian",
    "constraint_velocity",
    "constraint_bias",
    "position_correction",
    "velocity_correction",
)
STEP = 1e-5


@pytest.fixture(scope="module")
def linkage() -> eomc.CompiledModel:
    return eomc.build(four_bar(), functions=[*_ASKED])


@pytest.fixture(scope="module")
def state(linkage: eomc.CompiledModel) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    guess = {"A": 1.0, "B": -0.8, "C": 1.5}
    start = eomc.assemble(linkage, guess, {"A": 2.0}, fixed=["speed(A)"])
    return start.q, start.u, np.array([1.0, 2.0, -1.0])


def _differences(function: object, n: int) -> np.ndarray:
    return np.array([(function(STEP * e) - function(-STEP * e)) / (2 * STEP) for e in np.eye(n)]).T


def test_the_cut_joint_rubs_without_a_coordinate() -> None:
    model = four_bar()
    assert [joint.name for joint in model.cuts()] == ["D"]
    system = System(model)
    assert [entry.cut is not None for entry in system.reacting] == [False, False, False, True]


def test_derivatives_are_those_of_the_implicit_function(
    linkage: eomc.CompiledModel, state: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> None:
    q, u, tau = state
    wanted = [
        _differences(lambda d: linkage.forward_dynamics(q + d, u, tau), 3),
        _differences(lambda d: linkage.forward_dynamics(q, u + d, tau), 3),
        _differences(lambda d: linkage.forward_dynamics(q, u, tau + d), 3),
    ]
    found = linkage.forward_dynamics_derivatives(q, u, tau)
    assert all(np.abs(x - y).max() < 1e-6 for x, y in zip(found, wanted, strict=True))
    weights, along = np.array([1.0, 2.0, 3.0]), np.array([1.0, -2.0, 0.5])
    back = linkage.forward_dynamics_vjp(q, u, tau, weights)
    assert all(np.abs(weights @ x - y).max() < 1e-10 for x, y in zip(found, back, strict=True))
    moved = linkage.forward_dynamics_jvp(q, u, tau, along, along, along)
    assert np.abs(sum(found) @ along - moved).max() < 1e-10
    a, multipliers = linkage.constrained_dynamics(q, u, tau, [0.0])
    slopes = _differences(lambda d: linkage.forces_by_reactions(q, u, a, multipliers + d), 2)
    assert np.abs(slopes - linkage.forces_by_multipliers(q, u, a, multipliers)).max() < 1e-9


def test_linearization_is_that_of_the_motion_on_the_constraints(
    linkage: eomc.CompiledModel, state: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> None:
    q, u, tau = state
    linear = eomc.linearize(linkage, q=q, u=u, tau=tau, independent=["A"])
    order = np.arange(3, dtype=np.intc)
    close, follow = (linkage.solver(f"dependent_{w}")[0] for w in ("coordinates", "speeds"))

    def crank(d: np.ndarray) -> np.ndarray:
        at = close(q + d[0] * np.eye(3)[0], order=order, tolerance=0.0, max_steps=30)
        rates = follow(at, u + d[1] * np.eye(3)[0], order=order)
        return linkage.forward_dynamics(at, rates, tau + d[2:])[:1]

    wanted = _differences(crank, 5)
    assert np.abs(linear.A[1] - wanted[0, :2]).max() < 1e-7
    assert np.abs(linear.B[1] - wanted[0, 2:]).max() < 1e-7
    differenced = eomc.linearize(linkage, q=q, u=u, tau=tau, independent=["A"], method="central")
    assert np.abs(linear.A - differenced.A).max() < 1e-5
    with pytest.raises(LinearizationError, match="friction depends on lambda too"):
        unreduced_eigenvalues(linkage, q=q, u=u, tau=tau)


def test_forces_of_a_motion_make_that_motion(
    linkage: eomc.CompiledModel, state: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> None:
    """In Python and by the compiled solver, of one drive and of all."""
    q, u, tau = state
    a = linkage.forward_dynamics(q, u, tau)
    solver = linkage.solver("actuated_inverse_dynamics")[0]
    for names in (["A"], ["A", "B", "C"]):
        taken = eomc.runtime.loop_inverse_dynamics(linkage, q, u, a, actuators=names)
        assert np.abs(linkage.forward_dynamics(q, u, taken.tau) - a).max() < 1e-11
        actuated = np.array([name in names for name in "ABC"], dtype=np.intc)
        forces, multipliers = solver(q, u, a, actuated=actuated)
        assert np.abs(forces - taken.tau).max() < 1e-12
        assert np.abs(multipliers - taken.multipliers).max() < 1e-11
    with pytest.raises(ValueError, match="inverse_dynamics depends on the multipliers of its"):
        ComputedTorque(linkage, lambda t: (q, u, a), 1.0, 1.0).torque(0.0, q, u)


def test_all_formulations_run_alike(linkage: eomc.CompiledModel, state: tuple) -> None:
    q, u, _ = state
    ends = [
        eomc.simulate(linkage, q=q, u=u, t_span=0.3, formulation=name, rtol=1e-9, atol=1e-10).q[-1]
        for name in ("multipliers", "independent", "stabilized")
    ]
    assert np.ptp(ends, axis=0).max() < 1e-7


def pendulum(*, cut: bool, bearings: int = 1) -> eomc.Model:
    """On a journal with a collar and two surfaces, in the tree or closing a loop; or on several
    that share its friction."""
    model = eomc.Model("pendulum")
    model.body("arm", mass=1.3, com=(0.05, 0.1, -0.7), inertia=(0.05, 0.06, 0.07))
    if cut:
        model.joint("free", "floating", parent="world", child="arm")
    model.joint(
        "hinge",
        "revolute",
        parent="world",
        child="arm",
        axis=(0, 0.6, 0.8),
        cut=cut,
        child_placement={"xyz": (0.1, 0, 0)},
    )
    for k in range(bearings):
        model.bearing(
            f"rub{k}",
            speed="hinge",
            friction=0.4 / bearings,
            radius=0.12,
            span=0.3,
            collar=0.2,
            slip_speed=1e-2,
            preload=2,
        )
    return model


def test_a_joint_rubs_alike_in_the_tree_and_as_a_loop() -> None:
    tree, loop = (
        eomc.build(pendulum(cut=cut), functions=["forward_dynamics"]) for cut in (False, True)
    )
    axis, order = np.array([0, 0.6, 0.8]), _twist(loop)
    for speed in (-4.0, 0.01, 0.5):
        (alone,) = tree.forward_dynamics([0], [speed], [0])
        a = loop.forward_dynamics(*_turning(loop, speed), np.zeros(6))[order]
        assert np.abs(a[3:] - alone * axis).max() < 1e-11 * abs(alone)


def _twist(loop: eomc.CompiledModel) -> list[int]:
    """Places of velocity and angular velocity among the speeds."""
    names = [f"free_{word}" for word in ("vx", "vy", "vz", "wx", "wy", "wz")]
    return [loop.speeds.index(name) for name in names]


def _turning(loop: eomc.CompiledModel, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """The pendulum whose joint closes a loop, as it passes its neutral place."""
    axis, place = np.array([0, 0.6, 0.8]), np.array([-0.1, 0, 0])
    q, u = np.array(loop.neutral()), np.zeros(6)
    q[[loop.coordinates.index(f"free_{word}") for word in "xyz"]] = place
    u[_twist(loop)] = [*np.cross(speed * axis, place), *(speed * axis)]
    return q, u


def slider_crank(off: float = 0.0, **given: object) -> eomc.Model:
    """A planar one, its rod `off` the plane."""
    model = eomc.Model("slider_crank")
    model.body("crank", mass=1, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01))
    model.body("rod", mass=1, com=(0.3, off, 0), inertia=(0.01, 0.05, 0.05))
    model.body("piston", mass=2, inertia=(0.01, 0.01, 0.01))
    y = (0, 1, 0)
    model.joint("main", "revolute", parent="world", child="crank", axis=y)
    model.joint(
        "pin", "revolute", parent="crank", child="rod", axis=y, placement={"xyz": (0.2, 0, 0)}
    )
    model.joint(
        "wrist", "revolute", parent="rod", child="piston", axis=y, placement={"xyz": (0.6, 0, 0)}
    )
    model.joint("bore", "prismatic", parent="world", child="piston", axis=(1, 0, 0))
    for joint in ("main", "pin", "wrist"):
        model.bearing(f"in_{joint}", speed=joint, friction=0.2, radius=0.03, **given)
    return model


def test_reactions_that_redundant_rows_share_are_refused() -> None:
    """Off the plane, moments tilt the pins, and rigid bodies do not say how much each."""
    assert len(System(slider_crank()).reacting) == 3
    assert len(System(slider_crank(span=0.05, collar=0.02)).reacting) == 3
    assert len(System(slider_crank(off=0.1)).reacting) == 3  # forces in the plane are determined
    with pytest.raises(ModelError, match=r"in_main': rigid bodies do not determine .*torque_1"):
        assert System(slider_crank(off=0.1, span=0.05)).reacting


def test_functions_that_know_no_multipliers_are_refused() -> None:
    with pytest.raises(ModelError, match="'inverse_dynamics_vjp': some of its forces depend on"):
        eomc.build(four_bar(), functions=["inverse_dynamics_vjp"])


@pytest.mark.slow
def test_bearings_in_loops_are_verified() -> None:
    checks = ["Newton-Euler", "consistency", "passivity", "multipliers", "solvers"]
    report = eomc.verify(four_bar(), states=1, checks=checks)
    assert report.ok, report


def test_several_bearings_of_a_cut_joint_rub_as_one() -> None:
    """Also in what the joints transmit."""
    asked = ["constrained_dynamics", "joint_reactions"]
    one, three = (eomc.build(pendulum(cut=True, bearings=n), functions=asked) for n in (1, 3))
    q, u = _turning(one, 0.5)
    a, multipliers = one.constrained_dynamics(q, u, np.zeros(6), [0.0])
    wanted = one.joint_reactions(q, u, a, multipliers)
    assert np.abs(wanted[1, 3:] @ [0, 0.6, 0.8]) > 1
    assert np.abs(three.joint_reactions(q, u, a, multipliers) - wanted).max() < 1e-11
    again = three.constrained_dynamics(q, u, np.zeros(6), [0.0])[0]
    assert np.abs(again - a).max() < 1e-11 * np.abs(a).max()


def test_a_bearing_more_where_rows_are_redundant() -> None:
    model = four_bar()
    model.bearing("other", speed="D", friction=0.3, radius=0.03)
    assert len(System(model).reacting) == 5


TOML = """
name = "held"
gravity = [0, 0, -9.81]

[[body]]
name = "arm"
mass = 1.3
com = [0, 0, -0.7]
inertia = [0.05, 0.05, 0.05]

[[joint]]
name = "free"
kind = "floating"
parent = "world"
child = "arm"

[[joint]]
name = "hinge"
kind = "revolute"
parent = "world"
child = "arm"
axis = [0, 1, 0]
cut = true

[[bearing]]
name = "rub"
speed = "hinge"
friction = 0.4
radius = 0.12
"""


def test_a_model_file_declares_it(tmp_path: Path) -> None:
    path = tmp_path / "held.toml"
    path.write_text(TOML)
    system = System(eomc.load(path))
    assert system.reacting[0].cut is not None
