"""Identities on random trees of rigid and deformable bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynamics.evaluation import value
from flexible.random_chains import random_chain, random_state
from hypothesis import given, settings
from hypothesis import strategies as st

import eomc
from eomc.derive.graph import evaluate
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.newton_euler import NewtonEuler

SEEDS = st.integers(0, 10**6)


def both_forward(system: Any, q: Any, u: Any, tau: Any) -> tuple[Any, Any]:
    """Accelerations by elimination in O(N), and by the factored mass matrix."""
    values: dict[int, float] = {}
    for symbols, given_values in ((system.q, q), (system.u, u), (system.tau, tau)):
        pairs = zip(symbols, given_values, strict=True)
        values.update((symbol.node, float(x)) for symbol, x in pairs)
    found = []
    for solution in (system.forward_articulated, system.forward_factored):
        nodes = [entry.node for entry in solution.acceleration]
        found.append(np.array([float(x) for x in evaluate(system.graph, nodes, values)]))
    return found[0], found[1]


@pytest.mark.slow
@settings(max_examples=6)
@given(SEEDS, st.integers(1, 4))
def test_forward_inverts_inverse_both_ways(seed: int, bodies: int) -> None:
    check_inversion(seed, bodies)


@pytest.mark.slow
@settings(max_examples=15)
@given(SEEDS, st.integers(3, 8))
def test_forward_inverts_inverse_on_longer_chains(seed: int, bodies: int) -> None:
    check_inversion(seed, bodies)


def check_inversion(seed: int, bodies: int) -> None:
    model = random_chain(seed, bodies)
    equations, rng = eomc.equations(model), np.random.default_rng(seed)
    q, u, a = random_state(model, rng)
    tau = value(equations, "inverse_dynamics", q=q, u=u, a=a)
    mass = value(equations, "mass_matrix", q=q)
    weights = np.sqrt(np.diag(mass))
    condition = np.linalg.cond(mass / np.outer(weights, weights))
    size = condition * np.abs(tau / weights).max() + np.abs(a * weights).max()
    for got in both_forward(equations.system(()), q, u, tau):
        assert np.abs((got - a) * weights).max() <= 1e-12 * size


@pytest.mark.slow
@settings(max_examples=4)
@given(SEEDS, st.integers(1, 3))
def test_the_witness_agrees(seed: int, bodies: int) -> None:
    check_witness(seed, bodies)


@pytest.mark.slow
@settings(max_examples=8)
@given(SEEDS, st.integers(3, 6))
def test_the_witness_agrees_on_longer_chains(seed: int, bodies: int) -> None:
    check_witness(seed, bodies)


def check_witness(seed: int, bodies: int) -> None:
    """Homogeneous matrices in the world, and Lagrange's equations of each form's energy."""
    model = random_chain(seed, bodies)
    equations, rng = eomc.equations(model), np.random.default_rng(seed)
    q, u, a = random_state(model, rng)
    none = np.zeros(0)
    at = {"q": q, "u": u, "a": a, "t": np.array(0.0), "r": none}
    at |= dict.fromkeys(("s", "s_rate", "s_acceleration"), none)
    reference = NewtonEuler(mechanism(model), at)
    expected, size = reference.inverse_dynamics()
    got = value(equations, "inverse_dynamics", q=q, u=u, a=a)
    assert np.abs(got - expected).max() <= 1e-12 * size.max()
    mass = reference.mass_matrix()
    got = value(equations, "mass_matrix", q=q)
    assert got == pytest.approx(mass, rel=1e-12, abs=1e-12 * np.abs(mass).max())
    momentum = value(equations, "momentum", q=q, u=u)
    scale = np.abs(reference.momentum()).max()
    assert momentum == pytest.approx(reference.momentum(), rel=1e-12, abs=1e-12 * scale)
