"""200 random trees of every joint kind: each function of ours against Pinocchio."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eomc

pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")

from peers.comparison import TOLERANCE, breaches, worst_errors  # noqa: E402
from peers.graph_values import graph_values  # noqa: E402
from peers.pinocchio_tree import pinocchio_tree  # noqa: E402
from peers.pinocchio_values import pinocchio_values, residual, worst_residual  # noqa: E402
from peers.random_trees import random_coordinates, random_tree, with_extras  # noqa: E402

# Four families of fifty; one test each, so that they run side by side.
FAMILIES = ((), ("mimic",), ("massless", "rotors"), ("mimic", "massless", "rotors", "losses"))


@pytest.mark.slow
@pytest.mark.parametrize("extras", FAMILIES, ids=lambda extras: "+".join(extras) or "plain")
@settings(max_examples=50)
@given(seed=st.integers(0, 2**32 - 1), joints=st.integers(1, 8))
def test_every_function_agrees_with_pinocchio(
    extras: tuple[str, ...], seed: int, joints: int
) -> None:
    """Inverse and forward dynamics, M, energies, momenta, manifold, derivatives, frames: 1e-10.

    Forward dynamics and its derivatives by the residuals of what they solve.
    """
    model = with_extras(random_tree(seed, joints), seed, *extras)
    peer = pinocchio_tree(model)
    rng = np.random.default_rng(seed)
    state = {"q": random_coordinates(model, rng)}
    state |= {name: rng.normal(size=peer.nu) for name in ("u", "a", "tau")}
    state["du"] = rng.uniform(-1.5, 1.5, size=peer.nu)  # any three of them less than half a turn
    expected = pinocchio_values(peer, state, ("tool", f"b{joints - 1}"))
    # The step back is asked for between the configurations that the step leads to.
    state |= {"q0": state["q"], "q1": np.asarray(expected["integrate"])}
    expected["difference"] = state["du"]
    ours = graph_values(eomc.equations(model), expected, state)
    ours["integrate"] = peer.q(np.asarray(ours["integrate"]))
    expected["integrate"] = peer.q(np.asarray(expected["integrate"]))
    # M^-1 amplifies what both sides round; M times accelerations and derivatives does not.
    derivatives = ours.pop("forward_dynamics_derivatives")
    at = state | {"a": np.asarray(ours.pop("forward_dynamics"))}
    del expected["forward_dynamics_derivatives"], expected["forward_dynamics"]
    assert residual(peer, at) <= TOLERANCE
    assert worst_residual(peer, at, derivatives) <= TOLERANCE
    assert not breaches(worst_errors(ours, expected))
