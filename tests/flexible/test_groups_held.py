"""Every kind of deformable body: any group of its coordinates may be held, and leaves the state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynamics.evaluation import value

import eomc
from eomc.derive.bodies import Beam, Form, TelescopicBeam
from eomc.derive.equations import Equations
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.model import Model


def frame() -> Form:
    structure = Structure()
    for name, place in {"foot": (0, 0, 0), "top": (0, 0, 2), "tip": (1.5, 0, 2.2)}.items():
        structure.node(name, place)
    tube = Section.tube(outer=0.04, inner=0.036, density=2700, E=7e10, G=2.6e10)
    structure.beam("foot", "top", tube, elements=2)
    structure.beam("top", "tip", tube, elements=2)
    return from_structure(structure, modes=3, root="foot", stations=["tip"], damping=0.01)


BEAM = Beam(
    length=2,
    mass_per_length=3,
    EI=50,
    EA=900,
    GJ=20,
    modes=(2, 1, 1, 1),
    section_inertia=(0.02, 0.01, 0.01),
    damping=0.02,
    stiffening=True,
)
TELESCOPE = TelescopicBeam(2.4, 3.0, 2.0, 1.3, EI=40, length=3, modes=(1, 1), damping=0.02)
GROUPS: dict[str, tuple[Form, dict[str, float]]] = {
    "bending of a beam": (BEAM, {"y1": 0.0, "y2": 0.0, "z1": 0.0}),
    "stretch and torsion": (BEAM, {"axial1": 0.0, "torsion1": 0.1}),
    "one mode": (BEAM, {"y2": 0.05}),
    "length of a telescope": (TELESCOPE, {"length": 3.5}),
    "bending of a telescope": (TELESCOPE, {"y1": 0.0, "z1": 0.0}),
    "all of a telescope": (TELESCOPE, dict(zip(TELESCOPE.coordinates, (0, 0, 3.0), strict=True))),
    "modes of finite elements": (frame(), {"e1": 0.0, "e3": 0.0}),
    "all modes of finite elements": (frame(), {"e1": 0.0, "e2": 0.0, "e3": 0.0}),
}


def crane(form: Form) -> Model:
    model = Model("crane", gravity=(0.3, -1, -9))
    model.body("hub", mass=2, inertia=(1, 1, 1))
    model.joint("slew", "revolute", parent="world", child="hub", axis=(0, 0, 1))
    model.deformable("boom", form)
    model.joint("luff", "revolute", parent="hub", child="boom", axis=(0, 1, 0))
    model.body("load", mass=1.5, com=(0.2, 0, 0.1), inertia=(0.1, 0.2, 0.2))
    model.joint("grip", "attachment", parent="boom", child="load", at="tip")
    return model


def state(equations: Equations, form: Form, held: dict[str, float]) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    q, u, a = (0.1 * rng.normal(size=len(equations.speeds)) for _ in range(3))
    for short, reference in zip(form.coordinates, form.neutral, strict=True):
        place = equations.coordinates.index(f"boom_{short}")
        q[place] += reference
        if short in held:
            q[place], u[place], a[place] = held[short], 0.0, 0.0
    return {"q": q, "u": u, "a": a}


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_what_is_held_leaves_the_state_and_nothing_else_changes(group: str) -> None:
    """Rows of the rest as in the whole model, what is held at its value and at rest."""
    form, held = GROUPS[group]
    whole = eomc.equations(crane(form))
    rest = eomc.equations(crane(form).rigidified("boom", held))
    gone = {f"boom_{name}" for name in held}
    kept = [k for k, name in enumerate(whole.speeds) if name not in gone]
    assert rest.speeds == tuple(whole.speeds[k] for k in kept)
    assert rest.coordinates == rest.speeds
    at = state(whole, form, held)
    left = {name: entries[kept] for name, entries in at.items()}
    expected = value(whole, "inverse_dynamics", **at)[kept]
    assert value(rest, "inverse_dynamics", **left) == pytest.approx(expected, rel=1e-11, abs=1e-11)
    mass = value(whole, "mass_matrix", q=at["q"])[np.ix_(kept, kept)]
    got = value(rest, "mass_matrix", q=left["q"])
    assert got == pytest.approx(mass, rel=1e-11, abs=1e-11)


def test_a_flexible_joint_may_be_locked() -> None:
    """Rotor and link then turn as one: the compliance leaves the state."""
    model = Model("drive")
    model.body("link", mass=2, com=(0.4, 0, 0), inertia=(0.1, 0.2, 0.3))
    model.body("rotor", inertia=(0.03, 0.03, 0.05))
    model.joint("motor", "revolute", parent="world", child="rotor", axis=(0, 0, 1))
    model.joint("twist", "revolute", parent="rotor", child="link", axis=(0, 0, 1), locked=0)
    model.joint_spring("compliance", joint="twist", stiffness=900)
    locked = eomc.equations(model)
    assert locked.speeds == ("motor",)
    # Steiner: 0.3 + 2*0.4^2 + 0.05
    assert value(locked, "mass_matrix", q=[0.7]) == pytest.approx(np.array([[0.67]]), rel=1e-14)
