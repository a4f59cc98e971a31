"""Mechanisms whose elements have states of their own."""

import pytest

import eomc


def arm() -> eomc.Model:
    """Two links with a lagging motor, bristles and a state of the user that stands in a force."""
    model = eomc.Model("arm")
    model.input("c", units="N m")
    model.parameter("lag", 0.2, units="s", tunable=True)
    model.body("rod", mass=2, com=(0, 0, -0.5))
    model.body("tip", mass=1, com=(0, 0, -0.3), inertia=(0.1, 0.1, 0.1))
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0))
    model.joint(
        "elbow",
        "revolute",
        parent="rod",
        child="tip",
        axis=(0, 1, 0),
        damping=0.1,
        placement={"xyz": (0, 0, -1)},
    )
    model.lag("motor", speed="hinge", command="c - 2*hinge - act", time_constant="lag")
    model.bristle(
        "brush",
        speed="elbow",
        stiffness=100,
        coulomb=1,
        static=1.5,
        stribeck_speed=0.1,
        damping=1,
        viscous=0.1,
    )
    rate = "c - act + sin(hinge)*brush_deflection + 0.1*speed(elbow)"
    model.state("act", rate=rate, initial=0.3)
    model.generalized_force("muscle", speed="elbow", expression="3*act**2")
    return model


def loop() -> eomc.Model:
    """A four-bar driven by a lagging motor."""
    model = eomc.Model("bars")
    model.input("c", units="N m")
    for name, length in (("crank", 0.4), ("coupler", 1.0), ("rocker", 0.9)):
        model.body(name, mass=1, com=(length / 2, 0, 0), inertia=(0, 0.02, 0.02))
    for name, parent, child, at in (
        ("a", "world", "crank", (0, 0, 0)),
        ("b", "crank", "coupler", (0.4, 0, 0)),
        ("c1", "coupler", "rocker", (1.0, 0, 0)),
    ):
        model.joint(
            name,
            "revolute",
            parent=parent,
            child=child,
            axis=(0, 1, 0),
            damping=0.2,
            placement={"xyz": at},
        )
    model.joint(
        "d",
        "revolute",
        parent="world",
        child="rocker",
        axis=(0, 1, 0),
        cut=True,
        placement={"xyz": (1.1, 0, 0)},
        child_placement={"xyz": (0.9, 0, 0)},
    )
    model.lag("motor", speed="a", command="c - speed(a)", time_constant=0.3)
    return model


@pytest.fixture(scope="session")
def compiled_arm() -> eomc.CompiledModel:
    return eomc.build(arm())


@pytest.fixture(scope="session")
def compiled_loop() -> eomc.CompiledModel:
    return eomc.build(loop())
