"""Symbolic linear systems against their numerical counterparts."""

from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import eomc
from eomc.derive.equations.linear_system import linear_system, s
from eomc.derive.equations.routh import growing_roots, is_stable, routh_table
from eomc.systems.impedance import three_masses

MODELS = Path(__file__).parents[2] / "examples" / "models"


def test_matrices_and_response_are_those_of_linearize() -> None:
    model = three_masses("held", filtered=True)
    symbolic = linear_system(model).with_values({**model.defaults(), "F_max": 1e9})
    compiled = eomc.build(model)
    numeric = eomc.linearize(compiled, a=np.zeros(3))
    frequency = 9.0
    response = numeric.frequency_response([frequency]).between("x3", "F1")
    g = symbolic.transfer_function("x3", "F1")
    at = complex(g.as_expression().subs(s, sp.I * frequency))
    assert np.isclose(at, np.ravel(response)[0], rtol=1e-9)
    roots = np.roots([float(c) for c in symbolic.characteristic_polynomial().all_coeffs()])
    expected = numeric.modes().eigenvalues
    assert np.allclose(np.sort(roots.imag), np.sort(expected.imag), rtol=1e-6, atol=1e-6)


def test_about_a_state() -> None:
    model = eomc.Model("pendulum", gravity=(0, 0, "-g"))
    for name, value in (("m", 1.0), ("l", 0.5), ("g", 9.81)):
        model.parameter(name, value)
    model.body("bob", mass="m", com=(0, 0, "-l"))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    l, g = sp.symbols("l g")  # noqa: E741
    hanging, up = (linear_system(model, at={"hinge": angle}) for angle in (0, sp.pi))
    assert sp.simplify(hanging.A[1, 0] + g / l) == 0
    assert sp.simplify(up.A[1, 0] - g / l) == 0
    with pytest.raises(ValueError, match="no variable 'hing'; did you mean 'hinge'"):
        linear_system(model, at={"hing": 0})
    with pytest.raises(ValueError, match=r"no input 'tau\(hing\)'"):
        hanging.transfer_function("hinge", "tau(hing)")


@pytest.mark.slow
def test_routh_and_roots_agree() -> None:
    rng = np.random.default_rng(5)
    verdicts = []
    for _ in range(60):
        poles = rng.normal(-0.5, 1, 2) + 1j * rng.uniform(0.1, 3, 2)
        coefficients = np.poly([*poles, *poles.conj(), rng.normal(-0.5, 1)]).real
        verdicts.append((np.roots(coefficients).real < 0).all())
        assert is_stable(coefficients.tolist()) == verdicts[-1]
    assert 0 < sum(verdicts) < 60


def test_routh_refuses_what_has_no_table() -> None:
    with pytest.raises(ValueError, match="row 1 of the table begins with zero"):
        routh_table([1, 0, 1])
    with pytest.raises(ValueError, match="give at least one"):
        routh_table([])


def test_growing_roots_over_a_grid_are_counted() -> None:
    """By changes of sign, against the roots themselves."""
    coefficients = np.random.default_rng(4).normal(size=(6, 5, 8))
    found = growing_roots(list(coefficients))
    expected = [np.sum(np.roots(c).real > 0) for c in coefficients.reshape(6, -1).T]
    assert found.ravel().tolist() == expected
    assert np.isnan(growing_roots([1.0, 0.0, 4.0]))


def test_transfer_functions_in_numbers() -> None:
    system = linear_system(three_masses("none"))
    data = {"m1": 100, "m2": 20, "m3": 10, "k1": 2.6e5, "k2": 2e4, "b1": 325, "b2": 1}
    g = system.transfer_function("x3", "F1")
    numbers, omega = g.with_values(data), np.geomspace(0.5, 200.0, 7)
    exact = sp.lambdify(s, numbers.as_expression())
    shown = numbers.response(omega)
    assert shown.between("x3", "F1") == pytest.approx(exact(1j * omega), rel=1e-9)
    one = g.with_values({name: x for name, x in data.items() if name != "b1"})
    (found,) = one.poles("b1", [325.0])
    expected = np.linalg.eigvals(np.array(system.with_values(data).A, dtype=float))
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(expected), abs=1e-4)
    with pytest.raises(ValueError, match="b1: give numbers"):
        one.response(omega)


def test_discrete_matrices_are_those_of_held_inputs() -> None:
    """Against the motion of x' = A x + B v under inputs that stay over a period."""
    from scipy.integrate import solve_ivp

    model = eomc.build(MODELS / "double_pendulum.toml")
    linear = eomc.linearize(model, {"shoulder": 0.4, "elbow": -0.7}, u={"elbow": 1.0})
    sampled = linear.discrete(0.2)
    rng = np.random.default_rng(0)
    x, v = rng.uniform(-1, 1, len(linear.states)), rng.uniform(-1, 1, len(linear.inputs))
    run = solve_ivp(lambda t, y: linear.A @ y + linear.B @ v, (0, 0.2), x, rtol=1e-12, atol=1e-14)
    assert np.allclose(sampled.A @ x + sampled.B @ v, run.y[:, -1], rtol=0, atol=1e-10)
    assert sampled.states == linear.states and sampled.period == 0.2
    assert np.array_equal(sampled.C, linear.C) and np.array_equal(sampled.D, linear.D)
    with pytest.raises(ValueError, match="period is 0"):
        linear.discrete(0)
