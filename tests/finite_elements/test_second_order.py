"""Geometric stiffness of structures: invariance, closed forms, and chains of flexible bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from bodies.test_beam_second_order import cross
from finite_elements.test_modal_reduction import L, crane, straight
from flexible.test_rotating_beam import WRIGHT
from scipy.linalg import eigh

import eomc
from eomc.derive.bodies import Beam
from eomc.derive.bodies.form import energy_of
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.language.errors import ModelError
from eomc.derive.model import Model


def test_a_turn_of_the_whole_strains_nothing() -> None:
    """V(turned d) = V(d) of second and third order: D(W, a, b) + a'.K b + a.K b' = 0 where the turn
    W by w takes displacements u to u + w x u and vectors r of rotations to r + w x r / 2."""
    structure, random = crane(), np.random.default_rng(5)
    stiffness, size = structure.stiffness(), len(structure.freedoms)
    motions = random.normal(size=(size, 2))
    forces = structure.second_forces(motions)[:, 0, 1]
    for w in np.eye(3):
        turn, turned = np.zeros(size), np.zeros((size, 2))
        for name, place in structure.nodes.items():
            rows = list(structure.indices(name).values())
            turn[rows] = [*np.cross(w, place), *w][: len(rows)]
            for half, part in ((1.0, rows[:3]), (0.5, rows[3:])):
                if part:
                    turned[part] = half * cross(w) @ motions[part]
        a, b = motions.T
        expected = -(turned[:, 0] @ stiffness @ b + a @ stiffness @ turned[:, 1])
        assert turn @ forces == pytest.approx(expected, rel=1e-9)
        assert abs(expected) > 1e-3 * abs(a @ stiffness @ b)


def turning(body: Any, w: Any) -> Any:
    """Squares of the frequencies of the body as it turns at w about its root."""
    size = len(body.coordinates)

    def energy(xi: Any) -> float:
        return float(energy_of(body.invariants(tuple(xi)), (0, 0, 0), w, (0.0,) * size))

    # Of second degree in xi, so that differences of unit steps are its second derivatives.
    unit, at_zero = np.eye(size), energy(np.zeros(size))
    once = np.array([energy(e) for e in unit])
    hessian = np.zeros((size, size))
    for j, k in zip(*np.tril_indices(size), strict=True):
        hessian[j, k] = hessian[k, j] = energy(unit[j] + unit[k]) - once[j] - once[k] + at_zero
    stiffness = np.array(body.stiffness, float) - hessian
    return eigh(stiffness, np.array(body.internal, float), eigvals_only=True)


@pytest.mark.slow
@pytest.mark.parametrize("ratio", WRIGHT)
def test_rotating_beam_of_elements(ratio: int) -> None:
    """Flapping by the table, in the plane of rotation the square of the rate less."""
    structure = straight(12)
    scale = np.sqrt(7e10 * 3e-10 / (2700 * 2e-3 * L**4))
    body = from_structure(structure, 16, "root", stiffening=True)
    speed = ratio * scale
    across = np.sqrt(turning(body, (0, speed, 0))) / scale  # u_y flaps, u_z is in the plane
    along = np.sqrt(turning(body, (0, 0, speed)) + speed**2) / scale
    for expected in WRIGHT[ratio]:
        for found in (across, along):
            assert np.min(np.abs(found / expected - 1)) < 2.5e-3


@pytest.mark.slow
def test_a_deep_beam_of_elements_buckles_sideways() -> None:
    """At P l^2 / sqrt(EI GJ) = 4.0126: Timoshenko and Gere, *Theory of Elastic Stability*, 6.3."""
    deep = Section(1e-3, 2700, 7e10, Iz=1e-9, Iy=1e-4, G=2.6e10, torsion=4e-9)
    body = from_structure(straight(20, deep), 12, "root", ["tip"], stiffening=True)
    xi = sympy.symbols(f"e1:{len(body.coordinates) + 1}")
    work = np.array(sympy.hessian(body.attachment("tip", xi).displacement[2], xi), float)
    stiffness = np.array(body.stiffness, float)
    load = 1 / np.abs(eigh(work, stiffness, eigvals_only=True)).max()
    critical = load * L**2 / np.sqrt(7e10 * 1e-9 * 2.6e10 * 4e-9)
    assert critical == pytest.approx(4.0126, rel=1e-3)


def test_a_free_structure_keeps_its_centre_of_mass() -> None:
    body = from_structure(straight(6, start=-L / 2), 3, stiffening=True)
    assert np.abs(np.array(body.first_second, float)).max() < 1e-6
    assert np.abs(np.array(body.inertia_second, float)).max() > 0.1


def test_second_order_is_asked_for() -> None:
    with pytest.raises(ModelError, match="stiffening is of second order"):
        from_structure(straight(2), 2, "root", stiffening=True, second_order=False)


CORNER = Section(2e-3, 2700, 7e10, Iz=3e-8, Iy=2e-8, G=2.6e10, torsion=3e-8)


AXIS, RATE = (0.48, 0.6, 0.64), 0.5


def frequencies(model: Model) -> tuple[Any, Any]:
    """[rad/s] of the three lowest modes; what slow steady rotation adds to their squares, by the
    square of the rate, about the equilibrium."""
    model.joint("hub", "revolute", parent="world", child=next(iter(model.deformables)), axis=AXIS)
    model.prescribed("hub")
    functions = ["mass_matrix", "inverse_dynamics", "inverse_dynamics_derivatives"]
    compiled, found = eomc.build(model, functions=functions), []
    for rate in (0.0, RATE):
        turning = ([0.0], [rate], [0.0])
        q = zero = np.zeros(len(compiled.coordinates))
        for _ in range(8):
            stiffness, damping = compiled.inverse_dynamics_derivatives(q, zero, zero, *turning)[:2]
            residual = compiled.inverse_dynamics(q, zero, zero, *turning)[: len(q)]
            q = q - np.linalg.solve(stiffness, residual)
        mass = compiled.mass_matrix(q, [0.0])
        below = -np.linalg.solve(mass, np.hstack([stiffness, damping]))
        unity = np.eye(len(q), 2 * len(q), len(q))
        squares = np.linalg.eigvals(np.vstack([unity, below])).imag
        found.append(np.sort(np.abs(squares))[::2][:3])
    return found[0], (found[1] ** 2 - found[0] ** 2) / RATE**2


@pytest.mark.slow
def test_a_rotating_frame_is_that_of_two_beams() -> None:
    """Two arms at a right angle in space: modes of elements against a chain of flexible bodies."""
    structure = Structure()
    for name, place in (("foot", (0, 0, 0)), ("top", (1, 0, 0)), ("end", (1, 1.2, 0))):
        structure.node(name, place)
    structure.beam("foot", "top", CORNER, 6, y_axis=(0, 1, 0))
    structure.beam("top", "end", CORNER, 6, y_axis=(-1, 0, 0))
    found = []
    for stiffening in (True, False):
        model = Model("frame", gravity=(0, 0, 0))
        model.deformable("frame", from_structure(structure, 10, "foot", stiffening=stiffening))
        found.append(frequencies(model))
    model = Model("arms", gravity=(0, 0, 0))
    arm = {
        "mass_per_length": 5.4,
        "EI": (2100, 1400),
        "GJ": 780,
        "EA": 1.4e8,
        "modes": (3, 3, 0, 2),
        "shapes": "clamped-free polynomials",
        "section_inertia": (1.35e-4, 5.4e-5, 8.1e-5),
        "stiffening": True,
    }
    model.deformable("first", Beam(length=1, **arm))
    model.deformable("second", Beam(length=1.2, **arm))
    placement = {"rpy": (0, 0, np.pi / 2)}
    model.joint("knee", "attachment", parent="first", child="second", at="tip", placement=placement)
    expected = frequencies(model)
    np.testing.assert_allclose(found[0][0], expected[0], rtol=1e-3)
    np.testing.assert_allclose(found[0][1], expected[1], rtol=1e-2)
    assert np.min(np.abs(found[1][1] / expected[1] - 1)) > 0.09, "without, it is another frame"
