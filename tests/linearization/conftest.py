"""Compiled mechanisms that the tests of linearization share."""

import pytest

import eomc
from eomc.systems.trom import four_bar, slider_pendulum


@pytest.fixture(scope="session")
def bars() -> eomc.CompiledModel:
    """A four-bar whose constraint curves."""
    return eomc.build(four_bar(damping=3.0, unequal=True))


@pytest.fixture(scope="session")
def slider() -> eomc.CompiledModel:
    return eomc.build(slider_pendulum(20.0))


@pytest.fixture(scope="session")
def drone() -> eomc.CompiledModel:
    """A floating base with a revolute and a spherical joint, a spring to the world, an input."""
    model = eomc.Model("drone", gravity=(0, 0, -9.81))
    model.body("base", mass=3, com=(0.1, 0.05, -0.2), inertia=(1, 2, 2.5, 0.1, 0.2, -0.1))
    model.joint("b", "floating", parent="world", child="base")
    model.body("arm", mass=1, com=(0.2, 0.1, 0.3), inertia=(0.3, 0.2, 0.25))
    model.joint(
        "j",
        "revolute",
        parent="base",
        child="arm",
        axis=(0, 1, 1),
        damping=0.3,
        placement=eomc.Placement(xyz=(0.3, 0.2, 0.1)),
    )
    model.body("ball", mass=1, com=(0.2, 0.1, 0.3), inertia=(0.3, 0.2, 0.25))
    model.joint(
        "s", "spherical", parent="arm", child="ball", placement=eomc.Placement(xyz=(0.3, 0.2, 0.5))
    )
    model.spring(
        "k",
        a=eomc.Point("ball", (0.1, 0.2, 0.3)),
        b=eomc.Point("world", (1, 2, 3)),
        stiffness=40,
        damping=3,
        free_length=1,
    )
    push = model.input("push", units="N")
    model.force(
        "f", at=eomc.Point("arm", (0, 0, 1)), direction=(1, 2, 0), frame="body", magnitude=push
    )
    model.frame("tip", body="ball", placement=eomc.Placement(xyz=(0, 0, 1)))
    return eomc.build(model)


@pytest.fixture(scope="session")
def sled() -> eomc.CompiledModel:
    """A body in the plane on a knife edge off its mass centre, with drag: nonholonomic."""
    model = eomc.Model("sled", gravity=(0, 0, 0))
    model.body("sled", mass=2, inertia=(0.2, 0.3, 0.4))
    model.joint(
        "p", "planar", parent="world", child="sled", axis=(0, 0, 1), damping=(0.3, 0.3, 0.1)
    )
    model.constraint("edge", "knife_edge", a=eomc.Point("sled", (-0.3, 0, 0)), axis_a=(0, 1, 0))
    return eomc.build(model)
