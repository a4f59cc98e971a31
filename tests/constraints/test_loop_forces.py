"""Inverse dynamics of loops, multipliers and reactions along runs."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.four_bars import planar, spatial
from constraints.values import near

import eomc
from eomc.derive.model import Model
from eomc.runtime.constraints.consistency import ConstraintError
from eomc.runtime.constraints.forces import joint_reactions, multipliers
from eomc.runtime.constraints.inverse_dynamics import loop_inverse_dynamics


@pytest.fixture(scope="module")
def linkage() -> eomc.CompiledModel:
    return eomc.build(planar())


def _motion(model: eomc.CompiledModel) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(1)
    q, u = model.project(rng.normal(scale=0.4, size=model.nq), rng.normal(size=model.nu))
    a, _ = model.constrained_dynamics(q, u, rng.normal(size=model.nu), [0.0])
    return q, u, a


def test_the_forces_make_the_motion(linkage: eomc.CompiledModel) -> None:
    q, u, a = _motion(linkage)
    for actuated in ("a", ["a", "d"], None):
        found = loop_inverse_dynamics(linkage, q, u, a, actuators=actuated)
        again, forces = linkage.constrained_dynamics(q, u, found.tau, [0.0])
        assert near(again, a, 1e-10)
        assert near(found.multipliers, forces, 1e-9)
    assert found.redundancy == 2
    assert found.names == ("c.force_y", "c.force_z")


def test_least_norm_beside_any_other_choice(linkage: eomc.CompiledModel) -> None:
    """Internal preload, forces that the constraints balance, only adds to the norm."""
    q, u, a = _motion(linkage)
    found = loop_inverse_dynamics(linkage, q, u, a)
    g = linkage.constraint_jacobian(q)
    preload = g.T @ np.array([0.3, -0.7])
    again, _ = linkage.constrained_dynamics(q, u, found.tau + preload, [0.0])
    assert near(again, a, 1e-10)
    assert abs(found.tau @ preload) < 1e-9


def test_wrong_motions_are_named(linkage: eomc.CompiledModel) -> None:
    q, u, a = _motion(linkage)
    with pytest.raises(ConstraintError, match=r"violates constraint 'c\.force_[yz]': its position"):
        loop_inverse_dynamics(linkage, q + 0.1, u, a)
    with pytest.raises(ConstraintError, match=r"its velocity"):
        loop_inverse_dynamics(linkage, q, u + np.array([0.1, 0, 0]), a)
    with pytest.raises(ConstraintError, match=r"accelerations violate constraint 'c\.force_[yz]'"):
        loop_inverse_dynamics(linkage, q, u, a + np.array([0.1, 0, 0]))
    with pytest.raises(ValueError, match="no speed 'e'"):
        loop_inverse_dynamics(linkage, q, u, a, actuators=["e"])


def test_a_motion_that_no_motor_drives() -> None:
    model = eomc.build(spatial())
    with pytest.raises(ConstraintError, match=r"elbow_2 cannot make this motion: .* rank 0 of 1"):
        loop_inverse_dynamics(model, a={"left": 1, "elbow_1": -1, "right": 1}, actuators="elbow_2")
    # At rest, hanging, there is nothing that it would have to do.
    assert near(loop_inverse_dynamics(model, actuators="elbow_2").tau, np.zeros(4), 1e-12)


def test_forces_along_a_run(linkage: eomc.CompiledModel) -> None:
    """Multipliers of a run are those of its states; the base carries weight and momentum."""
    q, u, _ = _motion(linkage)
    run = eomc.simulate(linkage, q, u, t_span=0.3, step=0.01, rtol=1e-10, atol=1e-12)
    forces = multipliers(run)
    assert forces.values.shape == (31, 2)
    assert near(forces["c.force_z"], forces.values[:, 1], 0)
    reactions = joint_reactions(run)
    assert set(reactions.joints) == {"a", "b", "c", "d"}
    for k in (0, 17, 30):
        _, expected = linkage.constrained_dynamics(run.q[k], run.u[k], np.zeros(3), [0.0])
        assert near(forces.values[k], expected, 1e-12)
    # In the plane: impulse of base reactions and weight = change of momentum.
    mass = 1.2 + 2.1 + 1.7
    weight = np.array([0, 0, -9.81 * mass])
    force = np.array([weight] * run.count)
    for joint, body in (("a", "crank"), ("d", "rocker")):
        axes = linkage.frame(body).pose(run.q)[:, :3, :3]
        force = force + np.einsum("nij,nj->ni", axes, reactions.force(joint))
    p = linkage.momentum(run.q, run.u)[:, :3]
    h = run.t[1] - run.t[0]
    simpson = h / 3 * (force[0] + 4 * force[1:-1:2].sum(0) + 2 * force[2:-1:2].sum(0) + force[-1])
    assert near(simpson, p[-1] - p[0], 2e-4)
    with pytest.raises(KeyError, match="no joint 'e'"):
        reactions.force("e")
    with pytest.raises(KeyError, match="no constraint 'e'"):
        forces["e"]


def test_unconstrained_models_have_reactions_only() -> None:
    model = Model("pendulum")
    model.body("bob", mass=2, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    pendulum = eomc.build(model)
    run = eomc.simulate(pendulum, [0.0], [3.0], t_span=0.1, step=0.05)
    assert near(joint_reactions(run).force("hinge")[0], [0, 0, 2 * (9.81 + 9)], 1e-12)
    with pytest.raises(ValueError, match="has no constraints"):
        multipliers(run)
    with pytest.raises(ValueError, match="has no constraints"):
        loop_inverse_dynamics(pendulum, [0.0])
