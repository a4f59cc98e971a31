"""Textbook derivations by SymPy's LagrangesMethod: accelerations, and multipliers with their sign.

M u' + c = tau + G^T lambda here; SymPy's equations have the same sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from constraints.mechanisms import LENGTHS, four_bar
from constraints.values import Values, near
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from eomc.binding.arrays import Array
from eomc.derive.model import Model

G = 9.81


def _turned(angle: Any, x: Any, y: Any = 0) -> sp.Matrix:
    return sp.Matrix([sp.cos(angle) * x - sp.sin(angle) * y, sp.sin(angle) * x + sp.cos(angle) * y])


def _energy(place: sp.Matrix, angle: Any, mass: float, inertia: float) -> tuple[Any, Any]:
    t = dynamicsymbols._t
    velocity = place.diff(t)
    kinetic = mass * velocity.dot(velocity) / 2 + inertia * sp.sympify(angle).diff(t) ** 2 / 2
    return kinetic, mass * G * place[1]


def _solved(
    q: list[Any],
    kinetic: Any,
    potential: Any,
    closing: list[Any],
    forces: Any,
    at: Array,
    rates: Array,
) -> tuple[Array, Array]:
    """Accelerations and multipliers in numbers."""
    lagrangian = kinetic - potential
    method = LagrangesMethod(
        lagrangian,
        q,
        hol_coneqs=closing,
        forcelist=[],
        frame=sp.physics.mechanics.ReferenceFrame("N"),
    )
    method.form_lagranges_equations()
    t = dynamicsymbols._t
    values = dict(zip([x.diff(t) for x in q], rates.tolist(), strict=True))
    values |= dict(zip(q, at.tolist(), strict=True))
    full = np.array(method.mass_matrix_full.subs(values).evalf(), dtype=float)
    right = np.array(method.forcing_full.subs(values).evalf(), dtype=float).ravel()
    n = len(q)
    right[n : 2 * n] += forces
    solution = np.linalg.solve(full, right)
    return solution[n : 2 * n], solution[2 * n :]


def test_four_bar() -> None:
    """Relative angles; the closing vector in the axes of the coupler."""
    values = Values(four_bar())
    names = list(values.equations.coordinates)
    q = [dynamicsymbols(name) for name in names]
    a, b, d = (q[names.index(name)] for name in "abd")
    kinetic = potential = 0
    crank, coupler, rocker = (LENGTHS[name] for name in ("crank", "coupler", "rocker"))
    corner = _turned(a, crank)
    foot = sp.Matrix([2, 0])
    for place, angle, length in (
        (_turned(a, crank / 2), a, crank),
        (corner + _turned(a + b, coupler / 2), a + b, coupler),
        (foot + _turned(d, rocker / 2), d, rocker),
    ):
        t_k, v_k = _energy(place, angle, 2 * length, length**3 / 6)
        kinetic, potential = kinetic + t_k, potential + v_k
    gap = foot + _turned(d, rocker) - corner - _turned(a + b, coupler)
    closing = list(_turned(-(a + b), gap[0], gap[1]))
    at = values.closed(np.array([1.0, -0.5, 1.5]))
    rates = values.consistent(at, np.array([0.7, -0.3, 0.4]))
    tau = np.array([0.5, -1.2, 0.8])
    accelerations, multipliers = values(
        "constrained_dynamics", q=at, u=rates, tau=tau, stabilization=[0.0]
    )
    expected = _solved(q, kinetic, potential, closing, tau, at, rates)
    assert near(accelerations, expected[0], 1e-11)
    assert near(multipliers, expected[1], 1e-11)
    names_of_rows = values.equations.system(()).constraints.names
    assert names_of_rows == ("c.force_x", "c.force_y")


def slider_crank() -> Model:
    model = Model("slider_crank", gravity=(0, -G, 0))
    model.body("crank", mass=1.5, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.04))
    model.body("rod", mass=0.9, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.07))
    model.body("piston", mass=2.0, inertia=(0.1, 0.1, 0.1))
    model.joint("turn", "revolute", parent="world", child="crank", axis=(0, 0, 1))
    model.joint(
        "pin", "revolute", parent="crank", child="rod", axis=(0, 0, 1), placement=(0.4, 0, 0)
    )
    model.joint("slide", "prismatic", parent="world", child="piston", axis=(1, 0, 0))
    model.joint(
        "wrist",
        "revolute",
        parent="piston",
        child="rod",
        axis=(0, 0, 1),
        child_placement=(1.0, 0, 0),
        cut=True,
    )
    return model


def test_slider_crank() -> None:
    """The piston's multiplier is the force of the rod on it, less a sign."""
    values = Values(slider_crank())
    names = list(values.equations.coordinates)
    q = [dynamicsymbols(name) for name in names]
    turn, pin, slide = (q[names.index(name)] for name in ("turn", "pin", "slide"))
    corner = _turned(turn, 0.4)
    kinetic = potential = 0
    for place, angle, mass, inertia in (
        (_turned(turn, 0.2), turn, 1.5, 0.04),
        (corner + _turned(turn + pin, 0.5), turn + pin, 0.9, 0.07),
        (sp.Matrix([slide, 0]), 0, 2.0, 0.0),
    ):
        t_k, v_k = _energy(place, angle, mass, inertia)
        kinetic, potential = kinetic + t_k, potential + v_k
    closing = list(corner + _turned(turn + pin, 1.0) - sp.Matrix([slide, 0]))
    start = np.zeros(3)
    start[[names.index(n) for n in ("turn", "pin", "slide")]] = 0.8, -1.1, 1.2
    at = values.closed(start)
    rates = values.consistent(at, np.array([1.7, -0.3, 0.4]))
    tau = np.array([0.5, -1.2, 0.8])
    accelerations, multipliers = values(
        "constrained_dynamics", q=at, u=rates, tau=tau, stabilization=[0.0]
    )
    expected = _solved(q, kinetic, potential, closing, tau, at, rates)
    assert near(accelerations, expected[0], 1e-11)
    assert near(multipliers, expected[1], 1e-11)
    # Newton's law of the piston along the slide: the row is rod less piston.
    k = names.index("slide")
    assert 2.0 * accelerations[k] == pytest.approx(tau[k] - multipliers[0], rel=1e-11)
