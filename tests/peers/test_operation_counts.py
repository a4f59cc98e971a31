"""How many operations the derived functions take, against what is known to be possible."""

from __future__ import annotations

import numpy as np
import pytest
from peers.robot_files import robot_file

import eomc
from eomc.derive.formats import load
from eomc.derive.graph import flops, operation_count
from eomc.derive.model import Model, Placement


def chain(n: int, seed: int = 0) -> Model:
    """n revolute joints about x, y, z in turn; general inertias, centres of mass and offsets."""
    rng = np.random.default_rng(seed)
    model = Model(f"chain{n}")

    def numbers(size: int) -> tuple[float, ...]:
        return tuple(float(x) for x in rng.normal(size=size))

    for k in range(n):
        spread = rng.normal(size=(3, 3))
        second = spread @ spread.T
        tensor = np.trace(second) * np.eye(3) - second
        model.body(
            f"b{k}", mass=float(rng.uniform(0.5, 2)), com=numbers(3), inertia=tensor.tolist()
        )
        model.joint(
            f"j{k}",
            "revolute",
            parent=f"b{k - 1}" if k else "world",
            child=f"b{k}",
            axis=((1, 0, 0), (0, 1, 0), (0, 0, 1))[k % 3],
            placement=Placement(xyz=numbers(3)),
        )
    return model


def count(model: Model, name: str) -> int:
    """Additions, subtractions, multiplications and divisions of one function."""
    program = eomc.equations(model).program(functions=[name])
    return flops(program.graph, program.functions[0].nodes)


def test_forward_dynamics_of_a_general_chain_of_seven() -> None:
    """At most 1700 operations and one division a joint."""
    program = eomc.equations(chain(7)).program(functions=["forward_dynamics"])
    nodes = program.functions[0].nodes
    assert flops(program.graph, nodes) <= 1700
    assert operation_count(program.graph, nodes)["div"] <= 7


def test_forward_dynamics_of_the_panda_arm() -> None:
    """At most 1280 operations with locked fingers."""
    pytest.importorskip("yourdfpy", reason="the reader of URDF files (package yourdfpy) is missing")
    path = robot_file("panda_description/urdf/panda.urdf")
    fingers = ["panda_finger_joint1", "panda_finger_joint2"]
    panda = load(path, locked=fingers, damping=False, friction=False)
    assert count(panda, "forward_dynamics") <= 1280


def test_inverse_dynamics_is_linear_in_the_number_of_joints() -> None:
    """Every further joint costs the same, but for the last and the first, whose axes are three."""
    counts = [count(chain(n), "inverse_dynamics") for n in range(6, 31, 3)]
    steps = np.diff(counts)
    assert steps.min() > 0
    assert steps.max() == steps.min()


@pytest.mark.parametrize("name", ["forward_dynamics", "inverse_dynamics"])
def test_long_chains_cost_the_same_a_joint(name: str) -> None:
    """From 50 to 100 joints and from 100 to 200: no growth a joint, by a thousandth at most."""
    short, middle, long = (count(chain(n), name) for n in (50, 100, 200))
    first, second = (middle - short) / 50, (long - middle) / 100
    assert abs(second - first) <= 1e-3 * first
    assert np.log(long / short) / np.log(4) <= 1.05


def test_derivatives_grow_with_the_square() -> None:
    """Of forward and inverse dynamics, general links: power at most 2.1 over the last doubling."""
    for name in ("forward_dynamics_derivatives", "inverse_dynamics_derivatives"):
        assert count(chain(40), name) <= 2**2.1 * count(chain(20), name)


@pytest.mark.parametrize("name", ["forward_dynamics", "mass_matrix"])
def test_branches_do_not_fill_in(name: str) -> None:
    """Twice the arms, twice the operations: M of separate arms keeps its zeros."""
    one, two = Model("one"), Model("two")
    for model, arms in ((one, 1), (two, 2)):
        for arm in range(arms):
            for body in chain(5).bodies.values():
                model.body(f"a{arm}{body.name}", mass=body.mass, com=body.com, inertia=body.inertia)
            for joint in chain(5).joints.values():
                model.joint(
                    f"a{arm}{joint.name}",
                    joint.kind,
                    parent="world" if joint.parent == "world" else f"a{arm}{joint.parent}",
                    child=f"a{arm}{joint.child}",
                    axis=joint.axis,
                    placement=joint.placement,
                )
    assert count(two, name) == 2 * count(one, name)
