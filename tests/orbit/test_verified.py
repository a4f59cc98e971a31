"""Satellites are verified where they orbit: no check breaches, runs are compared."""

import pytest
from orbit.satellites import MU, dumbbell, robot

import eomc
from eomc.derive.model import Model


def floating(mu: float = MU) -> Model:
    """A satellite with an arm, on coordinates of the inertial frame."""
    model = Model("floating", gravity=(0, 0, 0))
    model.body("sat", mass=100, com=(0.1, 0.2, -0.1), inertia=(30, 50, 60, 1, 2, -3))
    model.body("arm", mass=10, com=(1, 0, 0), inertia=(0.1, 3, 3))
    model.joint("base", "floating", parent="world", child="sat")
    model.joint("elbow", "revolute", parent="sat", child="arm", axis=(0, 1, 0))
    model.central_gravity("earth", mu=mu)
    return model


MODELS = {"robot": robot, "dumbbell": dumbbell, "floating": floating}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_no_check_breaches(name):
    checks = ["integrators", "Lagrange", "lanes"]
    report = eomc.verify(MODELS[name](), quick=True, checks=checks, flags=["-O0"])
    assert report.breaches == ()
    verdicts = {found.check.name: found.verdict for found in report.outcomes}
    assert [verdicts[check] for check in checks] == ["pass"] * 3


@pytest.mark.parametrize("mu", [1.0, MU])
def test_where_circles_take_a_radian_a_second(mu):
    """By the units of mu, whatever they are."""
    drawn = eomc.build(floating(mu), flags=["-O0"]).random_configuration(1, size=100)
    distance = drawn[:, :3] / mu ** (1 / 3)
    assert ((distance > 0.899) & (distance < 1.101)).all()
