"""Systems of SymPy have what models have: constraints kept, linearization, equilibrium, laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from lagrange.example_systems import constrained_pendulum, double_pendulum, knife_edge
from lagrange.test_compiled import bead_on_a_turning_hoop, cart
from lagrange.test_mechanics_methods import four_bar, rolling_disc
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Particle,
    PrismaticJoint,
    RigidBody,
    System,
    dynamicsymbols,
)

import eomc
from eomc.runtime.constraints.consistency import ConstraintError
from eomc.runtime.control import LQR

pytestmark = pytest.mark.variants

LENGTHS = {"l1": 1.0, "l2": 1.4, "l3": 1.2, "l4": 1.9, "m": 1.0, "g": 9.8}
NEAR = np.array([0.9, 0.2, -1.2])


def linkage() -> Any:
    """Kane's four-bar: two of its three speeds depend on the first."""
    return eomc.from_sympy(four_bar(), LENGTHS, name="linkage")


def disc() -> Any:
    """A rolling disc: its speeds are no rates of its coordinates."""
    return eomc.from_sympy(rolling_disc(), {"r": 0.4, "m": 1.5, "g": 9.81}, name="disc")


@pytest.mark.parametrize(
    ("make", "q", "u"),
    [
        (constrained_pendulum, [0.42, -0.56], [0.0, 0.0]),
        (knife_edge, [0.0, 0.0, 0.3], [np.cos(0.3), np.sin(0.3), 0.2]),
        (bead_on_a_turning_hoop, [0.3, -0.4], [0.0, 0.0]),
        (linkage, NEAR, np.zeros(3)),
    ],
)
def test_constrained_systems_run_on_their_constraints(make: Any, q: Any, u: Any) -> None:
    model = eomc.build(make())
    assert model.is_constrained
    start = eomc.assemble(model, q, u)
    for formulation in ("multipliers", "independent"):
        run = eomc.simulate(model, start.q, start.u, t_span=1.0, formulation=formulation)
        assert run.q.std() > 1e-3
        inputs = [run.t] if "t" in model.inputs_of("constraint_residual") else []
        residual = model.constraint_residual(run.q, *inputs)
        rates = model.constraint_velocity(run.q, run.u, *inputs)
        assert np.abs(residual).max(initial=0.0) < 1e-12
        assert np.abs(rates).max() < 1e-11
    assert eomc.runtime.multipliers(run).values.shape[1] == len(
        model.output_names("constraint_jacobian")
    )
    assert eomc.runtime.independent_coordinates(model, start.q).rank == len(
        run.model.output_names("constraint_jacobian")
    )


def test_an_inconsistent_start_of_a_kane_system_is_refused() -> None:
    model = eomc.build(linkage())
    with pytest.raises(ConstraintError, match="violates constraint 'configuration_"):
        eomc.simulate(model, NEAR, t_span=0.1)


@pytest.mark.parametrize("make", [constrained_pendulum, knife_edge, disc, linkage])
def test_linearization_predicts_the_run(make: Any) -> None:
    """Its state matrix is the derivative of the rates of state along the motion."""
    model = eomc.build(make())
    if model.is_constrained:
        start = eomc.assemble(model, [0.42, -0.56, 0.3][: model.nq] if model.nq < 3 else NEAR)
        found = eomc.linearize(model, q=start.q, u=start.u)
        assert len(found.A) in (2, 5)
        return
    q, u, tau = np.array([0.1, 0.3, 0.0]), np.array([0.2, 4.0, 0.5]), np.zeros(3)
    found = eomc.linearize(model, q=q, u=u)
    h, n = 1e-6, model.nu
    flow = [[model.difference(model.integrate(q, h * du), q) for du in np.eye(n)]]
    assert np.abs(np.array(flow[0]) + h * np.eye(n)).max() < 1e-10  # a chart at first order
    by_q = [
        (
            model.forward_dynamics(model.integrate(q, h * e), u, tau)
            - model.forward_dynamics(model.integrate(q, -h * e), u, tau)
        )
        / (2 * h)
        for e in np.eye(n)
    ]
    np.testing.assert_allclose(found.A[n:, :n], np.transpose(by_q), rtol=1e-6, atol=1e-6)

    def motion(along: np.ndarray, t: float) -> np.ndarray:
        """q a little later, started displaced."""
        start = model.integrate(q, along)
        return start + t * model.coordinate_rates(start, u + t * 0)

    # W: xi' of neighbours with the same speeds, in the charts at q and a little later.
    t = 1e-4
    later = motion(np.zeros(n), t)
    for k, e in enumerate(np.eye(n)):
        xi = [model.difference(later, motion(s * h * e, t)) / (s * h) for s in (1, -1)]
        np.testing.assert_allclose((sum(xi) / 2 - e) / t, found.A[:n, k], atol=5e-3)


def test_equilibrium_and_regulator() -> None:
    for system, q in ((double_pendulum()[0], [0.1, 0.2]), (cart(), [0.0, 0.1, 0.2])):
        model = eomc.build(system)
        rest = eomc.equilibrium(model, q)
        assert (
            np.abs(model.bias(rest.q, np.zeros(model.nu), *[[0.0]] * len(model.inputs))).max()
            < 1e-9
        )
        LQR(model, rest.q, np.ones(2 * model.nu), np.ones(model.nu), about=rest.q)
    rod = eomc.build(constrained_pendulum())
    np.testing.assert_allclose(eomc.equilibrium(rod, [0.1, -0.6]).q, [0.0, -0.7], atol=1e-9)


@pytest.mark.parametrize(
    "make", [constrained_pendulum, knife_edge, bead_on_a_turning_hoop, disc, linkage]
)
def test_verify(make: Any) -> None:
    report = eomc.verify(make(), quick=True)
    assert report.ok, str(report)
    skipped = [line for line in str(report).splitlines() if "skipped" in line]
    checks = ("consistency", "manifold", "complex step", "linearization")
    assert not any(f" {check} " in line for check in checks for line in skipped)


@pytest.mark.parametrize("method", [KanesMethod, LagrangesMethod])
def test_systems_of_joints_are_read(method: Any) -> None:
    q, u = dynamicsymbols("q u")
    q_rate = dynamicsymbols("q", 1)
    m, k, b = sp.symbols("m k b")
    wall, bob = RigidBody("W"), Particle("P", mass=m)
    bob.potential_energy = k * q**2 / 2
    system = System.from_newtonian(wall)
    speed = q_rate if method is LagrangesMethod else u
    system.add_joints(PrismaticJoint("J", wall, bob, q, speed))
    force = -b * speed if method is LagrangesMethod else -b * speed - k * q
    system.add_loads((bob.masscenter, force * system.x))
    system.form_eoms(eom_method=method)
    found = eomc.from_sympy(system, {"m": 2.0, "k": 3.0, "b": 0.5}, name="spring")
    assert found.forward_dynamics.evaluate([1.0], [2.0], [0.0])[0] == pytest.approx(-2.0)
    assert found.potential_energy.evaluate([2.0]) == pytest.approx(6.0)


def test_deriving_a_system_gives_it_back() -> None:
    system = constrained_pendulum()
    assert eomc.equations(system) is system
    assert "constrained_dynamics" in system.function_names
    assert [argument.name for argument in system.constraint_residual.inputs] == ["q"]
    with pytest.raises(AttributeError, match="momentum': it is given without bodies"):
        system.momentum  # noqa: B018


def test_forces_that_are_left_to_be_carried_out() -> None:
    """Loads that hold unevaluated parts are read as what they come to."""
    q, u = dynamicsymbols("q u")
    bob = Particle("P", mass=sp.Symbol("m"))
    wall = RigidBody("W")
    frame_system = System.from_newtonian(wall)
    frame_system.add_joints(PrismaticJoint("J", wall, bob, q, u))
    s = sp.Symbol("s")
    load = sp.Integral(-s, (s, 0, q))
    frame_system.add_loads((bob.masscenter, load * frame_system.x))
    found = eomc.from_sympy(frame_system, {"m": 2.0}, name="spring")
    assert found.forward_dynamics.evaluate([3.0], [0.0], [0.0])[0] == pytest.approx(-2.25)
