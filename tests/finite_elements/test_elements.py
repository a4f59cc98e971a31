"""Elements and assembled structures against textbook matrices and closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from eomc.derive.finite_elements import (
    BarElement,
    BeamElement,
    Section,
    Structure,
    free_modes,
    lowest_modes,
)
from eomc.derive.language.errors import ModelError

SECTION = Section(area=2e-3, density=2700, E=7e10, Iz=3e-7, Iy=1e-7, G=2.6e10, torsion=2e-7)
O = np.zeros(3)  # noqa: E741


def test_stiffness_of_a_beam_element() -> None:
    """Przemieniecki, (5.116) without shear."""
    length = 0.8
    k = BeamElement(O, np.array([length, 0, 0]), SECTION).stiffness()
    ez, ey = 7e10 * 3e-7, 7e10 * 1e-7
    expected = {
        (0, 0): 7e10 * 2e-3 / length,
        (0, 6): -7e10 * 2e-3 / length,
        (1, 1): 12 * ez / length**3,
        (1, 5): 6 * ez / length**2,
        (1, 7): -12 * ez / length**3,
        (1, 11): 6 * ez / length**2,
        (2, 2): 12 * ey / length**3,
        (2, 4): -6 * ey / length**2,
        (2, 10): -6 * ey / length**2,
        (3, 3): 2.6e10 * 2e-7 / length,
        (3, 9): -2.6e10 * 2e-7 / length,
        (4, 4): 4 * ey / length,
        (4, 8): 6 * ey / length**2,
        (4, 10): 2 * ey / length,
        (5, 5): 4 * ez / length,
        (5, 7): -6 * ez / length**2,
        (5, 11): 2 * ez / length,
        (1, 2): 0,
        (0, 1): 0,
    }
    for (i, j), value in expected.items():
        assert k[i, j] == pytest.approx(value, rel=1e-12, abs=1e-6)
        assert k[j, i] == pytest.approx(value, rel=1e-12, abs=1e-6)


def test_consistent_mass_of_a_beam_element() -> None:
    """Przemieniecki, (11.33): rho A l / 420 (156, 22 l, 54, -13 l, 4 l^2, -3 l^2)."""
    length, section = 0.7, Section(area=3e-3, density=2000, E=1)
    m = BeamElement(O, np.array([length, 0, 0]), section).mass() / (2000 * 3e-3 * length)
    expected = {
        (0, 0): 1 / 3,
        (0, 6): 1 / 6,
        (1, 1): 156 / 420,
        (1, 5): 22 * length / 420,
        (1, 7): 54 / 420,
        (1, 11): -13 * length / 420,
        (5, 5): 4 * length**2 / 420,
        (5, 11): -3 * length**2 / 420,
        (2, 4): -22 * length / 420,
        (2, 10): 13 * length / 420,
        (3, 3): 0,
    }
    for (i, j), value in expected.items():
        assert m[i, j] == pytest.approx(value, abs=1e-14)


def test_rotary_inertia() -> None:
    """Przemieniecki, (11.33): 6 I/(5 A l^2), I/(10 A l), 2 I/(15 A); polar (J/A)(1/3, 1/6)."""
    length, section = 0.7, Section(area=3e-3, density=2000, E=1, Iz=2e-5, Iy=1e-5)
    plain = Section(area=3e-3, density=2000, E=1)
    end = np.array([length, 0, 0])
    m = BeamElement(O, end, section).mass() - BeamElement(O, end, plain).mass()
    rho = 2000.0
    assert m[1, 1] == pytest.approx(6 * rho * 2e-5 / (5 * length))
    assert m[1, 5] == pytest.approx(rho * 2e-5 / 10)
    assert m[5, 5] == pytest.approx(2 * rho * 2e-5 * length / 15)
    assert m[2, 2] == pytest.approx(6 * rho * 1e-5 / (5 * length))
    assert m[3, 3] == pytest.approx(rho * 3e-5 * length / 3)
    assert m[3, 9] == pytest.approx(rho * 3e-5 * length / 6)


@pytest.mark.parametrize("kind", [BarElement, BeamElement])
def test_elements_anywhere(kind: Any) -> None:
    """Rigid motion strains nothing and has the inertia of a rod; energy does not see axes."""
    start, end = np.array([0.3, -1, 2]), np.array([1.1, 0.5, 1.2])
    element = kind(start, end, SECTION, (0.2, 0.1, 1.0))
    random = np.random.default_rng(0)
    v, w = random.normal(size=3), random.normal(size=3)
    nodes = [np.concatenate([v + np.cross(w, place), w])[: kind.freedoms] for place in (start, end)]
    motion = np.concatenate(nodes)
    size = np.linalg.norm(element.stiffness()) * np.linalg.norm(motion)
    assert np.linalg.norm(element.stiffness() @ motion) < 1e-13 * size
    # kinetic energy of a rod, slender but for the turning of the sections of a beam
    mass, length = 2700 * 2e-3 * element.length, element.length
    middle = v + np.cross(w, (start + end) / 2)
    x, y, z = element.axes @ w
    turning = mass * length**2 / 12 * (y**2 + z**2)
    if kind is BeamElement:
        turning += 2700 * length * (4e-7 * x**2 + 1e-7 * y**2 + 3e-7 * z**2)
    energy = 0.5 * motion @ element.mass() @ motion
    assert energy == pytest.approx(0.5 * mass * middle @ middle + 0.5 * turning, rel=1e-12)


def cantilever(elements: int, planar: bool = False) -> Structure:
    structure = Structure(planar)
    structure.node("root", (0, 0, 0))
    structure.node("tip", (2, 0, 0))
    section = Section(2e-3, 2700, 7e10, Iz=3e-7 * 1e-3, Iy=1e-7 * 1e-3, G=2.6e10, torsion=2e-10)
    structure.beam("root", "tip", section, elements)
    return structure


def held(structure: Structure, node: str, count: int) -> Any:
    kept = [i for i, (name, _) in enumerate(structure.freedoms) if name != node]
    m, k = structure.mass_matrix(), structure.stiffness()
    squares, _ = lowest_modes(m[np.ix_(kept, kept)], k[np.ix_(kept, kept)], count)
    return np.sqrt(squares)


def test_frequencies_of_beams() -> None:
    """Closed forms; errors fall with the fourth power of the mesh (second for shafts)."""
    mu, length = 2700 * 2e-3, 2.0
    scale = math.sqrt(7e10 * 3e-10 / (mu * length**4))
    exact = [root**2 * scale for root in (1.8751040687, 4.6940911330)]
    errors = []
    for n in (5, 10):
        got = held(cantilever(n, planar=True), "root", 2)
        errors.append(np.abs(got / exact - 1))
    assert errors[1][0] < 1e-6
    assert errors[1][1] < 4e-5
    assert errors[0][1] / errors[1][1] == pytest.approx(16, rel=0.15)
    # both planes, and free-free
    got = held(cantilever(12), "root", 2)
    assert got[0] == pytest.approx(exact[0] / math.sqrt(3), rel=1e-4)
    structure = cantilever(24, planar=True)
    squares, _ = free_modes(structure.mass_matrix(), structure.stiffness(), 2, rigid=3)
    expected = [root**2 * scale for root in (4.7300407449, 7.8532046241)]
    assert np.sqrt(squares) == pytest.approx(expected, rel=2e-5)


def test_statics_of_a_frame() -> None:
    """Portal of two columns and a beam of one stiffness under a push at its corner: by hand,
    sway = F h^3 (3 k + 2) / (12 EI (6 k + 1)) with k = (I_b / I_c) (h / l)."""
    height, width, push = 3.0, 4.0, 1000.0
    section = Section(1e6, 1.0, 2e11, Iz=4e-6)  # no stretch
    structure = Structure(planar=True)
    for name, place in (
        ("a", (0, 0)),
        ("b", (0, height)),
        ("c", (width, height)),
        ("d", (width, 0)),
    ):
        structure.node(name, place)
    for first, second in (("a", "b"), ("b", "c"), ("c", "d")):
        structure.beam(first, second, section)
    k = structure.stiffness()
    kept = [i for i, (name, _) in enumerate(structure.freedoms) if name in "bc"]
    load = np.zeros(k.shape[0])
    load[structure.indices("b")["ux"]] = push
    moved = np.zeros(k.shape[0])
    moved[kept] = np.linalg.solve(k[np.ix_(kept, kept)], load[kept])
    ratio = height / width
    sway = push * height**3 * (3 * ratio + 2) / (12 * 2e11 * 4e-6 * (6 * ratio + 1))
    assert moved[structure.indices("b")["ux"]] == pytest.approx(sway, rel=1e-4)


def test_statics_of_a_truss() -> None:
    """Two bars of 45 degrees: sink = P l / (2 EA cos^2), by hand."""
    structure = Structure()
    for name, place in (("a", (0, 1, 0)), ("b", (0, -1, 0)), ("c", (1, 0, 0))):
        structure.node(name, place)
    section = Section(1e-4, 7800, 2e11)
    structure.bar("a", "c", section)
    structure.bar("b", "c", section)
    assert len(structure.freedoms) == 9
    index = structure.indices("c")
    k = structure.stiffness()
    plane = [index["ux"], index["uy"]]
    moved = np.linalg.solve(k[np.ix_(plane, plane)], [500.0, 0.0])
    assert moved[0] == pytest.approx(500 * math.sqrt(2) / (2 * 2e11 * 1e-4 * 0.5))
    assert moved[1] == pytest.approx(0, abs=1e-12)


def test_lumped_masses() -> None:
    structure = cantilever(2)
    structure.mass("tip", 3.0, inertia=(0.1, 0.2, 0.3))
    plain = cantilever(2).mass_matrix()
    difference = structure.mass_matrix() - plain
    index = list(structure.indices("tip").values())
    expected = np.diag([3, 3, 3, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(difference[np.ix_(index, index)], expected, atol=1e-14)
    assert np.count_nonzero(np.abs(difference) > 1e-14) == 6


def test_bad_structures() -> None:
    structure = cantilever(2)
    for call, message in (
        (lambda: structure.node("tip", (0, 0, 0)), "node 'tip' is already there"),
        (lambda: structure.node("n", (0, 0, math.nan)), "node 'n': give three finite numbers"),
        (lambda: structure.bar("root", "tipp", SECTION), "element root-tipp: no node 'tipp'; did"),
        (lambda: structure.bar("root", "root", SECTION), "element root-root: its nodes are at one"),
        (lambda: structure.beam("root", "tip", SECTION, 0), "root-tip: 0 elements"),
        (lambda: structure.mass("tip", -1), "mass at node 'tip'"),
        (lambda: Structure(planar=True).node("a", (0, 0, 1)), "a planar structure has z = 0"),
        (lambda: Section(0, 1, 1), "section: area is 0; give a number > 0"),
        (lambda: Section(1, 1, 1, Iz=-1), "section: Iz is -1"),
    ):
        with pytest.raises(ModelError, match=message):
            call()
    other = cantilever(1)
    other.node("top", (0, 0, 1))
    with pytest.raises(ModelError, match=r"y_axis .* is along the element"):
        other.beam("root", "top", SECTION, y_axis=(0, 0, 1))
