"""Implicit methods on constraints, the backward differentiation of SUNDIALS before all."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.four_bars import ball_in_the_tree
from constraints.mechanisms import four_bar

import eomc
from eomc.binding.arrays import Array
from eomc.derive.model import Model, Placement, Point

pytest.importorskip("sksundae")

ROUNDING = 1e-12
SOLVING = {"method": "cvode", "rtol": 1e-9, "atol": 1e-11}


def close(run: eomc.Trajectory, other: eomc.Trajectory, tolerance: float) -> None:
    """The same motion, and on the constraints to rounding."""
    assert np.abs(run.q - other.q).max() < tolerance
    model = run.model
    assert np.abs(model.constraint_residual(run.q)).max() < ROUNDING
    assert np.abs(model.constraint_velocity(run.q, run.u)).max() < ROUNDING


@pytest.fixture(scope="module")
def linkage() -> eomc.CompiledModel:
    return eomc.build(four_bar())


def start(linkage: eomc.CompiledModel) -> eomc.ConsistentState:
    """The crank at 1 rad and 2 rad/s."""
    guess = {"a": 1.0, "b": -0.5, "d": 1.5}
    return eomc.assemble(linkage, guess, {"a": 2.0}, fixed=["a", "speed(a)"])


def test_a_linkage_over_turns_of_its_crank(linkage: eomc.CompiledModel) -> None:
    """As by an explicit method; drift seldom takes a new start, so steps stay long."""
    q, u = start(linkage).state
    run = eomc.simulate(linkage, q, u, t_span=(0, 5), **SOLVING)
    close(run, eomc.simulate(linkage, q, u, t_span=(0, 5), rtol=1e-11, atol=1e-12), 1e-5)
    free = eomc.simulate(linkage, q, u, t_span=(0, 5), formulation="stabilized", **SOLVING)
    assert run.statistics["steps"] < 1.5 * free.statistics["steps"]


def test_independent_coordinates(linkage: eomc.CompiledModel) -> None:
    q, u = start(linkage).state
    run = eomc.simulate(linkage, q, u, t_span=(0, 2), formulation="independent", **SOLVING)
    close(run, eomc.simulate(linkage, q, u, t_span=(0, 2), rtol=1e-11, atol=1e-12), 1e-6)


def test_events_and_states_between_the_steps(linkage: eomc.CompiledModel) -> None:
    """Where the crank is level, and everywhere else, the loop is closed."""

    def level(t: float, q: Array, u: Array) -> float:
        return float(np.sin(q[0]))

    q, u = start(linkage).state
    run = eomc.simulate(linkage, q, u, t_span=(0, 2), dense=True, events=level, **SOLVING)
    known = eomc.simulate(linkage, q, u, t_span=(0, 2), events=level, rtol=1e-11, atol=1e-12)
    (found,), (expected,) = run.events, known.events
    assert len(expected.t) > 1
    assert found.t == pytest.approx(expected.t, abs=1e-6)
    assert np.abs(linkage.constraint_residual(found.q)).max() < ROUNDING
    for t in np.linspace(0, 2, 37):
        assert np.abs(linkage.constraint_residual(run.at(float(t)).q)).max() < ROUNDING


def stiffened() -> Model:
    """The rocker drags a light slider by a hard, overdamped spring: it settles in microseconds."""
    model = four_bar()
    model.body("slider", mass=0.01)
    model.joint(
        "slide",
        "prismatic",
        parent="rocker",
        child="slider",
        axis=(1, 0, 0),
        placement=Placement(xyz=(0.7, 0, 0)),
    )
    model.joint_spring("hard", joint="slide", stiffness=1e6, damping=2e3)
    return model


def test_stiff_loops_take_long_steps() -> None:
    """Explicit methods need steps of 1e-5 s here: 1e5 of them."""
    model = eomc.build(stiffened())
    q, u = eomc.assemble(model, {"a": 1.0, "b": -0.5, "d": 1.5, "slide": 1e-3}).state
    run = eomc.simulate(model, q, u, t_span=(0, 2), method="cvode", rtol=1e-7, atol=1e-10)
    assert run.statistics["steps"] < 2000
    close(
        run, eomc.simulate(model, q, u, t_span=(0, 2), method="Radau", rtol=1e-8, atol=1e-11), 1e-4
    )
    assert abs(run["slide"][-1]) < 1e-5


@pytest.mark.slow
def test_a_quaternion_in_the_loop() -> None:
    """Energy is kept but for what the hinge takes and the input gives, here nothing."""
    model = eomc.build(ball_in_the_tree(damping=0.0))
    q, u = eomc.assemble(model, u={"turn": 3.0}).state
    run = eomc.simulate(model, q, u, t_span=(0, 3), **SOLVING)
    close(run, eomc.simulate(model, q, u, t_span=(0, 3), rtol=1e-11, atol=1e-12), 1e-4)
    assert np.ptp(run.energy) < 1e-5 * run["kinetic_energy"].max()


@pytest.mark.slow
def test_moving_and_nonholonomic_constraints() -> None:
    """A crank driven at a constant rate, and a skate on the turning crank's floor."""
    model = four_bar()
    model.constraint("drive", "driver", first="a", expression="1 + 2*t")
    model.body("skate", mass=2, inertia=(0.2, 0.3, 0.4))
    model.joint(
        "p", "planar", parent="world", child="skate", axis=(0, 0, 1), damping=(0.3, 0.3, 0.1)
    )
    model.constraint("edge", "knife_edge", a=Point("skate", (-0.3, 0, 0)), axis_a=(0, 1, 0))
    built = eomc.build(model)
    q, u = eomc.assemble(built, {"a": 1.0, "b": -0.5, "d": 1.5}, {"p_theta": 3.0, "p_x": 1.0}).state
    run = eomc.simulate(built, q, u, t_span=(0, 3), **SOLVING)
    other = eomc.simulate(built, q, u, t_span=(0, 3), rtol=1e-11, atol=1e-12)
    assert np.abs(run.q - other.q).max() < 1e-5
    assert run["a"] == pytest.approx(1 + 2 * run.t, abs=1e-12)
    assert np.abs(built.constraint_residual(run.q, run.t)).max() < ROUNDING
    assert np.abs(built.constraint_velocity(run.q, run.u, run.t)).max() < ROUNDING
