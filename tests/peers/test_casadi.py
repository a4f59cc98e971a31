"""The recursions that CasADi is timed with give what ours give."""

from __future__ import annotations

import numpy as np
import pytest
from peers.comparison import breaches, worst_errors
from peers.graph_values import graph_values

import eomc
from eomc.systems.chain import general_chain
from eomc.systems.pendulum import planar_pendulum, spatial_pendulum

ca = pytest.importorskip("casadi", reason="CasADi (package casadi) is not installed")
peer = pytest.importorskip(
    "benchmarks.casadi_recursion", reason="the tests do not run from the project's root"
)
numbers = pytest.importorskip("benchmarks.mechanism")


def _branched() -> eomc.Model:
    """Joint frames that lie crooked in their parents, general inertias, two branches."""
    model = eomc.Model("branched", gravity=(0.3, -0.2, -9.81))
    parents = ("world", "b0", "b1", "b0", "b3")
    for k, parent in enumerate(parents):
        inertia = (0.2, 0.25, 0.3, 0.01 * k, -0.02, 0.03)
        model.body(f"b{k}", mass=1 + 0.3 * k, com=(0.1, -0.2 * k, 0.15), inertia=inertia)
        place = eomc.Placement(xyz=(0.3, 0.1 * k, -0.2), rpy=(0.4 * k, -0.3, 0.2))
        axis = [float(i == k % 3) for i in range(3)]
        model.joint(f"j{k}", "revolute", parent=parent, child=f"b{k}", axis=axis, placement=place)
    return model


@pytest.mark.parametrize(
    "make",
    [
        lambda: planar_pendulum(5, length=0.7),
        lambda: spatial_pendulum(5, length=0.7),
        lambda: general_chain(5),
        _branched,
    ],
    ids=["planar", "spatial", "general", "branched"],
)
def test_hand_written_recursions_agree(make) -> None:
    """Inverse dynamics, mass matrix and both ways to forward dynamics: 1e-10."""
    model = make()
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
    ours = graph_values(eomc.equations(model), names, state)
    ours["articulated"] = ours["forward_dynamics"]
    assert not breaches(worst_errors(ours, theirs))


@pytest.mark.parametrize(("robot", "most"), [("pendulum", 7013), ("G1", 8357)])
def test_the_contender_is_a_good_recursion(robot: str, most: int) -> None:
    """Forward dynamics in no more operations than a recursion written by others took."""
    from benchmarks.casadi_peer import hand_written, operations
    from benchmarks.cases import g1
    from benchmarks.contender import Unavailable

    try:
        model = g1() if robot == "G1" else spatial_pendulum(30)
    except Unavailable as reason:
        pytest.skip(str(reason))
    assert operations(hand_written(numbers.mechanism(model), "forward_dynamics")) <= most
