"""Frequencies of compiled flexible systems against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.optimize import brentq

import eomc
from eomc.derive.bodies import Beam
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.model import Model

pytestmark = pytest.mark.variants

FUNCTIONS = ("mass_matrix", "inverse_dynamics_derivatives", "neutral")
L, MU, EI = 2.0, 1.5, 60.0
SCALE = math.sqrt(EI / (MU * L**4))


def frequencies(model: Model) -> Any:
    """Of small motion about rest, from the compiled mass and stiffness matrices."""
    compiled = eomc.build(model, functions=FUNCTIONS)
    q, zero = compiled.neutral(), np.zeros(len(compiled.speeds))
    stiffness = compiled.inverse_dynamics_derivatives(q, zero, zero)[0]
    squares = eigh((stiffness + stiffness.T) / 2, compiled.mass_matrix(q), eigvals_only=True)
    return np.sqrt(np.maximum(squares, 0))


def system(form: Any, kind: str = "fixed", **joint: Any) -> Model:
    model = Model("beam", gravity=(0, 0, 0))
    model.deformable("boom", form)
    model.joint("base", kind, parent="world", child="boom", **joint)
    return model


def beam(modes: Any, **changes: Any) -> Beam:
    return Beam(length=L, mass_per_length=MU, EI=EI, modes=modes, **changes)


def test_cantilever() -> None:
    got = frequencies(system(beam((3,))))
    exact = np.array([1.8751040687119611, 4.694091132974175, 7.854757438237613]) ** 2 * SCALE
    assert got == pytest.approx(exact, rel=1e-10)


def test_free_beam_by_its_own_shapes_and_by_those_of_a_cantilever() -> None:
    """The second way all of the coupling with the frame is at work."""
    exact = np.array([4.730040744862704, 7.853204624095838]) ** 2 * SCALE
    free = frequencies(system(beam((2,), shapes="free-free", origin="middle"), "planar"))
    assert free[:3] == pytest.approx(np.zeros(3), abs=1e-6)
    assert free[3:] == pytest.approx(exact, rel=1e-10)
    got = [frequencies(system(beam((n,)), "planar"))[3:5] / exact - 1 for n in (4, 8)]
    assert np.all(got[1] > -1e-9)
    assert np.all(got[1] < got[0])
    assert np.all(got[1] < 2e-3)


def test_pinned_beam_hangs_by_a_revolute_joint() -> None:
    """Pinned-free: tan L = tanh L, by cantilever shapes and the turn of the hinge."""
    exact = np.array([3.926602312047919, 7.068582745628732]) ** 2 * SCALE
    got = frequencies(system(beam((8,)), "revolute", axis=(0, 0, 1)))
    assert got[0] == pytest.approx(0, abs=1e-6)
    assert got[1:3] == pytest.approx(exact, rel=2e-3)


@pytest.mark.parametrize("ratio", [0.5, 4.0])
def test_a_mass_at_the_tip(ratio: float) -> None:
    """cos cosh + 1 = ratio L (sin cosh - cos sinh), with the mass a body of the model."""

    def equation(x: float) -> float:
        free = math.cos(x) * math.cosh(x) + 1
        inertia = math.sin(x) * math.cosh(x) - math.cos(x) * math.sinh(x)
        return free - ratio * x * inertia

    exact = brentq(equation, 0.3, 1.9, xtol=1e-13) ** 2 * SCALE
    for shapes, error in (("tip-mass", 1e-9), ("clamped-free", 3e-4)):
        model = system(
            beam((1 if shapes == "tip-mass" else 6,), shapes=shapes, tip_mass_ratio=ratio)
        )
        model.body("weight", mass=ratio * MU * L)
        model.joint("mount", "attachment", parent="boom", child="weight", at="tip")
        assert frequencies(model)[0] == pytest.approx(exact, rel=error)


@pytest.mark.slow
def test_an_inertia_at_the_tip() -> None:
    """Two halves joined at the tip of the first are one beam: frequencies in all directions."""
    half = {"length": L / 2, "mass_per_length": MU, "EI": EI, "EA": 4e4, "GJ": 30.0}
    half["section_inertia"] = (0.01, 0, 0)
    # admissible functions that can bend and shear where the halves meet
    powers = {"y": [f"s**{n}" for n in range(2, 7)], "z": [f"s**{n}" for n in range(2, 7)]}
    powers |= {"axial": ["s", "s**2"], "torsion": ["s", "s**2"]}
    model = Model("chain", gravity=(0, 0, 0))
    for name in ("inner", "outer"):
        model.deformable(name, Beam(modes=(5, 5, 2, 2), shapes=powers, **half))
    model.joint("base", "fixed", parent="world", child="inner")
    model.joint("weld", "attachment", parent="inner", child="outer", at="tip")
    got = frequencies(model)
    bending = np.array([1.8751040687119611, 4.694091132974175, 7.854757438237613]) ** 2 * SCALE
    axial = (math.pi / 2) * math.sqrt(4e4 / MU) / L
    torsion = (math.pi / 2) * math.sqrt(30.0 / 0.01) / L
    for exact in (*bending, axial, torsion):
        nearest = got[np.argmin(np.abs(got - exact))]
        assert nearest == pytest.approx(exact, rel=1e-3)
    assert got[:4] == pytest.approx(np.repeat(bending[:2], 2), rel=1e-4)


def test_a_frame_of_finite_elements_on_a_hinge() -> None:
    """A reduced structure in a model against its full matrices with the hinge's freedom."""
    section = Section(2e-3, 2700, 7e10, Iz=3e-9, Iy=1e-9, G=2.6e10, torsion=2e-9)
    structure = Structure(planar=True)
    for name, place in (("foot", (0, 0)), ("knee", (0.8, 0.9)), ("hand", (2.0, 0.5))):
        structure.node(name, place)
    structure.beam("foot", "knee", section, 4)
    structure.beam("knee", "hand", section, 4)
    structure.mass("hand", 1.5)
    m, k = structure.mass_matrix(), structure.stiffness()
    foot = structure.indices("foot")
    kept = [i for i in range(m.shape[0]) if i not in (foot["ux"], foot["uy"])]
    exact = np.sqrt(
        np.maximum(eigh(k[np.ix_(kept, kept)], m[np.ix_(kept, kept)], eigvals_only=True), 0)
    )
    body = from_structure(structure, 10, "foot")
    got = frequencies(system(body, "revolute", axis=(0, 0, 1)))
    assert got[0] == pytest.approx(0, abs=1e-4)
    assert got[1:5] == pytest.approx(exact[1:5], rel=1e-4)
