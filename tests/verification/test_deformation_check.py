"""Energies of beams are judged against integrals over the beam itself: none is believed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from verification.faults import Derivation, mutated

import eomc
from eomc.derive.bodies import Beam
from eomc.verifier.checks.derived.deformation import deformation
from eomc.verifier.subject.check import CheckOutcome

PLAIN = {"length": "l", "mass_per_length": 3.0, "EI": 50.0, "modes": (2, 0)}
FULL = {
    "length": 2.0,
    "mass_per_length": "3 + x",
    "EI": ("50*(1 - x/4)", 70.0),
    "EA": 1e4,
    "GJ": 30.0,
    "modes": (1, 1, 1, 1),
    "section_inertia": (0.02, 0.03, 0.01),
    "point_masses": (("tip", 2.0), (0.3, 1.0)),
    "stiffening": True,
}


def slewing(arguments: dict[str, Any]) -> eomc.Model:
    model = eomc.Model("slewing")
    model.parameter("l", 2.0)
    model.deformable("boom", Beam(**arguments))
    model.joint("hinge", "revolute", parent="world", child="boom", axis=(0, 0, 1))
    return model


def judged(arguments: dict[str, Any]) -> CheckOutcome:
    subject: Any = SimpleNamespace(declared=slewing(arguments), functions=(), seed=3)
    return deformation.outcome(subject)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [PLAIN, FULL], ids=["plain", "full"])
def test_sound_energies_agree(arguments: dict[str, Any]) -> None:
    outcome = judged(arguments)
    assert outcome.verdict == "pass"
    assert {c.state for c in outcome.comparisons} == {"at rest", "deformed"}


_BEAM = "eomc.derive.bodies.beam:Beam"

FAULTS = (
    Derivation(
        "mass integral of the modes",
        f"{_BEAM}._internal",
        "self._mass.bilinear(0, field, field)",
        "self._mass.bilinear(1, field, field)",
    ),
    Derivation(
        "stiffness",
        f"{_BEAM}.strain_energy",
        "half_form(self._stiffness, xi)",
        "1.001 * half_form(self._stiffness, xi)",
    ),
    Derivation(
        "section inertia on the wrong slope",
        f"{_BEAM}._sections",
        'self._field("z", 1, -1), self._field("y", 1)',
        'self._field("z", 1), self._field("y", 1)',
    ),
    Derivation(
        "moment of inertia of the deflection",
        f"{_BEAM}.invariants",
        "second(1, 1) + second(2, 2)",
        "second(1, 1) - second(2, 2)",
    ),
    Derivation("shortening forgotten in the inertia", f"{_BEAM}.invariants", "+ 2 * u1", "+ u1"),
    Derivation(
        "rates of amplitudes of a bent beam",
        "eomc.derive.bodies.beam_second_order:add_momenta",
        "mu.bilinear(0, fields[i], part)",
        "mu.bilinear(1, fields[i], part)",
    ),
    Derivation(
        "moment of what twist moves",
        "eomc.derive.bodies.beam_second_order:add_momenta",
        "[3 - i - k]",
        "[i]",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_a_wrong_integral_is_found(fault: Derivation) -> None:
    with mutated(fault):
        assert judged(FULL).verdict == "breach"


def test_bodies_without_a_line_are_skipped() -> None:
    model = eomc.Model("stone")
    model.body("stone", mass=1.0)
    subject: Any = SimpleNamespace(declared=model, functions=(), seed=0)
    assert deformation.outcome(subject).reason == "bodies that deform"


def test_verify_asks_it() -> None:
    report = eomc.verify(slewing(PLAIN), quick=True, checks=("deformation",))
    assert report.ok
