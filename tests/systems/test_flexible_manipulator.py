"""The manipulator's model against its equations by velocity transformations.

Neither shares code with the other but the data: the model is derived by recursions over bodies in
quasi-velocities, the equations are written in inertial coordinates and transformed.
"""

from dataclasses import replace

import numpy as np
import pytest

from eomc.systems.flexible_manipulator.data import LARGE, SMALL
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc_published.caron.velocity_transformations import TransformedEquations
from eomc_published.caron.velocity_transformations.both import both

ARMS = {
    "one unit": FlexibleManipulator(1, 400.0),
    "two modes, gravity of each body": FlexibleManipulator(1, 0.0, modes=2, about="body"),
    "two units": FlexibleManipulator(2, 300.0, about="body"),
    "bare shapes": FlexibleManipulator(2, 300.0, tip_mass_shapes=False),
    "rigid links": FlexibleManipulator(2, 100.0, flexible_units=False),
    "rigid platform": FlexibleManipulator(1, 100.0, flexible_platform=False, extra_inertia=8.83),
    "all rigid": FlexibleManipulator(3, 100.0, flexible_units=False, flexible_platform=False),
    "three small units": FlexibleManipulator(3, 100.0, unit=SMALL, modes=2),
    "floating freely": FlexibleManipulator(
        1, 400.0, gravity=False, unit=replace(LARGE, slewing_EI=1e5)
    ),
}
MANY = {"five units": FlexibleManipulator(5, 100.0, unit=SMALL)}


def specified(equations: TransformedEquations) -> list[int]:
    """Places of d_2y and of d_i, i > 2, which the model does not have."""
    layout = equations.layout
    places = [layout.offset(2).start + 1]
    for i in range(3, layout.bodies + 1):
        places += [layout.offset(i).start, layout.offset(i).start + 1]
    return places


@pytest.mark.slow
@pytest.mark.parametrize("arm", ARMS)
def test_mass_matrix(arm: str) -> None:
    pair = both(ARMS[arm])
    q, rate, _ = pair.state(pair.u, 0 * pair.u)
    mass = pair.equations.mass_matrix(q)
    expected = pair.jacobian.T @ mass @ pair.jacobian
    unit = np.diagonal(expected) ** -0.5
    deviation = (pair.model.mass_matrix(pair.q) - expected) * np.outer(unit, unit)
    assert np.abs(deviation).max() < 1e-11
    energy = rate @ mass @ rate / 2
    assert pair.model.kinetic_energy(pair.q, pair.u) == pytest.approx(energy, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("arm", ARMS)
def test_accelerations(arm: str) -> None:
    check_accelerations(ARMS[arm])


@pytest.mark.slow
@pytest.mark.parametrize("arm", MANY)
def test_accelerations_of_many_units(arm: str) -> None:
    check_accelerations(MANY[arm])


def check_accelerations(manipulator: FlexibleManipulator) -> None:
    pair = both(manipulator)
    equations, model = pair.equations, pair.model
    held = specified(equations)
    force = 100 * np.random.default_rng(7).normal(size=equations.layout.total)
    force[[0, 1, *held]] = 0.0
    a = model.forward_dynamics(pair.q, pair.u, pair.jacobian.T @ force)
    q, rate, got = pair.state(pair.u, a)
    expected, multipliers = equations.accelerations(q, rate, force, dict.fromkeys(held, 0.0))
    assert got == pytest.approx(expected, rel=1e-10, abs=1e-10 * np.abs(expected[2:]).max())
    # What holds the specified places is what the equations lack without it.
    residual = equations.mass_matrix(q) @ expected + equations.nonlinear(q, rate) - force
    assert residual[held] == pytest.approx(multipliers, rel=1e-6)
    assert np.abs(multipliers).min() > 0


def test_gravity_of_a_pitched_arm_needs_its_second_order() -> None:
    """The expansion about the platform's centre leaves out 1e-7 of the gravity gradient."""
    equations = both(ARMS["one unit"]).equations
    q, _ = equations.layout.random_state(np.random.default_rng(1))
    exact, second = equations.gravity(q, "exact"), equations.gravity(q, "platform")
    assert second[3:] == pytest.approx(exact[3:], rel=1e-6)
    assert np.abs(second[3:] - exact[3:]).max() > 0


@pytest.mark.slow
@pytest.mark.parametrize("field", ["exact", "body", "platform"])
def test_gradients_of_potentials(field: str) -> None:
    equations = both(ARMS["two units"]).equations
    q, _ = equations.layout.random_state(np.random.default_rng(2))

    def slopes(potential) -> np.ndarray:  # type: ignore[no-untyped-def]
        steps = 1e-30j * np.eye(len(q))
        return np.array([potential(q + step).imag for step in steps]) / 1e-30

    gravity = slopes(lambda x: equations.gravity_potential(x, field))
    # Attractions of 1e6 N on the elements, 7e6 m from the centre, cancel in the orbit's angle.
    tolerance = np.where(np.arange(len(q)) == 1, 1e-1, 1e-6)
    assert (np.abs(equations.gravity(q, field) - gravity) <= tolerance).all()
    assert equations.strain(q) == pytest.approx(slopes(equations.strain_energy), rel=1e-12)


@pytest.mark.slow
def test_energy_balance_of_the_equations() -> None:
    """T' = q'^T (Q - dV/dq): M, its rate and the nonlinear terms belong together."""
    equations = both(ARMS["two units"]).equations
    q, rate = equations.layout.random_state(np.random.default_rng(5))
    force = np.random.default_rng(6).normal(size=len(q))
    a, _ = equations.accelerations(q, rate, force)
    mass, mass_rate = equations.mass_matrix(q), equations.mass_matrix_rate(q, rate)
    power = rate @ mass @ a + rate @ mass_rate @ rate / 2
    supplied = rate @ (force - equations.gravity(q) - equations.strain(q))
    assert power == pytest.approx(supplied, rel=1e-9)
