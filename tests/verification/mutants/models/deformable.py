"""Deformable bodies of every form, small."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from eomc.derive.bodies import Beam, Form, TelescopicBeam
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.model import Model


def _on_a_hinge(name: str, form: Callable[[], Form], at: str = "tip") -> Callable[[], Model]:
    """A load at the end of a form that swings."""

    def make() -> Model:
        model = Model(name, gravity=(0.4, -9.81, 0.3))
        model.deformable("arm", form())
        model.joint("hinge", "revolute", parent="world", child="arm", axis=(0, 0.6, 0.8))
        model.body("load", mass=0.8, com=(0.1, 0.05, 0), inertia=(0.02, 0.03, 0.025))
        model.joint("grip", "attachment", parent="arm", child="load", at=at)
        return model

    return make


def _boom() -> Form:
    """Second order in all ways a beam deforms."""
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


def _reed() -> Form:
    """Slender, with three modes."""
    return Beam(length=1.2, mass_per_length=0.5, EI=40, modes=(3, 0))


def _telescope(stiffening: bool = False) -> Form:
    return TelescopicBeam(
        2,
        1.5,
        2,
        1,
        EI=60,
        length=3,
        modes=(1, 0),
        payload=1,
        tip_mass_ratio=0.4,
        damping=0.01,
        stiffening=stiffening,
    )


def _bent_frame() -> Form:
    """Of finite elements."""
    structure = Structure()
    for name, place in (("foot", (0, 0, 0)), ("top", (0.3, 1.0, 0)), ("end", (1.2, 1.1, 0.4))):
        structure.node(name, place)
    section = Section.tube(0.02, 0.018, 2700, 7e10, 2.6e10)
    structure.beam("foot", "top", section, 1)
    structure.beam("top", "end", section, 1)
    return from_structure(structure, 1, stations=["end"], damping=0.01, stiffening=True)


def _rod(name: str, **more: Any) -> Model:
    model = Model(name, gravity=(0.4, -9.81, 0.3))
    given = {
        "length": 1.3,
        "mass_per_length": "0.7*(1 - x/4)",
        "EI": (1, 2),
        "GJ": 1.5,
        "damping": 0.02,
        "section_inertia": (0.03, 0.01, 0.02),
        "points": 3,
    }
    model.deformable("rod", "rod", **{**given, **more})
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 0.6, 0.8))
    return model


def whip() -> Model:
    """A rod that bends far, curved at rest, a bob at its side."""
    strains = {"twist": 1, "bend_z": {"kind": "b-spline", "degree": 1, "knots": []}}
    model = _rod("whip", strains=strains, curvature=(0, 0.2, 0.4))
    model.body("bob", mass=0.4, com=(0.1, 0.02, 0))
    model.joint("tip", "attachment", parent="rod", child="bob", at=1.1)
    return model


def finger() -> Model:
    """A rod that two tendons pull."""
    model = _rod("finger", strains={"bend_y": 1, "bend_z": 1}, order=4)
    model.input("pull")
    model.tendon(
        "flexor",
        body="rod",
        offset=("0.05 - x/50", "0.01*x**2"),
        start=0.2,
        end=1.1,
        stiffness=30,
        damping=2,
        width=0.01,
    )
    model.tendon("extensor", body="rod", offset=(-0.05, 0), law="pull + 5*x + v")
    return model


def bow() -> Model:
    """A rod that stretches and shears."""
    return _rod("bow", strains={"bend_z": 1, "stretch": 1, "shear_y": 1}, EA=400, GA=300)


MODELS: dict[str, Callable[[], Any]] = {
    "boom": _on_a_hinge("boom", _boom),
    "reed": _on_a_hinge("reed", _reed),
    "telescope": _on_a_hinge("telescope", _telescope),
    "spyglass": _on_a_hinge("spyglass", partial(_telescope, stiffening=True)),
    "bent_frame": _on_a_hinge("bent_frame", _bent_frame, "end"),
    "whip": whip,
    "finger": finger,
    "bow": bow,
}
