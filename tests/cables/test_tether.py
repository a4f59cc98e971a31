"""Ropes that do not stretch and go slack."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc import Point
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text

TIGHT = {"rtol": 1e-11, "atol": 1e-12}


def bob(**given: Any) -> eomc.Model:
    """A mass on a string of 1 m from the origin."""
    made = eomc.Model("bob")
    made.body("bob", mass=2, inertia=(0.01, 0.01, 0.01))
    made.joint("free", "floating", parent="world", child="bob", placement=(0.5, 0, 0))
    made.tether("string", **{"route": ["world", "bob"], "length": 1.0, **given})
    return made


def test_a_mass_falls_into_its_string() -> None:
    """It falls freely, the string takes its speed along it, then it is a pendulum."""
    run = eomc.simulate(eomc.build(bob()), t_span=np.linspace(0, 3, 301), **TIGHT)
    (jerk,) = run.switches["string.impact"]
    drop = np.sqrt(0.75)
    assert np.isclose(jerk, np.sqrt(2 * drop / 9.81), rtol=1e-10)
    x, z = 0.5 + run["free_x"], run["free_z"]
    taut = run.t > jerk
    np.testing.assert_allclose(np.hypot(x, z)[taut], 1.0, rtol=1e-12)
    across = np.sqrt(2 * 9.81 * drop) * 0.5
    energy = across**2 + 2 * 9.81 * -drop
    speed = np.sum(run.u[:, :3] ** 2, axis=1)
    np.testing.assert_allclose((speed + 2 * 9.81 * z)[taut], energy, rtol=1e-9)
    tension = eomc.runtime.contact_forces(run).pressing[:, 0]
    np.testing.assert_allclose(tension[taut], 2 * (speed - 9.81 * z)[taut], rtol=1e-9)
    assert not tension[~taut].any()


def test_it_parts_by_its_restitution_and_where_nothing_pulls() -> None:
    """Thrown along the string it comes back; on a circle too slow for the top it falls off."""
    model = bob(restitution=0.6)
    model.gravity = (0, 0, 0)
    run = eomc.simulate(eomc.build(model), u={"free_vx": 2.0}, t_span=[0, 1.0], **TIGHT)
    assert np.isclose(run.switches["string.impact"][0], 0.25)
    assert np.isclose(run["free_vx"][-1], -1.2)
    # v^2 = g (2 + 3 sin a) at the bottom: the string goes slack at the height sin a.
    height = 0.5
    start = {"free_x": -0.5, "free_z": -1.0}
    v = np.sqrt(9.81 * (2 + 3 * height))
    run = eomc.simulate(
        eomc.build(bob()), start, {"free_vx": v}, t_span=np.linspace(0, 1, 2001), **TIGHT
    )
    opened = run.switches["string.open"][0]
    assert np.isclose(np.interp(opened, run.t, run["free_z"]), height, atol=1e-6)


def test_a_winch_pulls_it_taut() -> None:
    """A drum of 0.2 m that turns at 1 rad/s takes in 0.1 m before it lifts a weight."""
    made = eomc.Model("hoist")
    made.body("drum", mass=1, inertia=(0.1, 0.1, 0.1))
    made.joint("turn", "revolute", parent="world", child="drum", axis=(0, 1, 0))
    made.prescribed("turn")
    made.body("weight", mass=3)
    made.joint(
        "lift", "prismatic", parent="world", child="weight", axis=(0, 0, 1), placement=(0.2, 0, -2)
    )
    made.contact(
        "floor",
        shape={"kind": "point", "at": "weight"},
        surface={"kind": "plane", "at": Point("world", (0, 0, -2))},
        normal={"kind": "rigid", "restitution": 0.0},
    )
    drum = {
        "kind": "winch",
        "at": "world",
        "axis": (0, 1, 0),
        "radius": 0.2,
        "sense": 1,
        "turn": "turn",
    }
    made.tether("rope", [drum, "weight"], length=2.1 + 0.2 * np.pi)
    built = eomc.build(made)
    run = eomc.simulate(
        built, t_span=np.linspace(0, 1, 101), prescribed=lambda t: ([-t], [-1.0], [0.0]), **TIGHT
    )
    away = run.switches["rope.impact"][0]
    late = run.t > away - 1e-9
    speed = np.abs(run["speed(lift)"])
    assert not speed[~late].max() > 1e-9
    np.testing.assert_allclose(speed[late], 0.2, rtol=1e-8)
    tension = eomc.runtime.contact_forces(run).pressing[:, run.contacts.names.index("rope")]
    np.testing.assert_allclose(tension[late], 3 * 9.81, rtol=1e-8)


def test_a_drum_that_carries_itself_is_told() -> None:
    made = eomc.Model("hoist")
    made.body("drum", mass=1, inertia=(0.1, 0.1, 0.1))
    made.joint("turn", "revolute", parent="world", child="drum", axis=(0, 1, 0))
    made.body("weight", mass=3)
    made.joint("lift", "prismatic", parent="world", child="weight", axis=(0, 0, 1))
    drum = {
        "kind": "winch",
        "at": "drum",
        "axis": (0, 1, 0),
        "radius": 0.2,
        "sense": 1,
        "turn": "turn",
    }
    made.tether("rope", [drum, Point("weight", (0.2, 0, -2))], length=3)
    with pytest.warns(UserWarning, match=r"route\[0\]: turn holds a coordinate of joint 'turn'"):
        made.validate()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"restitution": 1.2}, "restitution is 1.2; give a number from 0 to 1"),
        ({"rest_speed": 0}, "rest_speed is 0; give a positive"),
        ({"length": 0}, "length is 0; give a positive one"),
        ({"length": "free_qw"}, "length holds 'free_qw', which is no coordinate with a rate"),
        (
            {
                "route": [
                    "world",
                    {"kind": "eyelet", "at": Point("world", (1, 0, 0)), "friction": 0.1},
                    "bob",
                ]
            },
            r"route\[1\]: friction needs a tension; declare a cable",
        ),
    ],
)
def test_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(eomc.ModelError, match=f"tether 'string': .*{message}"):
        bob(**given).validate()


def test_a_start_too_far_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'string' starts with the gap -0\.5 m; start where"):
        eomc.simulate(eomc.build(bob()), {"free_x": 1.0}, t_span=0.1)


@pytest.mark.slow
def test_files_and_verification() -> None:
    made = bob()
    assert parse_toml(toml_text(made)) == made
    report = eomc.verify(made, quick=True)
    assert report.ok, str(report)
