"""Articulated bodies and the factored mass matrix: one physics, the cheaper algorithm taken."""

from __future__ import annotations

import numpy as np
import pytest
from dynamics.evaluation import close
from dynamics.loaded_trees import loaded_tree
from peers.random_trees import random_coordinates

import eomc
from eomc.derive.dynamics.forward import ARTICULATED, FACTORED
from eomc.derive.graph import evaluate, flops, nodes
from eomc.derive.model import Model
from eomc.systems.chain import general_chain


def accelerations(model: Model, seed: int) -> list[np.ndarray]:
    """By both methods at one random state."""
    rng = np.random.default_rng(seed)
    system = eomc.equations(model).system(())
    arrays = {
        "q": random_coordinates(model, rng),
        "u": rng.normal(size=system.tree.nu),
        "tau": rng.normal(size=system.tree.nu),
        "r": rng.normal(size=len(model.inputs)),
    }
    values = {f"{name}[{i}]": x for name, array in arrays.items() for i, x in enumerate(array)}
    values["t"] = 0.3
    return [
        np.array([float(x) for x in evaluate(system.graph, nodes(method.acceleration), values)])
        for method in (system.forward_articulated, system.forward_factored)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_articulated_bodies_equal_the_factored_mass_matrix(seed: int) -> None:
    articulated, factored = accelerations(loaded_tree(seed), seed)
    assert close(articulated, factored, 1e-9)


def test_rotor_inertia_stays_with_its_joint() -> None:
    model = general_chain(5)
    geared = Model("geared", gravity=model.gravity)
    for body in model.bodies.values():
        geared.body(body.name, mass=body.mass, com=body.com, inertia=body.inertia)
    for k, joint in enumerate(model.joints.values()):
        geared.joint(
            joint.name,
            joint.kind,
            parent=joint.parent,
            child=joint.child,
            axis=joint.axis,
            placement=joint.placement,
            rotor_inertia=0.01 * k,
            gear_ratio=7,
        )
    articulated, factored = accelerations(geared, 3)
    assert close(articulated, factored, 1e-11)


def test_method_follows_the_operation_count() -> None:
    assert eomc.equations(general_chain(7)).system(()).forward.method == FACTORED
    assert eomc.equations(general_chain(30)).system(()).forward.method == ARTICULATED


def test_chain_operations_grow_linearly() -> None:
    """Ten more joints cost the same wherever the chain ends."""
    counts: dict[int, tuple[int, int]] = {}
    for n in (20, 30, 40):
        system = eomc.equations(general_chain(n)).system(())
        inverse = flops(system.graph, nodes(system.inverse.free))
        counts[n] = (inverse, system.forward_articulated.operations)
    for k in range(2):
        assert counts[40][k] - counts[30][k] == counts[30][k] - counts[20][k]


def test_general_chain_of_seven_turns_stays_within_its_budget() -> None:
    """Alternating axes, general offsets and inertias: at most 1 700 operations."""
    assert eomc.equations(general_chain(7)).operations["forward_dynamics"] <= 1700
