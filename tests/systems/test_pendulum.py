"""The pendulum family against closed forms and against SymPy's own Lagrangian derivation."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from dynamics.evaluation import close, value
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import eomc
from eomc.derive.model import Model, ModelError
from eomc.systems.pendulum import planar_pendulum, spatial_pendulum

pytestmark = pytest.mark.variants

M, L, G = sp.symbols("m l g")


def closed(model: Model, name: str) -> sp.Matrix:
    """A function of the model in closed form, parameters by name."""
    return getattr(eomc.equations(model), name).to_sympy()


def same(ours: sp.Matrix, textbook: sp.Matrix) -> bool:
    return sp.simplify(sp.expand_trig(sp.expand(ours - textbook))).is_zero_matrix


def test_single_pendulum_is_the_textbook_one() -> None:
    """m l^2 q'' + m g l sin q = 0; a rod has m l^2 / 3 and its weight at half length."""
    q = sp.Symbol("q1")
    assert same(closed(planar_pendulum(1), "mass_matrix"), sp.Matrix([M * L**2]))
    assert same(closed(planar_pendulum(1), "bias"), sp.Matrix([M * G * L * sp.sin(q)]))
    rod = planar_pendulum(1, rods=True)
    assert same(closed(rod, "mass_matrix"), sp.Matrix([M * L**2 / 3]))
    assert same(closed(rod, "bias"), sp.Matrix([M * G * L * sp.sin(q) / 2]))


def test_double_pendulum_is_the_textbook_one() -> None:
    """Two point masses, relative angles (Murray, Li and Sastry 1994, sec. 4.2.3)."""
    q1, q2, u1, u2 = sp.symbols("q1 q2 u_q1 u_q2")
    c, s, ml2 = sp.cos(q2), sp.sin(q2), M * L**2
    mass = ml2 * sp.Matrix([[3 + 2 * c, 1 + c], [1 + c, 1]])
    weight = M * G * L * sp.Matrix([2 * sp.sin(q1) + sp.sin(q1 + q2), sp.sin(q1 + q2)])
    coriolis = ml2 * s * sp.Matrix([-2 * u1 * u2 - u2**2, u1**2])
    model = planar_pendulum(2)
    assert same(closed(model, "mass_matrix"), mass)
    assert same(closed(model, "gravity"), weight)
    assert same(closed(model, "bias"), coriolis + weight)


def lagrangian_equations(n: int) -> tuple[sp.Matrix, sp.Matrix, list, list]:
    """Mass matrix and forcing of n point masses by `LagrangesMethod`, in relative angles."""
    q = dynamicsymbols(f"q1:{n + 1}")
    t = dynamicsymbols._t
    kinetic = potential = x = z = angle = sp.Integer(0)
    for joint in q:
        angle = angle + joint
        x, z = x - L * sp.sin(angle), z - L * sp.cos(angle)
        kinetic += M * (x.diff(t) ** 2 + z.diff(t) ** 2) / 2
        potential += M * G * z
    method = LagrangesMethod(kinetic - potential, list(q))
    method.form_lagranges_equations()
    return method.mass_matrix, method.forcing, list(q), [joint.diff(t) for joint in q]


@pytest.mark.parametrize("n", [2, 3])
def test_planar_pendulum_agrees_with_lagranges_method(n: int) -> None:
    """Mass matrix and bias at random states; the witness shares no code with the recursion."""
    mass, forcing, q, rates = lagrangian_equations(n)
    numbers = {M: 0.7, L: 1.3, G: 9.81}
    witness = sp.lambdify([rates, q], [mass.subs(numbers), forcing.subs(numbers)], "numpy")
    equations = eomc.equations(planar_pendulum(n, mass=0.7, length=1.3))
    rng = np.random.default_rng(n)
    for _ in range(5):
        at, u = rng.uniform(-3, 3, n), rng.normal(size=n)
        expected_mass, expected_forcing = witness(u, at)
        assert close(value(equations, "mass_matrix", q=at), expected_mass, 1e-12)
        bias = value(equations, "bias", q=at, u=u)
        assert close(bias, -np.ravel(expected_forcing), 1e-12)


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("make", [planar_pendulum, spatial_pendulum])
def test_it_hangs_in_equilibrium_and_its_tip_is_n_lengths_down(make, n: int) -> None:
    equations = eomc.equations(make(n, length=0.5))
    assert close(value(equations, "gravity", q=np.zeros(n)), np.zeros(n))
    tip = value(equations, "frame_tip_pose", q=np.zeros(n))[:3, 3]
    assert close(tip, [0, 0, -0.5 * n])


def test_damping_takes_its_power() -> None:
    equations = eomc.equations(planar_pendulum(2, damping=0.3))
    power = value(equations, "power", q=[0.1, 0.2], u=[1.0, -2.0], tau=[0.0, 0.0])
    assert close(power, -0.3 * (1.0**2 + 2.0**2))


def test_first_spatial_link_swings_about_x_as_a_cylinder() -> None:
    """About a horizontal axis at the end of a solid cylinder: m (r^2/4 + l^2/3)."""
    ours = closed(spatial_pendulum(1), "mass_matrix")
    r = sp.Symbol("r")
    assert same(ours, sp.Matrix([M * (r**2 / 4 + L**2 / 3)]))


def test_spatial_pendulum_of_two_links_by_virtual_power() -> None:
    """M = sum of m J^T J + W^T I W with the centres' positions written out."""
    q1, q2, r = sp.symbols("q1 q2 r")
    first = sp.rot_axis1(-q1)  # R_x(q1): SymPy's are of the other sense
    second = first * sp.rot_axis2(-q2)
    down = sp.Matrix([0, 0, -L])
    centres = [first * down / 2, first * down + second * down / 2]
    x = sp.Matrix([1, 0, 0])
    spins = [sp.Matrix.hstack(x, sp.zeros(3, 1)), sp.Matrix.hstack(x, first * sp.Matrix([0, 1, 0]))]
    across, along = M * (3 * r**2 + L**2) / 12, M * r**2 / 2
    mass = sp.zeros(2, 2)
    for centre, spin, turn in zip(centres, spins, (first, second), strict=True):
        jacobian = centre.jacobian([q1, q2])
        tensor = turn * sp.diag(across, across, along) * turn.T
        mass += M * jacobian.T * jacobian + spin.T * tensor * spin
    assert same(closed(spatial_pendulum(2), "mass_matrix"), mass)


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "2"])
def test_a_number_of_links_that_is_none_is_refused(n: object) -> None:
    with pytest.raises(ModelError, match="whole number of links"):
        planar_pendulum(n)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="whole number of links"):
        spatial_pendulum(n)  # type: ignore[arg-type]
