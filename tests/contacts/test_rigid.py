"""Rigid contacts: declared, run, refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.runtime.impact.friction_impulse import frictional


def ball(**given: Any) -> eomc.Model:
    made = eomc.Model("ball")
    made.body("ball", mass=2, inertia=(0.1, 0.1, 0.1))
    made.joint("free", "floating", parent="world", child="ball")
    contact = {
        "shape": {"sphere": "ball", "radius": 0.5},
        "surface": {"plane": "world"},
        "normal": {"rigid": 0.5},
    }
    made.contact("floor", **{**contact, **given})
    return made


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"normal": {"rigid": 1.1}}, r"normal \(rigid\): restitution is 1.1; give a number from 0"),
        ({"normal": {"rigid": -0.1}}, "restitution is -0.1"),
        ({"normal": {"rigid": 0, "rest_speed": 0}}, "rest_speed is 0; give a positive"),
        ({"width": 0.1}, "width is of forces by depth; a rigid contact has none"),
        ({"friction": {"dry": -1}}, r"friction \(dry\): mu is -1"),
        ({"friction": {"dry": 0.4, "static": 0.3}}, "static friction is below the kinetic one"),
        ({"friction": {"dry": 0.4, "speed": 1}}, "give static, too"),
        ({"friction": {"bristles": 1, "kinetic": 1}}, r"friction \(bristles\): has states"),
        ({"normal": {"spring": 1}, "friction": {"dry": 0.3}}, r"\(dry\): sticks, which takes"),
    ],
)
def test_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(eomc.ModelError, match=f"contact 'floor': .*{message}"):
        ball(**given).validate()


def test_files() -> None:
    made = ball(friction={"dry": 0.3, "static": 0.4})
    assert parse_toml(toml_text(made)) == made
    assert made.rigid_contacts() == ("floor",)
    assert not any(name.endswith("force") for name in made.element_outputs())


def test_runs_that_do_not_go_with_them() -> None:
    built = eomc.build(ball())
    for method in ("rk4", "dopri", "BDF"):
        with pytest.raises(ValueError, match=f"rigid contacts, which do not go with .*{method}"):
            eomc.simulate(built, t=0.1, method=method)
    with pytest.raises(ValueError, match="unknown law of impact 'newtn'; did you mean 'newton'"):
        eomc.simulate(built, {"free_z": 1}, t=0.1, impacts="newtn")
    with pytest.raises(ValueError, match=r"'floor' starts with the gap -0\.5 m"):
        eomc.simulate(built, t=0.1)
    for purpose in (eomc.linearize, eomc.equilibrium):
        with pytest.raises(ValueError, match="knows no rigid contacts, of which there are floor"):
            purpose(built)


def test_poisson_takes_no_dry_friction() -> None:
    built = eomc.build(ball(friction={"dry": 0.3}))
    with pytest.raises(ValueError, match="Poisson's law takes contacts without dry friction"):
        eomc.impact(built, {"free_z": 0.5}, {"free_vz": -1}, law="poisson")


def test_a_rigid_stop() -> None:
    door = eomc.Model("door", gravity=(0, 0, 0))
    door.body("door", mass=20, com=(0.4, 0, 0), inertia=(0.5, 1, 1))
    door.joint("hinge", "revolute", parent="world", child="door", axis=(0, 0, 1))
    door.stop("frame", coordinate="hinge", lower=0, upper=1.6, normal={"rigid": 0.4})
    run = eomc.simulate(eomc.build(door), {"hinge": 1.0}, {"hinge": 2.0}, t=[0, 0.6, 3.0])
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
        "table", shape={"box": "box", "half_sizes": (0.3, 0.2, 0.1)}, surface={"plane": "world"},
        normal={"rigid": 0.0}, friction={"dry": 0.4},
    )  # fmt: skip
    start = {"free_z": 0.1 + 0.5 * 9.81 * 0.2**2}
    run = eomc.simulate(eomc.build(made), start, {"free_vx": 1.0}, t=[0, 0.1, 1.5], rtol=1e-10)
    assert np.isclose(run.contacts.impacts[0].t, 0.2)
    forces = eomc.contact_forces(run)
    assert np.isclose(forces.pressing[-1].sum(), 3 * 9.81)
    assert np.abs(run.u[-1]).max() < 1e-12
    # Friction takes mu m v at the impact, and the rest as it slides.
    v = 1 - 0.4 * 9.81 * 0.2
    assert np.isclose(run["free_x"][-1], 0.2 + v**2 / (2 * 0.4 * 9.81))


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
    report = eomc.verify(ball(friction={"dry": 0.3}), quick=True)
    assert report.ok, str(report)
