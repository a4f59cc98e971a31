"""Beams in orbit: their potential against the integral over the deformed axis; free motions."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from orbit.satellites import MU, RADIUS, RATE

import eomc
from eomc.derive.bodies.beam import Beam
from eomc.derive.graph import Expression, evaluate_mp
from eomc.derive.model import Model
from eomc.derive.system import System

DIGITS = 30
DENSITY, LENGTH = 1000.0, 120.0


def platform() -> Beam:
    """Free-free, three modes in the plane of the orbit."""
    return Beam(
        length=LENGTH,
        mass_per_length=DENSITY,
        EI=5.5e8,
        modes=(3, 0),
        shapes="free-free",
        origin="middle",
    )


def beam_and_arm(*, about: str = "body", mu: float = MU) -> Model:
    """The platform with a flexible arm hinged to a point between its nodes, a load on the tip."""
    model = Model("platform", gravity=(0, 0, 0))
    model.deformable("platform", platform())
    model.joint("orbit", "orbit_planar", parent="world", child="platform")
    model.attachment("base", body="platform", at=30)
    arm = Beam(length=10, mass_per_length=40, EI=5.5e5, modes=(1, 0))
    model.deformable("arm", arm)
    model.joint("shoulder", "revolute", parent="base", child="arm", axis=(0, 0, 1))
    model.joint_spring("drive", joint="shoulder", stiffness=1e4, free_angle=0.9)
    model.body("load", mass=400)
    model.joint("grip", "attachment", parent="arm", child="load", at="tip")
    if mu:
        model.central_gravity("earth", mu=mu, about=about)
    return model


def names(system: System) -> dict[str, Expression]:
    """The coordinates by name."""
    return dict(zip(system.tree.coordinate_names, system.q, strict=True))


def test_potential_of_a_bent_beam() -> None:
    """-mu/|R| along the deformed axis by quadrature to 30 digits; the rest is of third order."""
    model = Model("beam", gravity=(0, 0, 0))
    beam = platform()
    model.deformable("platform", beam)
    model.joint("orbit", "orbit_planar", parent="world", child="platform")
    model.central_gravity("earth", mu=MU)
    system = eomc.equations(model).system(())
    q = (0.3, RADIUS, 0.5, 4.0, -2.5, 1.0)
    values = {entry.node: mpmath.mpf(x) for entry, x in zip(system.q, q, strict=True)}
    strain = system.scalars(
        beam.strain_energy(model.deformables["platform"].symbols), names(system)
    )
    potential = system.loads.conservative.potential - strain
    (got,) = evaluate_mp(system.graph, [potential.node], values, DIGITS)
    with mpmath.workdps(DIGITS):
        c, s = mpmath.cos(mpmath.mpf(0.5)), mpmath.sin(mpmath.mpf(0.5))
        nodes, weights = np.polynomial.legendre.leggauss(24)
        total, mass = mpmath.mpf(0), DENSITY * LENGTH
        # the weights of Gauss's rule are doubles: they cancel against those of the mass
        for node, weight in zip(nodes.tolist(), weights.tolist(), strict=True):
            place = beam.attachment(float(node) * LENGTH / 2, q[3:]).displacement
            x, y = (mpmath.mpf(float(entry)) for entry in place[:2])
            along = mpmath.mpf(RADIUS) + c * x - s * y
            across = s * x + c * y
            distance = mpmath.sqrt(along**2 + across**2)
            total -= MU * DENSITY * LENGTH / 2 * weight * (1 / distance - 1 / mpmath.mpf(RADIUS))
        expected = total - MU * mass / mpmath.mpf(RADIUS)
        second = MU * mass / RADIUS * (LENGTH / RADIUS) ** 2
        assert abs(got - expected) < 1e-4 * second
        assert abs(expected + MU * mass / mpmath.mpf(RADIUS)) > 0.01 * second


@pytest.fixture(scope="module")
def flexible() -> eomc.CompiledModel:
    return eomc.build(beam_and_arm())


def test_case_15_angular_momentum_of_the_flexible_chain(flexible: eomc.CompiledModel) -> None:
    """One per cent of an orbit with the platform's first mode at 0.5 m."""
    start = {"orbit_r": RADIUS, "shoulder": 0.9, "platform_y1": 0.5}
    run = eomc.simulate(
        flexible,
        start,
        {"orbit_theta": RATE},
        t_span=np.linspace(0, 0.01 * 2 * np.pi / RATE, 201),
        rtol=1e-12,
        atol=1e-13,
    )
    momentum = run.evaluate("momentum")[:, 5]
    assert np.abs(momentum / momentum[0] - 1).max() < 1e-11
    assert np.abs(run.energy / run.energy[0] - 1).max() < 1e-12
    assert np.ptp(run["platform_y1"]) > 0.9


def test_case_14_free_floating_energy() -> None:
    """Without gravity and orbital rate nothing hides the energy of the vibration."""
    model = eomc.build(beam_and_arm(mu=0.0))
    start = {"orbit_r": 1000.0, "shoulder": 0.9, "platform_y1": 0.5}
    run = eomc.simulate(model, start, t_span=np.linspace(0, 55, 201), rtol=1e-12, atol=1e-13)
    assert np.ptp(run.energy) < 1e-8 * run.energy[0]
    # the strain of the first mode, modal mass = mass, K = EI lambda^4/l^3
    strain = 5.5e8 * 4.730040744862704**4 / LENGTH**3 * 0.5**2 / 2
    assert run.energy[0] == pytest.approx(strain, rel=1e-12)


def test_the_point_of_expansion_hardly_matters_to_flexible_bodies(
    flexible: eomc.CompiledModel,
) -> None:
    other = eomc.build(beam_and_arm(about="platform"))
    q = np.array([0.0, RADIUS, 0.4, 0.5, -0.1, 0.05, 0.7, 0.1])
    rest = np.zeros(len(q))
    a, b = (model.function("bias")(q, rest) for model in (flexible, other))
    assert np.abs(a[2:] - b[2:]).max() < 1e-3
    assert np.abs(a[2:]).max() > 1e2
