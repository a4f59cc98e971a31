"""Bodies beyond the range of their theory: what runs says so, once, with body and how far."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import eomc
from eomc import Model
from eomc.derive.bodies import Beam, TelescopicBeam
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.runtime.model.validity import SMALL, steepest
from eomc.verifier.procedure import verify
from eomc_published.rods.exact import elastica

pytestmark = pytest.mark.variants

TIP = 2.7530
"""phi'(1) of the first shape of a clamped-free beam."""


def pulled() -> eomc.CompiledModel:
    model = Model("soft", gravity=(0, 0, 0))
    model.deformable("rod", Beam(length=1, mass_per_length=1, EI=1, modes=(2, 1)))
    model.joint("clamp", "fixed", parent="world", child="rod")
    model.attachment("tip", body="rod", at="tip")
    model.input("F")
    model.force("pull", at="tip", direction=(0, 1, 0), magnitude="F")
    return eomc.build(model)


def test_equilibrium_and_simulation_beyond_small_slopes() -> None:
    """P l^2 / EI = 10: the slope at the tip is 5 by linear theory, 1.4 in truth."""
    rod = pulled()
    with pytest.warns(UserWarning, match=r"body 'rod' bends to a slope of [45]\.\d rad") as told:
        state = eomc.equilibrium(rod, inputs={"F": 10.0})
    assert len(told) == 1
    assert state.slopes == {"rod": pytest.approx(5.0, rel=0.2)}
    with pytest.warns(UserWarning, match="body 'rod' bends to a slope of") as told:
        run = eomc.simulate(rod, q={"rod_z1": 0.5}, t_span=0.1)
    assert len(told) == 1
    assert run.slopes["rod"] == pytest.approx(0.5 * TIP, rel=1e-3)


def test_small_slopes_are_silent() -> None:
    rod = pulled()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = eomc.equilibrium(rod, inputs={"F": 0.1})
        run = eomc.simulate(rod, q={"rod_y1": 0.02}, t_span=0.1)
    assert np.isfinite(run.q).all() and state.q[0] > 0


def test_small_is_where_the_elastica_is_off_by_two_per_cent() -> None:
    """P l^2 / EI = 2 SMALL: the slope of the linear beam is P / 2, its deflection P / 3."""
    errors = []
    for load in (2 * SMALL, 3 * SMALL):
        x, y, _ = elastica(load)
        errors.append((load / 3 / y - 1, 1 - x))
    np.testing.assert_allclose(errors, [(0.0180, 0.0104), (0.0398, 0.0225)], atol=5e-5)
    rod = pulled()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = eomc.equilibrium(rod, inputs={"F": 1.8 * SMALL})
    assert float(rod.frame_tip_pose(state.q)[1, 3]) == pytest.approx(
        elastica(1.8 * SMALL)[1], rel=0.02
    )
    with pytest.warns(UserWarning, match="the theory of small deflections holds to about 0.2"):
        eomc.equilibrium(rod, inputs={"F": 2.2 * SMALL})


def told_of(model: Model, y1: float, length: float = 1.0) -> float:
    """The slope of its body at amplitudes of y1, the length where it is a coordinate."""
    metadata = eomc.equations(model).program(functions=["neutral"]).metadata
    values = {"unit_y1": y1, "unit_length": length}
    names = [name for name in model.coordinates if name not in model.prescribed_coordinates()]
    return steepest(metadata, names, np.array([values[name] for name in names]))["unit"]


def test_telescopes_tell_their_slopes_by_their_length() -> None:
    """Free, held and prescribed: v' = phi'(s) y1 / length."""
    arm = TelescopicBeam(
        slewing_length=7.5,
        slewing_mass=200,
        deployable_length=7.5,
        deployable_mass=200,
        EI=5.5e5,
        length=10,
    )
    for how, length in (("free", 12.0), ("held", 8.0), ("prescribed", 10.0)):
        model = Model("arm", gravity=(0, 0, 0))
        model.deformable("unit", arm, fixed={"length": 8.0} if how == "held" else None)
        model.joint("clamp", "fixed", parent="world", child="unit")
        if how == "prescribed":
            model.prescribed("unit_length")
        assert told_of(model, 2.0, 12.0) == pytest.approx(TIP * 2 / length, rel=1e-3)


def test_what_is_held_of_a_beam_leaves_the_rest_to_be_told() -> None:
    model = Model("held", gravity=(0, 0, 0))
    model.deformable("unit", Beam(length=1, mass_per_length=1, EI=1, modes=(2, 0)), fixed={"y2": 0})
    model.joint("clamp", "fixed", parent="world", child="unit")
    assert told_of(model, 0.2) == pytest.approx(TIP * 0.2, rel=1e-3)


def test_a_truss_tells_how_far_its_members_turn() -> None:
    """A bar between supports that stretches turns nothing, the one across turns by v / l."""
    truss = Structure(planar=True)
    for name, place in (("a", (0, 0)), ("b", (0, 1)), ("c", (2, 0))):
        truss.node(name, place)
    for pair in ("ac", "bc"):
        truss.bar(*pair, Section(1e-4, 7800, 2.1e11))
    body = from_structure(truss, 2, supports={"a": "pinned", "b": "pinned"}, stations=["c"])
    moved = np.array(dict(body.stations)["c"][1], float)[:, :2]
    level, slanted = moved[:, 1] / 2, (2 * moved[:, 1] + moved[:, 0]) / 5
    steep = np.where(np.abs(level) > np.abs(slanted), level, slanted)
    for k, row in enumerate(steep):
        assert np.abs(np.array(body.slopes, float)[:, k]).max() == pytest.approx(abs(row))


def turntable(form: object) -> Model:
    """A body on two hinges in a row; its lowest frequency is 3.516 rad/s."""
    model = Model("turntable", gravity=(0, 0, 0))
    model.deformable("rod", form)
    model.body("ring", mass=1, inertia=(1, 1, 1))
    model.joint("first", "revolute", parent="world", child="ring", axis=(0, 0, 1))
    model.joint("second", "revolute", parent="ring", child="rod", axis=(0, 0, 1))
    model.prescribed("first")
    return model


def elements(stiffening: bool) -> object:
    structure = Structure(planar=True)
    structure.node("root", (0, 0))
    structure.node("tip", (1, 0))
    structure.beam("root", "tip", Section(1, 1, 1000, Iz=1e-3), 6)
    return from_structure(structure, 1, "root", stiffening=stiffening)


def rod(stiffening: bool) -> object:
    return Beam(length=1, mass_per_length=1, EI=1, stiffening=stiffening)


@pytest.mark.parametrize("form", [rod, elements])
def test_what_turns_fast_needs_geometric_stiffness(form: object) -> None:
    soft = eomc.build(turntable(form(False)))
    with pytest.warns(UserWarning, match=r"body 'rod' turns at up to 0\.57 of its lowest") as told:
        eomc.simulate(
            soft, u={"second": 0.8}, t_span=0.01, prescribed={"first": lambda t: (1.2 * t, 1.2, 0)}
        )
    assert len(told) == 1
    with pytest.warns(UserWarning, match=r"body 'rod' turns at up to 0\.4[23] of its lowest"):
        eomc.equilibrium(soft, u={"second": 1.5}, prescribed={"first": 0})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eomc.simulate(soft, u={"second": 1.0}, t_span=0.01, prescribed={"first": 0})
        stiff = eomc.build(turntable(form(True)))
        eomc.simulate(stiff, u={"second": 2.0}, t_span=0.01, prescribed={"first": 0})


def test_verification_tells_how_far_the_theory_holds() -> None:
    report = verify(turntable(rod(False)), quick=True, checks=["mass matrix"])
    slopes, rates = report.limits
    assert "its theory holds to slopes of about 0.2 rad" in slopes
    assert "it may turn at up to 1.1 rad/s, 0.3 of its lowest frequency" in rates
    assert "1.1 rad/s" in " ".join(str(report).split())
    assert rates in report.to_markdown()
    assert len(verify(turntable(rod(True)), quick=True, checks=["mass matrix"]).limits) == 1
