"""Independent coordinates: chosen by pivoting, chosen anew, refused where they are not."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.compiled import GUESS, four_bar_model, residuals, spatial_model

import eomc
from eomc.runtime.errors import ConstraintError


def closed() -> np.ndarray:
    return eomc.assemble(four_bar_model(), list(GUESS.values())).q


def test_the_orthogonal_complement_spans_what_the_constraints_allow() -> None:
    for model, q in (
        (four_bar_model(), closed()),
        (spatial_model(), eomc.assemble(spatial_model(), {"in": 0.3}).q),
    ):
        found = eomc.runtime.independent_coordinates(model, q)
        jacobian = model.function("constraint_jacobian")(q)
        assert found.rank == len(jacobian)
        assert np.abs(jacobian @ found.K).max() < 1e-13
        free = [model.speeds.index(name) for name in found.independent]
        assert found.K[free].tolist() == np.eye(len(free)).tolist()
        assert sorted(found.independent + found.dependent) == sorted(model.speeds)
        assert not found.k0.any()


def test_a_choice_of_ones_own_is_taken() -> None:
    found = eomc.runtime.independent_coordinates(four_bar_model(), closed(), chosen="d")
    assert found.independent == ("d",)
    assert found.dependent == ("a", "b")


def test_moving_constraints_add_a_drift() -> None:
    model = eomc.Model("driven")
    for name in ("arm", "tip"):
        model.body(name, mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    model.joint("shoulder", "revolute", parent="world", child="arm", axis=(0, 1, 0))
    model.joint("elbow", "revolute", parent="arm", child="tip", axis=(0, 1, 0), placement=(1, 0, 0))
    model.constraint("drive", "driver", first="shoulder", expression="0.4*sin(3*t)")
    found = eomc.runtime.independent_coordinates(
        eomc.build(model), {"shoulder": 0.4 * np.sin(0.6)}, t=0.2
    )
    assert found.independent == ("elbow",)
    assert found.k0 == pytest.approx([1.2 * np.cos(0.6), 0.0], abs=1e-14)


def test_both_formulations_give_one_motion() -> None:
    model = four_bar_model()
    start = eomc.assemble(model, GUESS, {"a": 1.0}, fixed=["a", "speed(a)"])
    runs = [
        eomc.simulate(
            model,
            start.q,
            start.u,
            t_span=(0, 5),
            rtol=1e-11,
            atol=1e-12,
            formulation=formulation,
            tau={"b": 1.5},
        )
        for formulation in ("multipliers", "independent")
    ]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-7
    for run in runs:
        assert max(residuals(run)) < 1e-12


def test_spatial_loops_move_in_independent_coordinates_too() -> None:
    model = spatial_model()
    start = eomc.assemble(model, {"in": 0.8}, {"in": 4.0}, fixed=["in", "speed(in)"])
    runs = [
        eomc.simulate(
            model, start.q, start.u, t_span=(0, 2), rtol=1e-10, atol=1e-12, formulation=formulation
        )
        for formulation in ("multipliers", "independent")
    ]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-7
    assert max(residuals(runs[1])) < 1e-12


def test_the_choice_changes_where_it_degrades() -> None:
    # No bar of this linkage can turn fully: each of the angles stands still at its dead points.
    model = eomc.Model("triple_rocker", gravity=(0, -9.81, 0))
    for name in ("left", "top", "right"):
        model.body(name, mass=1, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    axis = (0, 0, 1)
    model.joint("a", "revolute", parent="world", child="left", axis=axis)
    model.joint("b", "revolute", parent="left", child="top", axis=axis, placement=(1, 0, 0))
    model.joint("d", "revolute", parent="world", child="right", axis=axis, placement=(2.2, 0, 0))
    model.joint(
        "c",
        "revolute",
        parent="top",
        child="right",
        axis=axis,
        placement=(1, 0, 0),
        child_placement=(1, 0, 0),
    )
    compiled = eomc.build(model)
    start = eomc.assemble(
        compiled, {"a": -1.0, "b": 1.0, "d": -2.1}, {"a": 6.0}, fixed=["a", "speed(a)"]
    )
    runs = [
        eomc.simulate(
            compiled,
            start.q,
            start.u,
            t_span=(0, 4),
            rtol=1e-10,
            atol=1e-12,
            formulation=formulation,
        )
        for formulation in ("independent", "multipliers")
    ]
    assert runs[0].statistics["choices"] > 2
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-5
    assert max(residuals(runs[0])) < 1e-12
    assert np.ptp(runs[0]["energy"]) < 1e-6 * runs[0]["kinetic_energy"].max()
    for name in compiled.speeds:  # each of them would have failed on the way
        assert (np.diff(np.sign(runs[0][f"speed({name})"])) != 0).any()


def test_coordinates_that_stand_still_are_refused() -> None:
    # A slider-crank: the slide is no coordinate at its dead centres.
    model = eomc.Model("slider_crank", gravity=(0, 0, 0))
    model.body("crank", mass=1, com=(0.2, 0, 0), inertia=(0.02, 0.02, 0.02))
    model.body("rod", mass=1, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    model.body("piston", mass=3)
    model.joint("turn", "revolute", parent="world", child="crank", axis=(0, 0, 1))
    model.joint(
        "pin", "revolute", parent="crank", child="rod", axis=(0, 0, 1), placement=(0.4, 0, 0)
    )
    model.joint("slide", "prismatic", parent="world", child="piston", axis=(1, 0, 0))
    model.joint(
        "wrist",
        "revolute",
        parent="rod",
        child="piston",
        axis=(0, 0, 1),
        placement=(1, 0, 0),
        cut=True,
    )
    compiled = eomc.build(model)
    with pytest.raises(ConstraintError, match=r"slide cannot be independent.*rank 1 of 2"):
        eomc.runtime.independent_coordinates(compiled, {"slide": 1.4}, chosen="slide")


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (["a", "b"], "3 speeds under 2 constraints leave 1 independent, but 2 were named"),
        ([], "leave 1 independent, but 0 were named"),
    ],
)
def test_too_many_or_few_are_refused(chosen: list[str], message: str) -> None:
    with pytest.raises(ConstraintError, match=message):
        eomc.runtime.independent_coordinates(four_bar_model(), closed(), chosen=chosen)


def test_names_are_checked() -> None:
    with pytest.raises(ValueError, match="no speed 'crank'"):
        eomc.runtime.independent_coordinates(four_bar_model(), closed(), chosen="crank")
    with pytest.raises(ValueError, match="'a' stands twice"):
        eomc.runtime.independent_coordinates(four_bar_model(), closed(), chosen=["a", "a"])


def test_an_inconsistent_point_is_refused() -> None:
    with pytest.raises(ConstraintError, match=r"violates constraint 'c\.force_x': its position"):
        eomc.runtime.independent_coordinates(four_bar_model(), GUESS)


@pytest.mark.parametrize("method", ["rk4", "dopri"])
def test_compiled_methods_take_independent_coordinates(method: str) -> None:
    given = {"t_span": 0.5, "rtol": 1e-10, "atol": 1e-11}
    expected = eomc.simulate(four_bar_model(), closed(), **given).final
    run = eomc.simulate(
        four_bar_model(), closed(), formulation="independent", method=method, step=5e-3, **given
    )
    assert run.final.q == pytest.approx(expected.q, abs=1e-7)
    assert run.final.u == pytest.approx(expected.u, abs=1e-6)
    assert max(residuals(run)) < 1e-10
    with pytest.raises(ValueError, match="independent coordinates"):
        eomc.simulate(
            four_bar_model(),
            closed(),
            formulation="independent",
            method=method,
            t_span=0.1,
            controller=lambda t, q, u: -u,
        )


def test_stabilization_and_unknown_formulations_are_refused() -> None:
    with pytest.raises(ValueError, match="'rk4' projects its steps, which stabilization"):
        eomc.simulate(four_bar_model(), closed(), method="rk4", formulation="stabilized")
    with pytest.raises(ValueError, match=r"unknown formulation 'indepndent'.*independent"):
        eomc.simulate(four_bar_model(), closed(), formulation="indepndent")
