"""Models with flexible bodies pass every check that models of rigid ones pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from eomc.derive.bodies import Beam, Form, TelescopicBeam
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.model import Model
from eomc.verifier.procedure import verify


def frame() -> Form:
    structure = Structure()
    for name, place in (("foot", (0, 0, 0)), ("top", (0.3, 1.0, 0)), ("end", (1.2, 1.1, 0.4))):
        structure.node(name, place)
    section = Section.tube(0.02, 0.018, 2700, 7e10, 2.6e10)
    structure.beam("foot", "top", section, 2)
    structure.beam("top", "end", section, 2)
    return from_structure(structure, 3, "foot", stations=["end"], damping=0.01, stiffening=True)


def boom() -> Form:
    return Beam(
        length=2,
        mass_per_length="1.5 + x/4",
        EI=(60, 40),
        EA=4000,
        GJ=9,
        modes=(1, 1, 1, 1),
        section_inertia=(0.03, 0.01, 0.02),
        stiffening=True,
        damping={"y1": 0.01},
    )


def telescope() -> Form:
    return TelescopicBeam(
        2, 1.5, 2, 1, EI=60, length=3, modes=(1, 1), payload=1, tip_mass_ratio=0.4, damping=0.01
    )


@pytest.mark.slow
@pytest.mark.parametrize("form", [boom, telescope, frame], ids=lambda form: form.__name__)
def test_flexible_models_are_verified(form: Callable[[], Form]) -> None:
    model = Model("arm", gravity=(0, -9.81, 0))
    model.deformable("arm", form())
    model.joint("hinge", "revolute", parent="world", child="arm", axis=(0, 0.6, 0.8))
    model.body("load", mass=0.8, com=(0.1, 0.05, 0), inertia=(0.02, 0.03, 0.025))
    station = "end" if form is frame else "tip"
    model.joint("grip", "attachment", parent="arm", child="load", at=station)
    report = verify(model, quick=True)
    assert report.ok, str(report)
