"""Runs of constrained models: every step ends on the constraints, however long the run."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.compiled import GUESS, four_bar_model, residuals, spatial_model

import eomc
from eomc.runtime.errors import ConstraintError, SimulationError

pytestmark = pytest.mark.variants

METHODS = ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA", "rk4", "dopri")


def four_bar_start() -> tuple[eomc.CompiledModel, np.ndarray, np.ndarray]:
    model = four_bar_model()
    found = eomc.assemble(model, GUESS, {"a": 1.0}, fixed=["a", "speed(a)"])
    return model, found.q, found.u


@pytest.mark.parametrize("method", METHODS)
def test_every_method_ends_its_steps_on_the_constraints(method: str) -> None:
    model, q, u = four_bar_start()
    run = eomc.simulate(model, q, u, t_span=(0, 4), step=0.01, method=method, rtol=1e-6, atol=1e-8)
    position, velocity = residuals(run)
    assert position < 1e-12
    assert velocity < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("method", ["DOP853", "dopri"])
def test_a_four_bar_keeps_its_constraints_and_its_energy_over_100_s(method: str) -> None:
    model, q, u = four_bar_start()
    run = eomc.simulate(
        model, q, u, t_span=(0, 100), step=0.05, method=method, rtol=1e-11, atol=1e-12
    )
    position, velocity = residuals(run)
    assert position < 2e-13 * (1 + np.abs(run.q).max())
    assert velocity < 1e-12
    kinetic = run["kinetic_energy"].max()
    assert np.ptp(run["energy"]) < 2e-8 * kinetic
    assert kinetic > 1.0  # it moved


@pytest.mark.parametrize("method", ["DOP853", "dopri"])
def test_a_spatial_loop_with_quaternions_does_so_too(method: str) -> None:
    model = spatial_model()
    found = eomc.assemble(model, {"in": 0.8}, {"in": 4.0}, fixed=["in", "speed(in)"])
    run = eomc.simulate(
        model, found.q, found.u, t_span=(0, 50), step=0.05, method=method, rtol=1e-10, atol=1e-12
    )
    position, velocity = residuals(run)
    assert position < 1e-12
    assert velocity < 1e-12
    quaternion = np.array([run[f"ball_q{k}"] for k in "wxyz"])
    assert np.abs(np.linalg.norm(quaternion, axis=0) - 1).max() < 1e-14
    assert np.ptp(run["energy"]) < 1e-7 * run["kinetic_energy"].max()
    assert np.ptp(run["out"]) > 0.1


@pytest.mark.slow
def test_methods_agree_on_the_motion() -> None:
    model, q, u = four_bar_start()
    ends = [
        eomc.simulate(model, q, u, t_span=(0, 3), method=method, rtol=1e-11, atol=1e-12).final
        for method in ("DOP853", "Radau", "dopri")
    ]
    for end in ends[1:]:
        assert np.abs(end.q - ends[0].q).max() < 1e-7
        assert np.abs(end.u - ends[0].u).max() < 1e-7


def test_the_default_is_compiled_where_the_formulation_is() -> None:
    model, q, u = four_bar_start()
    run, other = (
        eomc.simulate(model, q, u, t_span=(0, 3), method=method) for method in (None, "DOP853")
    )
    assert run.method == run.statistics["method"] == "dopri"
    assert run.statistics["projections"] > run.statistics["steps"]
    assert max(residuals(run)) < 1e-12
    assert run.q == pytest.approx(other.q, abs=1e-6)
    assert run.u == pytest.approx(other.u, abs=1e-5)
    for options, why in (
        ({"formulation": "independent"}, "'independent' is solved at every stage"),
        ({"formulation": "stabilized"}, "'stabilized' is solved at every stage"),
        ({"at_singularity": "stop"}, "looked for in each step"),
    ):
        run = eomc.simulate(model, q, u, t_span=0.1, **options)  # type: ignore[arg-type]
        assert run.method == run.statistics["method"] == "DOP853"
        assert why in str(run.statistics["why"])


def test_states_between_the_times_are_on_the_constraints_too() -> None:
    model, q, u = four_bar_start()
    run = eomc.simulate(model, q, u, t_span=(0, 1, 2), dense=True)
    between = run.at(np.linspace(0, 2, 57))
    assert np.abs(model.constraint_residual(between.q)).max() < 1e-12


def test_events_are_found_on_the_constraints() -> None:
    model, q, u = four_bar_start()

    def turned(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return float(u[0])

    turned.terminal = True  # type: ignore[attr-defined]
    run = eomc.simulate(model, q, u, t_span=(0, 10), events=turned, method="DOP853")
    (found,) = run.events
    assert found.t.size == 1
    assert run.t[-1] == found.t[0] < 10
    assert abs(found.u[0, 0]) < 1e-12
    assert np.abs(model.constraint_residual(found.q)).max() < 1e-12
    assert np.abs(model.constraint_velocity(found.q, found.u)).max() < 1e-12


def test_an_inconsistent_start_is_refused_with_the_gap_named() -> None:
    model = four_bar_model()
    with pytest.raises(ConstraintError, match=r"'c\.force_[xy]'.*position residual is -?0\.\d+"):
        eomc.simulate(model, GUESS)
    _, q, _ = four_bar_start()
    with pytest.raises(ConstraintError, match=r"'c\.force_[xy]'.*velocity residual.*assemble"):
        eomc.simulate(model, q, {"a": 1.0})


def test_a_start_is_assembled_on_request() -> None:
    run = eomc.simulate(four_bar_model(), GUESS, {"a": 1.0}, t_span=1.0, assemble=True)
    expected = eomc.assemble(four_bar_model(), GUESS, {"a": 1.0})
    assert np.abs(run.q[0] - expected.q).max() < 1e-12
    assert np.abs(run.u[0] - expected.u).max() < 1e-12
    assert max(residuals(run)) < 1e-12


def test_driven_constraints_are_met_at_their_times() -> None:
    model = eomc.Model("driven", gravity=(0, 0, -9.81))
    model.body("arm", mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    model.body("tip", mass=0.5, com=(0.2, 0, 0), inertia=(0.02, 0.02, 0.02))
    model.joint("shoulder", "revolute", parent="world", child="arm", axis=(0, 1, 0))
    model.joint("elbow", "revolute", parent="arm", child="tip", axis=(0, 1, 0), placement=(1, 0, 0))
    model.constraint("drive", "driver", first="shoulder", expression="0.4*sin(3*t)")
    compiled = eomc.build(model)
    for method in ("DOP853", "BDF"):
        run = eomc.simulate(compiled, None, {"shoulder": 1.2}, t_span=(0, 5), method=method)
        assert np.abs(run["shoulder"] - 0.4 * np.sin(3 * run.t)).max() < 1e-13
        assert np.abs(run["speed(shoulder)"] - 1.2 * np.cos(3 * run.t)).max() < 1e-12
    assert np.ptp(run["elbow"]) > 0.1


def test_a_run_into_a_singular_configuration_stops_with_its_time() -> None:
    # A parallelogram flattens where it is stretched: it may leave on either branch.
    model = eomc.Model("parallelogram", gravity=(0, 0, 0))
    for name, length in (("left", 1.0), ("top", 2.0), ("right", 1.0)):
        model.body(name, mass=1, com=(length / 2, 0, 0), inertia=(0.1, 0.1, 0.1))
    axis = (0, 0, 1)
    model.joint("a", "revolute", parent="world", child="left", axis=axis)
    model.joint("b", "revolute", parent="left", child="top", axis=axis, placement=(1, 0, 0))
    model.joint("d", "revolute", parent="world", child="right", axis=axis, placement=(2, 0, 0))
    model.joint(
        "c",
        "revolute",
        parent="top",
        child="right",
        axis=axis,
        placement=(2, 0, 0),
        child_placement=(1, 0, 0),
        cut=True,
    )
    compiled = eomc.build(model)
    with pytest.raises((ConstraintError, SimulationError), match=r"rank 1.*'c\.force_[xy]'"):
        eomc.simulate(compiled)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-3, 1e4])
@pytest.mark.parametrize("method", ["dopri", "DOP853"])
def test_rounding_is_that_of_the_lengths(scale: float, method: str) -> None:
    """A four-bar of millimetres and one of kilometres: residuals relative to the links."""
    model = eomc.Model(f"four_bar_{method}", gravity=(0, -9.81, 0))
    for name, length in (("crank", 0.5), ("coupler", 1.1), ("rocker", 0.8)):
        model.body(name, mass=1, com=(length * scale / 2, 0, 0), inertia=(scale**2 / 9,) * 3)
    links = (
        ("a", "world", "crank", 0.0),
        ("b", "crank", "coupler", 0.5),
        ("d", "world", "rocker", 1),
    )
    for name, parent, child, at in links:
        model.joint(
            name,
            "revolute",
            parent=parent,
            child=child,
            axis=(0, 0, 1),
            placement=(at * scale, 0, 0),
        )
    model.joint(
        "c",
        "revolute",
        parent="coupler",
        child="rocker",
        axis=(0, 0, 1),
        cut=True,
        placement=(1.1 * scale, 0, 0),
        child_placement=(0.8 * scale, 0, 0),
    )
    linkage = eomc.build(model)
    start = eomc.assemble(linkage, {"a": 0.7, "b": -0.4, "d": 1.2}, {"a": 3.0})
    run = eomc.simulate(linkage, start.q, start.u, t_span=5.0, step=0.01, method=method)
    assert np.abs(linkage.constraint_residual(run.q)).max() < 1e-13 * scale
    assert np.abs(linkage.constraint_velocity(run.q, run.u)).max() < 1e-12 * scale
