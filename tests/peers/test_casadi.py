"""The recursions that CasADi is timed with give what ours give."""

from __future__ import annotations

import numpy as np
import pytest
from peers.comparison import breaches, worst_errors
from peers.graph_values import graph_values

from eomc.derive.equations import derive
from eomc.systems.pendulum import planar_pendulum, spatial_pendulum

ca = pytest.importorskip("casadi", reason="CasADi (package casadi) is not installed")
peer = pytest.importorskip(
    "benchmarks.casadi_recursion", reason="the tests do not run from the project's root"
)
numbers = pytest.importorskip("benchmarks.mechanism")


@pytest.mark.parametrize("make", [planar_pendulum, spatial_pendulum])
def test_hand_written_recursions_agree(make) -> None:
    """Inverse dynamics, mass matrix and both ways to forward dynamics: 1e-10."""
    model = make(5, length=0.7)
    recursion = peer.Recursion(numbers.mechanism(model))
    third = ca.SX.sym("third", 5)
    made = {
        "inverse_dynamics": recursion.inverse_dynamics(third),
        "mass_matrix": recursion.mass_matrix(),
        "forward_dynamics": recursion.by_factor(third),
        "articulated": recursion.by_articulated_bodies(third),
    }
    q, u, force = np.random.default_rng(5).normal(size=(3, 5))
    arguments = [recursion.q, recursion.u, third]
    theirs = {
        name: np.squeeze(np.array(ca.Function("f", arguments, [result])(q, u, force)))
        for name, result in made.items()
    }
    state = {"q": q, "u": u, "a": force, "tau": force}
    names = ("inverse_dynamics", "mass_matrix", "forward_dynamics")
    ours = graph_values(derive(model), names, state)
    ours["articulated"] = ours["forward_dynamics"]
    assert not breaches(worst_errors(ours, theirs))
