"""Cylinders as one declaration: what drives them, what holds them, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.formats.toml import parse_toml
from eomc.derive.model import Model, ModelError, Point

LENGTH = np.sqrt(2.0)


def jib(**options: Any) -> Model:
    """A beam hinged at the origin, a cylinder from below to 1 m along it."""
    model = Model("jib", gravity=(0, -9.81, 0))
    model.body("jib", mass=100, com=(2, 0, 0), inertia=(1, 130, 130))
    model.joint("luff", "revolute", parent="world", child="jib", axis=(0, 0, 1))
    arguments: dict[str, Any] = {
        "a": Point("world", (0, -1, 0)),
        "b": Point("jib", (1, 0, 0)),
        "axis": (0, 0, 1),
        "direction": (1, 1, 0),
        "length": LENGTH,
        "barrel_mass": 4,
        "rod_mass": 3,
    }
    model.cylinder("jack", **{**arguments, **options})
    return model


def built(**options: Any) -> Any:
    return eomc.build(jib(**options))


@pytest.mark.parametrize("massless", [False, True])
def test_the_force_that_holds(massless: bool) -> None:
    """By moments about the hinge: F / sqrt(2) at 1 m carries the weights."""
    masses = {"barrel_mass": 0, "rod_mass": 0} if massless else {}
    model = built(**masses)
    start = eomc.assemble(model)
    # each rod carries itself halfway: its middle is 0.5 m off the hinge, which moves half as far
    weights = 9.81 * (200.0 + (0.0 if massless else 7.0 * 0.5))
    lever = 1 / LENGTH
    force = weights / lever
    found = eomc.assemble(model, start.q, inputs={"jack_force": force}).a
    if massless:
        np.testing.assert_allclose(found, 0, atol=1e-9)
    else:
        assert abs(found[0]) < 0.05


def test_a_prescribed_extension() -> None:
    model = built(drive="extension")
    assert model.prescribed == ("jack",)
    run = eomc.simulate(
        model, t_span=1.0, prescribed={"jack": lambda t: (0.1 * t**2, 0.2 * t, 0.2)}
    )
    sides = 1 + 1 - 2 * np.cos(np.pi / 2 + run["luff"])
    np.testing.assert_allclose(np.sqrt(sides) - LENGTH, 0.1 * run.t**2, atol=1e-9)


def test_a_lag_and_limits() -> None:
    model = built(lag=0.1, force_limits=(0.0, 2000.0))
    run = eomc.simulate(model, t_span=0.5, inputs={"jack_force": 1e6})
    np.testing.assert_allclose(
        run["jack_drive_effort"], 2000 * (1 - np.exp(-run.t / 0.1)), rtol=1e-5, atol=1e-3
    )
    plain = built(force_limits=(0.0, 2000.0))
    zero = np.zeros(plain.nq)
    pushed = [eomc.assemble(plain, zero, inputs={"jack_force": f}).a[0] for f in (-5, 0, 2e3, 9e9)]
    assert pushed[0] == pushed[1] < pushed[2] == pushed[3]


def test_a_velocity_source() -> None:
    """The flow goes into the extension, with the compliance of the oil in between."""
    model = built(drive="velocity", stiffness=5e6, lag=0.02, damping=2e3)
    run = eomc.simulate(model, t_span=0.3, inputs={"jack_velocity": 0.1}, method="Radau")
    flown = 0.1 * (run.t - 0.02 * (1 - np.exp(-run.t / 0.02)))
    np.testing.assert_allclose(run["jack"] + run["jack_thrust"] / 5e6, flown, atol=1e-5)
    assert run["jack"][-1] == pytest.approx(flown[-1], abs=5e-3)
    relieved = built(drive="velocity", stiffness=5e6, force_limits=(0.0, 1000.0), damping=2e3)
    run = eomc.simulate(relieved, t_span=0.05, inputs={"jack_velocity": 0.1}, method="Radau")
    assert 900 < run["jack_thrust"].max() < 1130


def test_stroke_and_stop() -> None:
    declared = jib(
        stroke=(-0.2, 0.1), stop={"kind": "kelvin_voigt", "stiffness": 1e6, "damping": 1e3}
    )
    joint = declared.joints["jack"]
    assert (joint.lower, joint.upper) == ((-0.2,), (0.1,))
    run = eomc.simulate(
        eomc.build(declared), t_span=0.6, inputs={"jack_force": 1e4}, method="LSODA"
    )
    assert 0.1 < run["jack"].max() < 0.15


def test_in_a_file() -> None:
    text = """
name = "jib"
[[body]]
name = "jib"
mass = 100
com = [2, 0, 0]
inertia = [1, 130, 130]
[[joint]]
name = "luff"
kind = "revolute"
parent = "world"
child = "jib"
axis = [0, 0, 1]
[[cylinder]]
name = "jack"
a = { body = "world", xyz = [0, -1, 0] }
b = { body = "jib", xyz = [1, 0, 0] }
axis = [0, 0, 1]
direction = [1, 1, 0]
length = LENGTH
"""
    assert parse_toml(text.replace("LENGTH", repr(float(LENGTH)))).coordinates == jib().coordinates
    with pytest.raises(ModelError, match="<text>:14: cylinder 'jack': length is -1"):
        parse_toml(text.replace("LENGTH", "-1"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drive": "pressure"}, "cylinder 'jack': drive: no 'pressure'"),
        ({"length": 0}, "length is 0; give a number > 0"),
        ({"direction": (0, 0, 1)}, "direction .* is not normal to the axis"),
        ({"axis": (0, 0)}, "give three numbers each"),
        ({"stroke": (1, 0)}, "stroke is .1, 0.; give the lower number first"),
        ({"force_limits": 3}, "force_limits is 3; give two numbers"),
        ({"lag": -1}, "lag is -1"),
        ({"drive": "extension", "lag": 0.1}, "a given extension takes no command, lag or limits"),
        ({"drive": "velocity"}, "a velocity source needs one > 0"),
        ({"stiffness": 5}, "others have none"),
        ({"stop": {"kind": "kelvin_voigt", "stiffness": 1e5}}, "a stop needs the stroke"),
        ({"b": Point("job", (1, 0, 0))}, "job"),
    ],
)
def test_bad_cylinders(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        jib(**options).validate()
