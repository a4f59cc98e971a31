"""Rigid contacts: declared, run, refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc import Point
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.runtime.constraints.consistency import ConstraintError
from eomc.runtime.control import Sampled
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.impacts.contacts import RigidContacts
from eomc.runtime.impacts.friction_impulse import frictional
from eomc.runtime.model.state import State


def ball(**given: Any) -> eomc.Model:
    made = eomc.Model("ball")
    made.body("ball", mass=2, inertia=(0.1, 0.1, 0.1))
    made.joint("free", "floating", parent="world", child="ball")
    contact = {
        "shape": {"kind": "sphere", "at": "ball", "radius": 0.5},
        "surface": {"kind": "plane", "at": "world"},
        "normal": {"kind": "rigid", "restitution": 0.5},
    }
    made.contact("floor", **{**contact, **given})
    return made


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"normal": {"kind": "rigid", "restitution": 1.1}},
            r"normal \(rigid\): restitution is 1.1; give a number from 0",
        ),
        ({"normal": {"kind": "rigid", "restitution": -0.1}}, "restitution is -0.1"),
        (
            {"normal": {"kind": "rigid", "restitution": 0, "rest_speed": 0}},
            "rest_speed is 0; give a positive",
        ),
        ({"width": 0.1}, "width is of forces by depth; a rigid contact has none"),
        ({"friction": {"kind": "dry", "kinetic": -1}}, r"friction \(dry\): kinetic is -1"),
        (
            {"friction": {"kind": "dry", "kinetic": 0.4, "static": 0.3}},
            "static friction is below the kinetic one",
        ),
        ({"friction": {"kind": "dry", "kinetic": 0.4, "speed": 1}}, "give static, too"),
        (
            {"friction": {"kind": "bristles", "stiffness": 1, "kinetic": 1}},
            r"friction \(bristles\): has states",
        ),
        (
            {
                "normal": {"kind": "spring", "stiffness": 1},
                "friction": {"kind": "dry", "kinetic": 0.3},
            },
            r"\(dry\): sticks, which takes",
        ),
    ],
)
def test_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(eomc.ModelError, match=f"contact 'floor': .*{message}"):
        ball(**given).validate()


def test_files() -> None:
    made = ball(friction={"kind": "dry", "kinetic": 0.3, "static": 0.4})
    assert parse_toml(toml_text(made)) == made
    assert made.rigid_contacts() == ("floor",)
    assert not any(name.endswith("force") for name in made.element_outputs())


def test_runs_that_do_not_go_with_them() -> None:
    built = eomc.build(ball())
    for method in ("rk4", "dopri", "BDF"):
        with pytest.raises(ValueError, match=f"rigid contacts, which do not go with .*{method}"):
            eomc.simulate(built, t_span=0.1, method=method)
    why = eomc.simulate(built, {"free_z": 1}, t_span=0.1).statistics["why"]
    assert why == "steps end where rigid contacts open and close"
    with pytest.raises(ValueError, match="unknown law of impact 'newtn'; did you mean 'newton'"):
        eomc.simulate(built, {"free_z": 1}, t_span=0.1, impact_law="newtn")
    with pytest.raises(ValueError, match=r"'floor' starts with the gap -0\.5 m"):
        eomc.simulate(built, t_span=0.1)
    for purpose in (eomc.linearize, eomc.equilibrium):
        with pytest.raises(ValueError, match="knows no rigid contacts, of which there are floor"):
            purpose(built)


def rod(name: str) -> eomc.Model:
    """A rod to hang from the origin, whose end strikes a wall."""
    made = eomc.Model(name)
    made.body("rod", mass=2, com=(0, 0, -0.5), inertia=(0.2, 0.2, 0.01))
    made.contact(
        "wall",
        shape={"kind": "sphere", "at": Point("rod", (0, 0, -1)), "radius": 0.1},
        surface={"kind": "plane", "at": Point("world", (-0.3, 0, 0)), "normal": (1, 0, 0)},
        normal={"kind": "rigid", "restitution": 0.7},
    )
    return made


def test_constraints_hold_through_impacts() -> None:
    """A hinge as the joint of the tree, and as constraints of a body that floats."""
    hinged, floats = rod("hinged"), rod("floats")
    hinged.joint("turn", "revolute", parent="world", child="rod", axis=(0, 1, 0))
    floats.joint("free", "floating", parent="world", child="rod")
    floats.constraint("pin", "coincident", a="world", b="rod")
    floats.constraint("axis", "parallel", a="world", b="rod", axis_a=(0, 1, 0), axis_b=(0, 1, 0))
    t, tight = np.linspace(0, 3, 31), {"rtol": 1e-11, "atol": 1e-12}
    one = eomc.simulate(eomc.build(hinged), [-1.0], t_span=t, **tight)
    start = {"free_qw": np.cos(0.5), "free_qy": -np.sin(0.5)}
    other = eomc.simulate(eomc.build(floats), start, t_span=t, **tight)
    turn = 2 * np.arctan2(other["free_qy"], other["free_qw"])
    assert len(one.switches["wall.impact"]) == 3
    np.testing.assert_allclose(other.switches["wall.impact"], one.switches["wall.impact"], 1e-9)
    np.testing.assert_allclose(turn, one["turn"], atol=1e-9)
    struck = eomc.runtime.impact(floats_built := eomc.build(floats), other.q[0], np.zeros(6))
    assert struck.names == ()
    with pytest.raises(ConstraintError, match=r"pin.*eomc\.assemble"):
        eomc.runtime.impact(floats_built, {"free_x": 0.5})


def test_a_four_bar_against_a_rigid_stop_keeps_its_energy() -> None:
    """Of restitution 1, and closed: the crank strikes, all links turn back."""
    made = eomc.Model("four-bar", gravity=(0, 0, 0))
    lengths = {"crank": 1.0, "coupler": 2.0, "rocker": 1.5}
    for name, length in lengths.items():
        made.body(name, mass=length, com=(length / 2, 0, 0), inertia=(0.1, 0.1, 0.1))
    made.joint("a", "revolute", parent="world", child="crank", axis=(0, 0, 1))
    made.joint(
        "b", "revolute", parent="crank", child="coupler", axis=(0, 0, 1), placement=(1, 0, 0)
    )
    made.joint("d", "revolute", parent="world", child="rocker", axis=(0, 0, 1), placement=(2, 0, 0))
    made.joint(
        "c",
        "revolute",
        parent="coupler",
        child="rocker",
        axis=(0, 0, 1),
        placement=(2, 0, 0),
        child_placement=(1.5, 0, 0),
    )
    made.stop(
        "stop", coordinate="a", lower=0.5, upper=2.0, normal={"kind": "rigid", "restitution": 1.0}
    )
    built = eomc.build(made)
    start = eomc.assemble(
        built, {"a": 1.0, "b": -0.7, "d": 1.5}, {"a": 1.0}, fixed=["a", "speed(a)"]
    )
    run = eomc.simulate(
        built, start.q, start.u, t_span=np.linspace(0, 8, 81), rtol=1e-11, atol=1e-12
    )
    assert run.statistics["impacts"] >= 4
    kept = built.kinetic_energy(run.q, run.u)
    np.testing.assert_allclose(kept, kept[0], rtol=1e-8)
    assert np.abs(built.constraint_residual(run.q)).max() < 1e-12


def test_elements_with_states_go_with_them() -> None:
    """A ball that a motor pulls to the floor, which lags behind its command."""
    made = eomc.Model("hopper", gravity=(0, 0, 0))
    made.body("ball", mass=2)
    made.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    made.input("pull", units="N")
    made.lag("motor", speed="z", command="-pull", time_constant=0.2)
    made.contact(
        "floor",
        shape={"kind": "point", "at": "ball"},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "rigid", "restitution": 0.5},
    )
    built = eomc.build(made)
    run = eomc.simulate(built, {"z": 1.0}, t_span=3.0, inputs={"pull": 4.0}, rtol=1e-11, atol=1e-12)
    # m z'' = -F (1 - exp(-t/T)): where z = 0 first.
    times = np.linspace(0.5, 2, 200_001)
    fall = 1 - 2 * (times**2 / 2 - 0.2 * times + 0.04 * (1 - np.exp(-times / 0.2)))
    first = np.interp(0, -fall, times)
    assert np.isclose(run.switches["floor.impact"][0], first, rtol=1e-8)


def test_sampled_laws_go_with_them() -> None:
    """A ball that a held law pulls to the floor while it is above 0.5 m, piece by piece by hand."""
    made = eomc.Model("pulled", gravity=(0, 0, 0))
    made.body("ball", mass=2)
    made.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    made.contact(
        "floor",
        shape={"kind": "point", "at": "ball"},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "rigid", "restitution": 0.5},
    )
    law = Sampled(lambda t, q, u: np.array([-8.0 if q[0] > 0.5 else -4.0]), period=0.05)
    run = eomc.simulate(
        eomc.build(made), {"z": 1.0}, t_span=2.5, controller=law, rtol=1e-11, atol=1e-13
    )
    z, v, struck = 1.0, 0.0, []
    for k in range(50):
        a, left = (-8.0 if z > 0.5 else -4.0) / 2, 0.05
        while True:
            hit = (v + np.sqrt(v * v - 2 * a * z)) / -a
            if hit >= left:
                break
            struck.append((k + 1) * 0.05 - left + hit)
            z, v, left = 0.0, -0.5 * (v + a * hit), left - hit
        z, v = z + v * left + a * left * left / 2, v + a * left
    assert len(struck) >= 2
    np.testing.assert_allclose(run.switches["floor.impact"], struck, rtol=1e-8)
    assert np.isclose(run["z"][-1], z, atol=1e-9) and np.isclose(run["speed(z)"][-1], v, atol=1e-8)


def test_poisson_takes_no_dry_friction() -> None:
    built = eomc.build(ball(friction={"kind": "dry", "kinetic": 0.3}))
    with pytest.raises(ValueError, match="Poisson's law takes contacts without dry friction"):
        eomc.runtime.impact(built, {"free_z": 0.5}, {"free_vz": -1}, impact_law="poisson")


def test_a_rigid_stop() -> None:
    door = eomc.Model("door", gravity=(0, 0, 0))
    door.body("door", mass=20, com=(0.4, 0, 0), inertia=(0.5, 1, 1))
    door.joint("hinge", "revolute", parent="world", child="door", axis=(0, 0, 1))
    door.stop(
        "frame",
        coordinate="hinge",
        lower=0,
        upper=1.6,
        normal={"kind": "rigid", "restitution": 0.4},
    )
    run = eomc.simulate(eomc.build(door), {"hinge": 1.0}, {"hinge": 2.0}, t_span=[0, 0.6, 3.0])
    assert np.isclose(run.switches["frame.upper.impact"][0], 0.3)
    assert np.isclose(run["speed(hinge)"][1], -0.8)
    assert np.isclose(run["speed(hinge)"][2], 0.32)
    assert np.isclose(run.switches["frame.lower.impact"][0], 0.3 + 1.6 / 0.8)


def test_a_box_falls_on_its_corners_and_rests() -> None:
    """Four corners close at once, and one of them is too many for the forces to be known."""
    made = eomc.Model("box")
    made.body("box", mass=3, inertia=(0.1, 0.2, 0.25))
    made.joint("free", "floating", parent="world", child="box")
    made.contact(
        "table",
        shape={"kind": "box", "at": "box", "half_sizes": (0.3, 0.2, 0.1)},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "rigid", "restitution": 0.0},
        friction={"kind": "dry", "kinetic": 0.4},
    )
    start = {"free_z": 0.1 + 0.5 * 9.81 * 0.2**2}
    run = eomc.simulate(eomc.build(made), start, {"free_vx": 1.0}, t_span=[0, 0.1, 1.5], rtol=1e-10)
    assert np.isclose(run.contacts.impacts[0].t, 0.2)
    forces = eomc.runtime.contact_forces(run)
    assert np.isclose(forces.pressing[-1].sum(), 3 * 9.81)
    assert np.abs(run.u[-1]).max() < 1e-12
    # Friction takes mu m v at the impact, and the rest as it slides.
    v = 1 - 0.4 * 9.81 * 0.2
    assert np.isclose(run["free_x"][-1], 0.2 + v**2 / (2 * 0.4 * 9.81))


def test_the_energy_of_rest_is_that_of_the_point() -> None:
    """A carriage of 8 kg that comes to rest at 0.1 m/s: half of 8 kg 0.01 m^2/s^2."""
    made = eomc.Model("carriage")
    made.body("carriage", mass=8)
    made.joint("drop", "prismatic", parent="world", child="carriage", axis=(0, 0, 1))
    made.contact(
        "table",
        shape={"kind": "sphere", "at": "carriage", "radius": 0.1},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "rigid", "restitution": 0.0, "rest_speed": 0.1},
    )
    compiled = eomc.build(made)
    state = State(np.array([0.1]), np.zeros(1))
    found = RigidContacts(compiled, Excitation(compiled)).at(0.0, state)
    assert found.energy_of_rest(0) == pytest.approx(0.04, rel=1e-12)


def test_impulses_meet_their_laws() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        rows = rng.normal(size=(9, 12))
        w, c, mu = rows @ rows.T, rng.normal(size=(3, 3)), np.full(3, 0.2)
        p = frictional(w, c, mu, mu, ["a", "b", "c"])
        s = (w @ p.ravel()).reshape(3, 3) + c
        assert (p[:, 0] >= 0).all() and (s[:, 0] >= -1e-12).all()
        assert np.abs(p[:, 0] * s[:, 0]).max() < 1e-12
        for impulse, speed in zip(p, s, strict=True):
            size = np.linalg.norm(speed[1:])
            assert np.linalg.norm(impulse[1:]) <= 0.2 * impulse[0] * (1 + 1e-9)
            if size > 1e-9:
                wanted = -0.2 * impulse[0] * speed[1:] / size
                np.testing.assert_allclose(impulse[1:], wanted, atol=1e-10)


def test_a_model_with_rigid_contacts_is_verified() -> None:
    report = eomc.verify(ball(friction={"kind": "dry", "kinetic": 0.3}), quick=True)
    assert report.ok, str(report)


@pytest.mark.parametrize("height", [0.0, 1.7e-8, -1e-6, 0.05])
def test_runs_start_from_what_is_assembled(height: float) -> None:
    """A four-bar whose rocker carries a foot: the loop is closed where the foot is in the floor."""
    made = eomc.Model("stand", gravity=(0, 0, -9.81))
    y = (0, -1, 0)
    for name, length in (("crank", 1.0), ("coupler", 2.0), ("rocker", 1.5), ("leg", 1.0)):
        made.body(name, mass=length, com=(length / 2, 0, 0), inertia=(0.1, 0.1, 0.1))
    made.joint("a", "revolute", parent="world", child="crank", axis=y)
    made.joint("b", "revolute", parent="crank", child="coupler", axis=y, placement=(1, 0, 0))
    made.joint("d", "revolute", parent="world", child="rocker", axis=y, placement=(2, 0, 0))
    made.joint(
        "c",
        "revolute",
        parent="coupler",
        child="rocker",
        axis=y,
        placement=(2, 0, 0),
        child_placement=(1.5, 0, 0),
        cut=True,
    )
    made.joint("e", "revolute", parent="rocker", child="leg", axis=y, placement=(1.5, 0, 0))
    made.parameter("h", 0.0, tunable=True)
    made.contact(
        "foot",
        shape={"kind": "point", "at": Point("leg", (1, 0, 0))},
        surface={"kind": "plane", "at": Point("world", (0, 0, "h"))},
        normal={"kind": "rigid", "restitution": 0.0},
        friction={"kind": "dry", "kinetic": 0.3},
    )
    model = eomc.build(made)
    guess = {"a": 1.0, "b": -0.7, "d": 1.5, "e": -3.0}
    free = eomc.assemble(model, guess, parameters={"h": -5.0})
    foot = float(model.element_outputs(free.q, free.u, parameters=[0.0])[0])
    given = {"h": foot + height}  # the floor so much above the foot
    start = eomc.assemble(model, guess, {"a": 0.3}, parameters=given)
    gap = model.element_outputs(start.q, start.u, parameters=[given["h"]])[0]
    assert gap == pytest.approx(max(-height, 0.0), abs=1e-12)
    assert np.abs(model.constraint_residual(start.q)).max() < 1e-12
    run = eomc.simulate(model, start.q, start.u, t_span=0.01, parameters=given)
    assert np.isfinite(run.q).all()
