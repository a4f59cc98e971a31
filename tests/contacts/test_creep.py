"""Creep forces of one wheel; a wheelset and the limit of friction are acceptance cases."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.derive.language.errors import ModelError

G = 9.81
_ASKED = ["element_outputs", "forward_dynamics", "inverse_dynamics"]


def wheel(shape: str = "sphere", **law: float) -> eomc.Model:
    """Radius 0.4, 200 kg, free, on a stiff plane."""
    model = eomc.Model("wheel")
    model.body("wheel", mass=200, inertia=(10, 16, 10))
    model.joint("free", "floating", parent="world", child="wheel")
    shapes = {
        "sphere": {"kind": "sphere", "at": "wheel", "radius": 0.4},
        "disc": {"kind": "disc", "at": "wheel", "radius": 0.4, "axis": (0, 1, 0)},
    }
    given = {
        "kind": "creep",
        "along": 1e6,
        "across": 8e5,
        "load": 200 * G,
        "rolling_speed": 1e-6,
    } | law
    model.contact(
        "rail",
        shape=shapes[shape],
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "spring", "stiffness": 1e9},
        friction=given,
    )
    return model


def told(model: eomc.CompiledModel, speeds: list[float], depth: float = 1e-6) -> dict[str, float]:
    """Outputs at rolling along x, the wheel as deep as told."""
    q = [0, 0, 0.4 - depth, 1, 0, 0, 0]
    # Speeds of a floating body: angular, then linear velocity, in its axes.
    names = [name.removeprefix("free_") for name in model.speeds]
    assert len(names) == 6
    values = model.element_outputs(q, speeds)
    return dict(zip(model.output_names("element_outputs"), values, strict=True))


def _speeds(model: eomc.CompiledModel, v: tuple[float, ...], w: tuple[float, ...]) -> list[float]:
    at = dict(zip(("vx", "vy", "vz", "wx", "wy", "wz"), (*v, *w), strict=True))
    order = [name.split("_")[-1] for name in model.speeds]
    return [at[name] for name in order]


@pytest.mark.parametrize("shape", ["sphere", "disc"])
def test_linear_law(shape: str) -> None:
    """Of 1000 N at a load of 1962 N, coefficients by (N/N_0)^(2/3); V in the mean of both."""
    model = eomc.build(wheel(shape), functions=_ASKED)
    v, vy, spin = 10.0, 0.02, 25.1
    found = told(model, _speeds(model, (v, vy, 0), (0, spin, 0)))
    n = found["rail.normal_force"]
    assert np.isclose(n, 1e3)
    slip = np.array([v - spin * 0.4, vy])
    rolling = np.array([v, vy]) - slip / 2
    speed = np.hypot(*rolling)
    e = rolling / speed
    across = np.array([-e[1], e[0]])
    share = (n / (200 * G)) ** (2 / 3) / speed
    wanted = -share * (1e6 * (slip @ e) * e + 8e5 * (slip @ across) * across)
    assert np.allclose([found["rail.friction_x"], found["rail.friction_y"]], wanted, rtol=1e-9)


def test_nothing_apart_and_viscous_at_rest() -> None:
    model = eomc.build(wheel(limit=0.3), functions=_ASKED)
    mu_n, v = 300.0, 10.0
    found = told(model, _speeds(model, (v, 0, 0), (0, 0, 0)), depth=-1e-3)
    assert found["rail.friction_x"] == 0
    still = told(model, _speeds(model, (0, 1e-12, 0), (0, 0, 0)))
    slow = 8e5 * (1e3 / (200 * G)) ** (2 / 3) * 1e-6 / mu_n
    assert np.isclose(still["rail.friction_y"], -mu_n * (slow - slow**2 / 3 + slow**3 / 27))


def test_spin_moves_across_and_takes_no_power_by_its_coupling() -> None:
    model = eomc.build(wheel(spin=2e3, spin_moment=50), functions=[*_ASKED, "power"])
    speeds = _speeds(model, (10, 0.02, 0), (0, 25, 3))
    q = [0, 0, 0.4 - 1e-6, 1, 0, 0, 0]
    found = told(model, speeds)
    share, speed = 1e3 / (200 * G), 10.0
    across = -(8e5 * share ** (2 / 3) * 0.02 + 2e3 * share * 3) / speed
    assert np.isclose(found["rail.friction_y"], across, rtol=1e-4)
    lost = -(8e5 * share ** (2 / 3) * 0.02**2 + 50 * share ** (4 / 3) * 9) / speed
    assert np.isclose(model.power(q, speeds, np.zeros(6)), lost, rtol=1e-4)


def test_derivatives_at_no_slip_are_judged() -> None:
    """Cut down, its second derivative jumps there: plain differences are off by 2 percent."""
    model = wheel(limit=0.3, rolling_speed=1e-2)
    report = eomc.verify(model, quick=True, checks=["linearization"], flags=("-O0",))
    assert report.ok, report


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"kind": "creep", "along": -1},
            "friction \\(creep\\): along is -1; give a positive number",
        ),
        ({"load": 0}, "friction \\(creep\\): load is 0; give a positive number"),
        ({"limit": 0}, "friction \\(creep\\): limit is 0; give a positive number"),
        ({"spin_moment": -2}, "friction \\(creep\\): spin_moment is -2; give a number that is not"),
        ({"rolling_speed": 0}, "friction \\(creep\\): rolling_speed is 0; give a positive"),
        ({"saturation": "tanh(x)"}, "friction \\(creep\\): saturation is of .*; give limit, too"),
        (
            {"saturation": "-x", "limit": 1},
            "friction \\(creep\\): saturation at x = 0.01 is -0.01; give a number that is not",
        ),
    ],
)
def test_bad_fields(given: dict[str, float], message: str) -> None:
    with pytest.raises(ModelError, match=f"contact 'rail': {message}"):
        wheel(**given).validate()


def test_friction_by_an_expression() -> None:
    """Of slip speed and normal force, against the slip; nothing at rest."""
    given = wheel()
    rail = given.contacts.pop("rail")
    law = {"kind": "law", "expression": "0.3*N*tanh(v/0.05)"}
    given.contact("rail", rail.shape, rail.surface, rail.normal, law)
    model = eomc.build(given, functions=_ASKED)
    found = told(model, _speeds(model, (0.03, 0.04, 0), (0, 0, 0)))
    size = 0.3 * found["rail.normal_force"] * np.tanh(1)
    expected = [-0.6 * size, -0.8 * size]
    assert np.allclose([found["rail.friction_x"], found["rail.friction_y"]], expected, rtol=1e-9)
    assert told(model, _speeds(model, (0, 0, 0), (0, 0, 0)))["rail.friction_x"] == 0
    given.contacts.pop("rail")
    unknown = {"kind": "law", "expression": "mu*N"}
    given.contact("rail", rail.shape, rail.surface, rail.normal, unknown)
    with pytest.raises(ModelError, match="contact 'rail': friction: unknown name 'mu'"):
        given.validate()


def test_saturated_creep_and_resistance_are_verified() -> None:
    law = wheel(limit=0.3, rolling_speed=1.0, saturation="tanh(x)")
    rail = law.contacts.pop("rail")
    arms = {"rolling_resistance": 1e-3, "spin_friction": 2e-3, "turn_speed": 0.5}
    law.contact("rail", rail.shape, rail.surface, rail.normal, rail.friction, **arms)
    asked = ["Newton-Euler", "linearization", "passivity"]
    report = eomc.verify(law, quick=True, checks=asked, flags=("-O0",))
    assert report.ok, report


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rolling_resistance": -1}, "rolling_resistance is -1; give a number that is not neg"),
        ({"spin_friction": 1, "turn_speed": 0}, "turn_speed is 0; give a positive number"),
        (
            {"spin_friction": 1, "normal": {"kind": "rigid", "restitution": 0}, "friction": None},
            "spin_friction are of forces by depth; a rigid contact has none",
        ),
    ],
)
def test_wrong_resistance(given: dict[str, object], message: str) -> None:
    model = wheel()
    rail = model.contacts.pop("rail")
    laws = {"normal": rail.normal, "friction": rail.friction} | given
    model.contact("rail", rail.shape, rail.surface, **laws)
    with pytest.raises(ModelError, match=f"contact 'rail': .*{message}"):
        model.validate()


def test_rigid_contacts_do_not_creep() -> None:
    model = eomc.Model("wheel")
    model.body("wheel", mass=1, inertia=(1, 1, 1))
    model.joint("free", "floating", parent="world", child="wheel")
    model.contact(
        "rail",
        shape={"kind": "sphere", "at": "wheel", "radius": 1},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "rigid", "restitution": 0},
        friction={"kind": "creep", "along": 1, "load": 1},
    )
    with pytest.raises(ModelError, match="creep\\): is not proportional to the normal force"):
        model.validate()
