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
