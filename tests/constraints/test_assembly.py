"""Consistent states from partial guesses, or why there are none."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.compiled import GUESS, four_bar_model, spatial_model
from hypothesis import given, settings
from hypothesis import strategies as st

import eomc
from eomc.runtime.errors import AssemblyError


def test_the_state_is_consistent_to_rounding() -> None:
    model = four_bar_model()
    found = eomc.assemble(model, GUESS, {"a": 1.0, "d": 3.0}, tau={"a": 2.0})
    assert np.abs(model.constraint_residual(found.q)).max() < 1e-13
    assert np.abs(model.constraint_velocity(found.q, found.u)).max() < 1e-13
    jacobian = model.constraint_jacobian(found.q)
    assert np.abs(jacobian @ found.a + model.constraint_bias(found.q, found.u)).max() < 1e-11
    force = np.array([2.0, 0, 0]) + jacobian.T @ found.multipliers
    assert np.abs(model.inverse_dynamics(found.q, found.u, found.a) - force).max() < 1e-11
    assert found.names == ("c.force_x", "c.force_y")


def test_held_coordinates_and_speeds_keep_their_values() -> None:
    model = four_bar_model()
    found = eomc.assemble(model, GUESS, {"a": 1.0, "b": 7.0}, fixed=["a", "speed(a)"])
    assert found.q[0] == GUESS["a"]
    assert found.u[0] == 1.0
    found = eomc.assemble(model, GUESS, {"a": 1.0, "d": 3.0}, fixed=["b", "speed(d)"])
    assert found.q[1] == GUESS["b"]
    assert found.u[2] == 3.0
    assert np.abs(model.constraint_velocity(found.q, found.u)).max() < 1e-13


def test_the_speeds_are_those_nearest_in_kinetic_energy() -> None:
    model = four_bar_model()
    wanted = np.array([1.0, -0.3, 2.0])
    found = eomc.assemble(model, GUESS, wanted)
    mass = model.mass_matrix(found.q)
    # The change is orthogonal, in the mass metric, to all speeds that the constraints allow.
    _, _, right = np.linalg.svd(model.constraint_jacobian(found.q))
    allowed = right[-1]
    assert abs(allowed @ mass @ (found.u - wanted)) < 1e-12
    plain = eomc.assemble(model, found.q, wanted, weights=np.ones(3))
    assert abs(allowed @ (plain.u - wanted)) < 1e-12


def test_positions_move_little_from_a_near_guess() -> None:
    model = four_bar_model()
    exact = eomc.assemble(model, GUESS)
    rng = np.random.default_rng(1)
    for scale in (1e-3, 1e-2):
        offset = rng.normal(scale=scale, size=3)
        again = eomc.assemble(model, exact.q + offset)
        # Nearest: no farther than the configuration that the offset started from, to first order.
        mass = model.mass_matrix(exact.q)
        moved = again.q - exact.q - offset
        assert moved @ mass @ moved <= offset @ mass @ offset * (1 + 50 * scale)


@settings(max_examples=40)
@given(st.lists(st.floats(-3, 3), min_size=8, max_size=8), st.floats(-0.6, 0.6))
def test_any_guess_of_the_spatial_loop_is_assembled_or_refused(
    numbers: list[float], angle: float
) -> None:
    model = spatial_model()
    q = np.asarray(model.normalize(np.array([angle, 1.0, *numbers[:3], numbers[3]])))
    try:
        found = eomc.assemble(model, q, np.array(numbers[3:]), fixed="in")
    except AssemblyError as error:
        assert "cross." in str(error)
        return
    assert found.q[0] == angle
    assert np.abs(model.constraint_residual(found.q)).max() < 1e-12
    size = 1 + np.abs(found.u).max()
    assert np.abs(model.constraint_velocity(found.q, found.u)).max() < 1e-12 * size


def test_what_cannot_be_closed_is_refused_by_name() -> None:
    model = four_bar_model()
    # The crank's tip is then nearer to the rocker's pivot than coupler and rocker can fold.
    with pytest.raises(AssemblyError, match=r"'c\.force_[xy]' keeps the residual.*'a', 'b' held"):
        eomc.assemble(model, {"a": np.pi, "b": 0.0}, fixed=["a", "b"])


def test_speeds_that_contradict_the_constraints_are_refused() -> None:
    model = four_bar_model()
    closed = eomc.assemble(model, GUESS)
    with pytest.raises(AssemblyError, match=r"no speeds.*'a', 'b' held.*rank 1 of 2"):
        eomc.assemble(model, closed.q, {"a": 1.0, "b": 5.0}, fixed=["speed(a)", "speed(b)"])


def test_unknown_names_get_hints() -> None:
    with pytest.raises(ValueError, match="fixed: no coordinate or speed 'crank'"):
        eomc.assemble(four_bar_model(), GUESS, fixed="crank")
    with pytest.raises(ValueError, match="weights: that of 'b' must be > 0"):
        eomc.assemble(four_bar_model(), GUESS, weights={"b": -1.0})


def test_what_is_held_of_a_floating_body_are_displacements() -> None:
    """Its speeds are body rates: a name of one would hold the speed, not the place."""
    model = eomc.Model("tied")
    model.body("body", mass=1, inertia=(1, 1, 1))
    model.joint("free", "floating", parent="world", child="body")
    model.constraint("rope", "distance", a="world", b="body", length=2)
    tied = eomc.build(model)
    with pytest.raises(ValueError, match=r"'free_x' has no rate.*'displacement\(free_v"):
        eomc.assemble(tied, {"free_x": 1.9}, fixed="free_x")
    held = ["displacement(free_vy)", "displacement(free_vz)"]
    assert eomc.assemble(tied, {"free_x": 1.9}, fixed=held).q[0] == pytest.approx(2.0)


def test_a_model_without_constraints_has_nothing_to_assemble() -> None:
    model = eomc.Model("pendulum")
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    with pytest.raises(ValueError, match="no constraints"):
        eomc.assemble(eomc.build(model))
