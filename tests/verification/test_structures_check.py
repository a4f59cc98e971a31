"""What deformable bodies are declared with is judged: shapes, damping, moments, members."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from verification.faults import Derivation, mutated
from verification.mutants.models import deformable, lines, structures

import eomc
from eomc.derive.bodies.modal_damping import modal_damping
from eomc.derive.model import Model
from eomc.verifier.checks.derived.deformation import deformation
from eomc.verifier.checks.derived.structures import structures as check
from eomc.verifier.subject.check import Check, CheckOutcome
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.mode_shapes import shape_functions

MODELS = {**structures.MODELS, **deformable.MODELS, "ribbon": lines.ribbon, "strip": lines.strip}


def judged(model: Model, by: Check = check) -> CheckOutcome:
    subject: Any = SimpleNamespace(
        declared=model, functions=(), seed=3, mechanism=mechanism(model), notes={}
    )
    return by.outcome(subject)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_sound_bodies_pass(name: str) -> None:
    model = MODELS[name]()
    outcome = judged(model)
    assert outcome.verdict == "pass", [(c.what, c.error) for c in outcome.breaches]
    assert judged(model, deformation).verdict in ("pass", "skipped")


def test_a_form_of_ones_own_is_believed() -> None:
    from verification.mutants.models.first import plank

    assert judged(plank()).verdict == "skipped"
    assert judged(eomc.Model("rigid")).verdict == "skipped"


_SHAPES, _MODAL = "eomc.derive.shapes", "eomc.derive.bodies.modal_body"
_TELESCOPIC = "eomc.derive.bodies.telescopic_beam:TelescopicBeam"
_ELEMENT = "eomc.derive.finite_elements.line_element"
_SECOND = "eomc.derive.finite_elements.second_order"

FAULTS = (
    Derivation(
        "shapes a little too large",
        f"{_SHAPES}.mode_shape:ModeShape.derivative",
        "return function.at(s)",
        "return function.at(s) * 1.001",
        "propped",
    ),
    Derivation(
        "sleeve at the tip",
        f"{_TELESCOPIC}.attachment",
        "self.slewing_length if place",
        "length if place",
        "telescope",
    ),
    Derivation(
        "no mass of the sliding link along x",
        f"{_TELESCOPIC}._internal",
        "last: Scalar = self.deployable_mass +",
        "last: Scalar = ",
        "telescope",
    ),
    Derivation(
        "stiffness without the length",
        f"{_TELESCOPIC}._stiffness",
        "length**3",
        "length**2",
        "telescope",
    ),
    Derivation(
        "damping in half",
        "eomc.derive.bodies.modal_damping:modal_damping",
        "2 * ratios[j]",
        "ratios[j]",
        "hub",
    ),
    Derivation("momentum of modes", f"{_MODAL}:_doubled", "+ second", "- second", "modal"),
    Derivation(
        "bar without strain",
        f"{_ELEMENT}:BarElement._strains",
        "-1 / self.length, 1",
        "-1 / self.length, 2",
        "roof",
    ),
    Derivation(
        "bending about the other axis",
        f"{_ELEMENT}:LineElement._moduli",
        "(section.E * section.Iz, section.E * section.Iy)",
        "(section.E * section.Iy, section.E * section.Iz)",
        "frame",
    ),
    Derivation(
        "section inertia",
        f"{_ELEMENT}:LineElement.material",
        "section.density * self.length",
        "section.density / self.length",
        "frame",
    ),
    Derivation(
        "stiffening shared otherwise", f"{_SECOND}:displacements", "(1 - shared)", "shared", "frame"
    ),
    Derivation(
        "links that lengthen",
        "eomc.derive.finite_elements.structure:Structure._links_of",
        "bent[:3] -=",
        "bent[:3] +=",
        "jig",
    ),
    Derivation(
        "stiffness of strains",
        "eomc.derive.rods.properties:quadratic_form",
        "(2 if j == k else 1)",
        "2",
        "ribbon",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_a_fault_is_found(fault: Derivation) -> None:
    with mutated(fault):
        assert judged(MODELS[fault.model]()).verdict == "breach"


@cache
def _end(family: str) -> list[float]:
    form = SimpleNamespace(shapes=family, tip_mass_ratio=0.5, hub_inertia_ratio=0.5)
    (shape,) = shape_functions(form, "y", 1)
    return [float(shape(np.array([1.0]), order)[0]) for order in (0, 2)]


def test_ritz_meets_closed_forms() -> None:
    """A cantilever's mode of mean square 1 has the tip 2, and no moment there."""
    assert _end("clamped-free") == pytest.approx([2.0, 0.0], abs=1e-9)
    assert _end("free-free") == pytest.approx([2.0, 0.0], abs=1e-9)
    assert _end("clamped-free polynomials") == pytest.approx([5**0.5, 2 * 5**0.5], abs=1e-9)


def test_modes_that_nothing_couples_keep_their_damping_ratios() -> None:
    """By hand: z at sqrt(5) rad/s lies between y1 and y2, and has its own ratio."""
    mass = [[1.0, 0.3, 0], [0.3, 1.2, 1e-17], [0, 1e-17, 2.0]]
    stiffness = [[4.0, 0, 0], [0, 90.0, 0], [0, 0, 10.0]]
    found = np.array(modal_damping(mass, stiffness, [0.01, 0.02, 0.05], ["y1", "y2", "z1"]))
    assert found[2] == pytest.approx([0, 0, 2 * 0.05 * 20**0.5], abs=1e-12)
    plane = modal_damping(
        [row[:2] for row in mass[:2]],
        [row[:2] for row in stiffness[:2]],
        [0.01, 0.02],
        ["y1", "y2"],
    )
    assert found[:2, :2] == pytest.approx(np.array(plane), abs=1e-12)
