"""Recursions over deformable bodies against the mechanics of all their points, one by one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from dynamics.evaluation import value
from flexible.point_masses import Points
from flexible.swarm_systems import (
    ARM,
    GRAVITY,
    HINGE_DAMPING,
    HULL,
    ROTOR,
    points,
    state,
    whole_equations,
)

from eomc.derive.graph import evaluate
from eomc.verifier.arithmetic.complex_step import complex_step

pytestmark = pytest.mark.variants

HINGE = 8
HULL_SPEEDS, ARM_SPEEDS = slice(6, 8), slice(9, 12)


@lru_cache
def motion(seed: int = 1) -> Any:
    return points().motion(*state(seed))


def masses(system: Points) -> Any:
    return np.array(system.masses)[:, None]


def rotors() -> Any:
    armature = np.zeros(13)
    armature[HINGE] = ROTOR
    return armature


def loads(q: Any, u: Any) -> Any:
    """What strain, losses and the hinge's damping take, -Q."""
    taken = np.zeros(13)
    taken[HULL_SPEEDS] = np.add(HULL.strain_slopes(q[7:9]), HULL.losses(q[7:9], u[HULL_SPEEDS]))
    taken[ARM_SPEEDS] = np.add(ARM.strain_slopes(q[10:13]), ARM.losses(q[10:13], u[ARM_SPEEDS]))
    taken[HINGE] = HINGE_DAMPING * u[HINGE]
    return taken


def test_coordinates_follow_the_tree() -> None:
    suffixes = ("x", "y", "z", "qw", "qx", "qy", "qz")
    base = tuple(f"base_{suffix}" for suffix in suffixes)
    rest = ("hull_d0", "hull_d1", "hinge", "arm_d0", "arm_d1", "arm_d2", "ride")
    assert whole_equations().coordinates == base + rest
    assert whole_equations().speeds[6:] == rest


@pytest.mark.parametrize("seed", [1, 2])
def test_inverse_dynamics(seed: int) -> None:
    """tau = sum of m J^T (r'' - g), and what rotors, strain and losses take."""
    q, u, a = state(seed)
    _, _, acceleration, units = motion(seed)
    inertial = np.einsum("nki,ni->k", units, masses(points()) * (acceleration - GRAVITY))
    expected = inertial + rotors() * a + loads(q, u)
    got = value(whole_equations(), "inverse_dynamics", q=q, u=u, a=a)
    assert got == pytest.approx(expected, rel=1e-13, abs=1e-12)


def test_mass_matrix_and_energies() -> None:
    q, u, _ = state()
    place, velocity, _, units = motion()
    mass = masses(points())
    expected = np.einsum("nki,nli->kl", units, mass[:, :, None] * units) + np.diag(rotors())
    got = value(whole_equations(), "mass_matrix", q=q)
    assert got == pytest.approx(expected, rel=1e-13, abs=1e-13)
    assert np.array_equal(got, got.T)
    kinetic = float((mass * velocity**2).sum()) / 2 + ROTOR * u[HINGE] ** 2 / 2
    assert value(whole_equations(), "kinetic_energy", q=q, u=u) == pytest.approx(kinetic, rel=1e-14)
    strain = sum(
        swarm.stiffness * (xi @ xi) / 2 + xi[0] ** 4
        for swarm, xi in ((HULL, q[7:9]), (ARM, q[10:13]))
    )
    weight = -float((mass * place @ np.array(GRAVITY)).sum())
    got = value(whole_equations(), "potential_energy", q=q)
    assert got == pytest.approx(weight + strain, rel=1e-13)


def test_momentum_and_centre_of_mass() -> None:
    q, u, _ = state()
    place, velocity, _, units = motion()
    mass = masses(points())
    linear, angular = (mass * velocity).sum(axis=0), np.cross(place, mass * velocity).sum(axis=0)
    got = value(whole_equations(), "momentum", q=q, u=u)
    assert got == pytest.approx(np.concatenate([linear, angular]), rel=1e-13, abs=1e-13)
    center = value(whole_equations(), "center_of_mass", q=q)
    assert center == pytest.approx((mass * place).sum(axis=0) / mass.sum(), rel=1e-13)
    jacobian = np.einsum("n,nki->ik", mass[:, 0], units) / mass.sum()
    got = value(whole_equations(), "center_of_mass_jacobian", q=q)
    assert got == pytest.approx(jacobian, rel=1e-13, abs=1e-14)


def test_both_ways_of_forward_dynamics_invert_inverse_dynamics() -> None:
    """M^-1 by factors, and the elimination of (6 + k)-blocks in O(N)."""
    q, u, a = state()
    tau = value(whole_equations(), "inverse_dynamics", q=q, u=u, a=a)
    system = whole_equations().system(())
    values: dict[int, float] = {}
    for symbols, given in ((system.q, q), (system.u, u), (system.tau, tau)):
        pairs = zip(symbols, given, strict=True)
        values.update((symbol.node, float(x)) for symbol, x in pairs)
    for solution in (system.forward_articulated, system.forward_factored):
        nodes = [entry.node for entry in solution.acceleration]
        got = np.array([float(x) for x in evaluate(system.graph, nodes, values)])
        assert got == pytest.approx(a, rel=1e-11, abs=1e-11)


@pytest.mark.slow
def test_power_is_the_rate_of_energy() -> None:
    """sum of m r'.(r'' - g) + rotors + strain = power."""
    q, u, a = state()
    _, velocity, acceleration, _ = motion()
    mass = masses(points())
    rate = float((mass * velocity * (acceleration - GRAVITY)).sum()) + ROTOR * u[HINGE] * a[HINGE]
    rate += np.dot(HULL.strain_slopes(q[7:9]), u[HULL_SPEEDS])
    rate += np.dot(ARM.strain_slopes(q[10:13]), u[ARM_SPEEDS])
    tau = value(whole_equations(), "inverse_dynamics", q=q, u=u, a=a)
    assert value(whole_equations(), "power", q=q, u=u, tau=tau) == pytest.approx(rate, rel=1e-12)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_derivatives(name: str) -> None:
    """By q in tangent directions, u and the third argument, against a complex step."""
    q, u, third = state()
    last = "a" if name == "inverse_dynamics" else "tau"
    got = value(whole_equations(), f"{name}_derivatives", q=q, u=u, **{last: third})
    program = whole_equations().program(functions=[name])
    (function,) = program.functions
    arrays = {"q": q, "u": u, last: third}
    symbols = {argument.name: argument.entries for argument in function.inputs}
    values = {
        node: float(x)
        for argument, nodes in symbols.items()
        for node, x in zip(nodes, arrays[argument], strict=True)
    }
    unit = np.eye(13)
    rates = np.array([value(whole_equations(), "coordinate_rates", q=q, u=row) for row in unit])
    for matrix, argument, directions in zip(
        got, ("q", "u", last), (rates.T, unit, unit), strict=True
    ):
        along = dict(zip(symbols[argument], directions, strict=True))
        (output,) = function.outputs
        exact = complex_step(program.graph, output.entries, values, along)  # type: ignore[arg-type]
        assert matrix == pytest.approx(exact, rel=1e-11, abs=1e-11 * np.abs(exact).max())


def test_frames_follow_the_deformation() -> None:
    """The frame of the rider, a point mass: place, velocity, acceleration and Jacobian."""
    q, u, a = state()
    place, velocity, acceleration, units = motion()
    frame = "frame_rider"
    assert value(whole_equations(), f"{frame}_pose", q=q)[:3, 3] == pytest.approx(
        place[-1], rel=1e-13
    )
    got = value(whole_equations(), f"{frame}_velocity", q=q, u=u)[:3]
    assert got == pytest.approx(velocity[-1], rel=1e-13)
    got = value(whole_equations(), f"{frame}_acceleration", q=q, u=u, a=a)[:3]
    assert got == pytest.approx(acceleration[-1], rel=1e-12)
    got = value(whole_equations(), f"{frame}_jacobian", q=q)[:3]
    assert got == pytest.approx(units[-1].T, rel=1e-13, abs=1e-14)
