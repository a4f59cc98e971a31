"""Compiled mechanisms that the tests of the runtime share."""

import pytest
from small_models.mechanisms import double_pendulum, driven_arm, free_body, pendulum

import eomc


@pytest.fixture(scope="session")
def swing() -> eomc.CompiledModel:
    return eomc.build(pendulum())


@pytest.fixture(scope="session")
def chain() -> eomc.CompiledModel:
    return eomc.build(double_pendulum())


@pytest.fixture(scope="session")
def tumbler() -> eomc.CompiledModel:
    return eomc.build(free_body())


@pytest.fixture(scope="session")
def driven() -> eomc.CompiledModel:
    return eomc.build(driven_arm())


@pytest.fixture(scope="session")
def oscillator() -> eomc.CompiledModel:
    """m x'' + d x' + k x = thrust + tau: m = 2, d = 0.6, k = 32 by default."""
    model = eomc.Model("oscillator", gravity=(0, 0, 0))
    for name, value in (("m", 2.0), ("d", 0.6), ("k", 32.0)):
        model.parameter(name, value, tunable=True)
    model.input("thrust", units="N")
    model.body("cart", mass="m")
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0), damping="d")
    model.joint_spring("spring", joint="x", stiffness="k")
    model.force("push", at=eomc.Point("cart"), direction=(1, 0, 0), magnitude="thrust")
    return eomc.build(model, flags=("-O1",))


@pytest.fixture(scope="session")
def mass() -> eomc.CompiledModel:
    """A mass of 2 kg on a frictionless rail: x'' = tau/2."""
    model = eomc.Model("mass", gravity=(0, 0, 0))
    model.body("cart", mass=2)
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    return eomc.build(model, flags=("-O1",))
