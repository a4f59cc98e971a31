"""Telescopic arms in models: what is conserved while deploying, and frequencies of the thesis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import eomc
from eomc.derive.bodies import TelescopicBeam
from eomc.derive.model import Model


def unit(**changes: Any) -> TelescopicBeam:
    """The unit of M. Caron (1996): two links of 7.5 m and 200 kg, a payload of 400 kg."""
    arguments: dict[str, Any] = {
        "slewing_length": 7.5,
        "slewing_mass": 200,
        "deployable_length": 7.5,
        "deployable_mass": 200,
        "EI": 5.5e5,
        "length": 10,
        "payload": 400,
        "tip_mass_ratio": 1.0,
    }
    return TelescopicBeam(**{**arguments, **changes})


@pytest.mark.slow
@pytest.mark.parametrize("stiffening", [False, True])
def test_slewing_and_deploying_freely(stiffening: bool) -> None:
    """On a free hub nothing but the arm's own motion acts: energy and momentum stay."""
    model = Model("arm", gravity=(0, 0, 0))
    model.body("hub", mass=900, inertia=(800, 800, 800))
    model.joint("base", "planar", parent="world", child="hub")
    form = unit(modes=(2, 0), stiffening=stiffening, payload=0)
    model.deformable("unit", form)
    model.joint("slew", "revolute", parent="hub", child="unit", axis=(0, 0, 1))
    model.body("load", mass=400, com=(0.3, 0, 0), inertia=(20, 20, 20))
    model.joint("grip", "attachment", parent="unit", child="load", at="tip")
    names = ("forward_dynamics", "kinetic_energy", "potential_energy", "momentum")
    arm = eomc.build(model, functions=names)
    start = {"unit_y1": 0.05, "unit_y2": -0.002}
    run = eomc.simulate(
        arm, start, {"slew": 0.2, "unit_length": 0.25}, t_span=8.0, rtol=1e-11, atol=1e-13
    )
    assert run["unit_length"][-1] > 11
    assert np.ptp(run.energy) < 1e-8 * run.energy[0]
    momenta = np.array([arm.momentum(q, u) for q, u in zip(run.q, run.u, strict=True)])
    assert np.max(np.ptp(momenta, axis=0)) < 1e-8 * np.max(np.abs(momenta))


@pytest.mark.slow
def test_a_given_length_is_the_same_held_and_prescribed() -> None:
    """A length that is held, and one that is prescribed at rest; deployed at a rate, the drive's
    force does the work that the energy gains."""
    held, moved = (Model("arm", gravity=(0, 0, 0)) for _ in range(2))
    held.deformable("unit", unit(), fixed={"length": 11.0})
    moved.deformable("unit", unit())
    for model in (held, moved):
        model.joint("slew", "revolute", parent="world", child="unit", axis=(0, 0, 1))
    moved.prescribed("unit_length")
    names = ("forward_dynamics", "kinetic_energy", "potential_energy", "prescribed_forces")
    fixed = eomc.build(held, functions=names[:1])
    driven = eomc.build(moved, functions=names)
    q, u, tau = np.array([0.2, 0.1]), np.array([0.3, -0.2]), np.array([5.0, 1.0])
    rest = ([11.0], [0.0], [0.0])
    np.testing.assert_allclose(
        driven.forward_dynamics(q, u, tau, *rest), fixed.forward_dynamics(q, u, tau), rtol=1e-10
    )

    def law(t: float) -> tuple[float, float, float]:
        return 10 + 0.2 * t**2 - 0.02 * t**3, 0.4 * t - 0.06 * t**2, 0.4 - 0.12 * t

    run = eomc.simulate(
        driven,
        {"unit_y1": 0.02},
        {"slew": 0.3},
        t_span=np.linspace(0, 5, 2001),
        prescribed={"unit_length": law},
        rtol=1e-10,
        atol=1e-12,
    )
    power, energy = [], []
    for t, q, u in zip(run.t, run.q, run.u, strict=True):
        s, rate, acceleration = (np.array([value]) for value in law(t))
        force = driven.prescribed_forces(q, u, np.zeros(2), s, rate, acceleration)
        power.append(float(np.ravel(force)[0] * rate[0]))
        energy.append(driven.kinetic_energy(q, u, s, rate) + driven.potential_energy(q, s))
    work = np.sum((np.array(power[1:]) + np.array(power[:-1])) / 2 * np.diff(run.t))
    assert abs(energy[-1] - energy[0]) > 10
    assert work == pytest.approx(energy[-1] - energy[0], rel=1e-4)


def frequencies(form: TelescopicBeam, stiffness: float, held: Any) -> Any:
    """Hz, on a hinge with a spring."""
    model = Model("joint", gravity=(0, 0, 0))
    model.deformable("unit", form, fixed=held)
    model.joint("joint", "revolute", parent="world", child="unit", axis=(0, 0, 1))
    model.joint_spring("compliance", joint="joint", stiffness=stiffness)
    built = eomc.build(model, functions=["mass_matrix", "inverse_dynamics_derivatives", "neutral"])
    q, zero = built.neutral(), np.zeros(len(built.speeds))
    k = built.inverse_dynamics_derivatives(q, zero, zero)[0]
    squares = eigh((k + k.T) / 2, built.mass_matrix(q), eigvals_only=True)
    return np.sqrt(squares) / (2 * math.pi)


def test_frequencies_of_the_thesis() -> None:
    """Joint 0.068 Hz (thesis 0.07) and link 2.86 or 3.15 Hz by the shape (thesis 3.1), and the
    joint of a rigid link at K = 9.9e4, 0.2168 Hz (thesis 0.21)."""
    loaded = frequencies(unit(), 1e4, {"length": 10.0})
    assert loaded[0] == pytest.approx(0.068, rel=0.03)
    assert loaded[1] == pytest.approx(2.86, rel=0.02)
    plain = frequencies(unit(tip_mass_ratio=0.0), 1e4, {"length": 10.0})
    assert plain[1] == pytest.approx(3.15, rel=0.02)
    rigid = frequencies(unit(), 9.9e4, True)
    assert rigid == pytest.approx([0.2168], rel=0.02)
