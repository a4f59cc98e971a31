"""Bodies beyond the range of their theory: what runs says so, once, with body and how far."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import eomc
from eomc import Model
from eomc.derive.bodies import Beam
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.verify.procedure import verify


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
        run = eomc.simulate(rod, q={"rod_z1": 0.5}, t=0.1)
    assert len(told) == 1
    assert run.slopes["rod"] == pytest.approx(0.5 * 2.7530, rel=1e-3)  # phi'(1) of the first mode


def test_small_slopes_are_silent() -> None:
    rod = pulled()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = eomc.equilibrium(rod, inputs={"F": 0.1})
        run = eomc.simulate(rod, q={"rod_y1": 0.02}, t=0.1)
    assert np.isfinite(run.q).all() and state.q[0] > 0


def turntable(form: object) -> Model:
    """A body on two hinges in a row; its lowest frequency is 3.516 rad/s."""
    model = Model("turntable", gravity=(0, 0, 0))
    model.deformable("rod", form)
    model.body("ring", mass=1, inertia=(1, 1, 1))
    model.joint("first", "revolute", parent="world", child="ring", axis=(0, 0, 1))
    model.joint("second", "revolute", parent="ring", child="rod", axis=(0, 0, 1))
    model.prescribe("first")
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
            soft, u={"second": 0.8}, t=0.01, motion={"first": lambda t: (1.2 * t, 1.2, 0)}
        )
    assert len(told) == 1
    with pytest.warns(UserWarning, match=r"body 'rod' turns at up to 0\.4[23] of its lowest"):
        eomc.equilibrium(soft, u={"second": 1.5}, motion={"first": 0})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eomc.simulate(soft, u={"second": 1.0}, t=0.01, motion={"first": 0})
        stiff = eomc.build(turntable(form(True)))
        eomc.simulate(stiff, u={"second": 2.0}, t=0.01, motion={"first": 0})


def test_verification_tells_how_far_the_theory_holds() -> None:
    report = verify(turntable(rod(False)), quick=True, checks=["mass matrix"])
    slopes, rates = report.limits
    assert "its theory holds to slopes of about 0.3 rad" in slopes
    assert "it may turn at up to 1.1 rad/s, 0.3 of its lowest frequency" in rates
    assert "1.1 rad/s" in " ".join(str(report).split())
    assert rates in report.to_markdown()
    assert len(verify(turntable(rod(True)), quick=True, checks=["mass matrix"]).limits) == 1
