"""Creep forces: closed forms of one wheel, Klingel's wave and the critical speed of a wheelset."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

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
        "sphere": {"sphere": "wheel", "radius": 0.4},
        "disc": {"disc": "wheel", "radius": 0.4, "axis": (0, 1, 0)},
    }
    given = {"creep": 1e6, "across": 8e5, "load": 200 * G, "rolling_speed": 1e-6} | law
    model.contact("rail", shape=shapes[shape], surface={"plane": "world"},
                  normal={"spring": 1e9}, friction=given)  # fmt: skip
    return model


def told(model: eomc.CompiledModel, speeds: list[float], depth: float = 1e-6) -> dict[str, float]:
    """Outputs at rolling along x, the wheel as deep as told."""
    q = [0, 0, 0.4 - depth, 1, 0, 0, 0]
    # Speeds of a floating body: angular, then linear velocity, in its axes.
    names = [name.removeprefix("free_") for name in model.speeds]
    assert len(names) == 6
    values = model.element_outputs(q, speeds)
    return dict(zip(model.output_rows("element_outputs"), values, strict=True))


def _speeds(model: eomc.CompiledModel, v: tuple[float, ...], w: tuple[float, ...]) -> list[float]:
    at = dict(zip(("vx", "vy", "vz", "wx", "wy", "wz"), (*v, *w), strict=True))
    order = [name.split("_")[-1] for name in model.speeds]
    return [at[name] for name in order]


@pytest.mark.parametrize("shape", ["sphere", "disc"])
def test_linear_law(shape: str) -> None:
    """Of 1000 N at a load of 1962 N, coefficients by (N/N_0)^(2/3); V in the mean of both bodies."""
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


def test_saturation_of_vermeulen_and_johnson() -> None:
    """x - x^2/3 + x^3/27 of mu N up to x = 3, then mu N; nothing apart; viscous at rest."""
    model = eomc.build(wheel(limit=0.3), functions=_ASKED)
    mu_n, v = 300.0, 10.0
    for x in (0.01, 0.5, 1.0, 2.0, 2.999, 3.001, 10.0):
        creepage = x * mu_n / (1e6 * (1e3 / (200 * G)) ** (2 / 3))
        spin = v * (2 - creepage) / (2 + creepage) / 0.4  # slip/mean = creepage
        found = told(model, _speeds(model, (v, 0, 0), (0, spin, 0)))
        share = x - x**2 / 3 + x**3 / 27 if x < 3 else 1.0
        assert np.isclose(-found["rail.friction_x"], mu_n * share, rtol=1e-9)
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


SLOPE, HALF, BALL = 0.1, 0.7, 0.45
MASS, ROLL, TURN, YAW = 1200.0, 650.0, 80.0, 650.0
CREEP, ACROSS = 8e6, 7e6


def wheelset(creep: float, across: float, springs: tuple[float, float]) -> eomc.Model:
    """Two balls on an axle, each on a plane that rises outwards: an equivalent conicity."""
    model = eomc.Model("wheelset")
    chain = ("x", "y", "z", "yaw", "roll")
    axes = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 1), (1, 0, 0)]
    kinds = ["prismatic"] * 3 + ["revolute"] * 2
    parent = "world"
    for name, kind, axis in zip(chain, kinds, axes, strict=True):
        body = f"after_{name}"
        model.body(body)
        model.joint(name, kind, parent=parent, child=body, axis=axis)
        parent = body
    model.body("set", mass=MASS, inertia=(ROLL, TURN, YAW))
    model.joint("spin", "revolute", parent=parent, child="set", axis=(0, 1, 0))
    load = MASS * G / (2 * np.cos(SLOPE))
    for name, side in (("left", 1), ("right", -1)):
        at = {"body": "set", "xyz": (0, side * HALF, 0)}
        normal = (0, -side * np.sin(SLOPE), np.cos(SLOPE))
        model.contact(name, shape={"sphere": at, "radius": BALL},
                      surface={"plane": {"body": "world", "xyz": (0, side * HALF, 0)},
                               "normal": normal},
                      normal={"spring": 1e12},
                      friction={"creep": creep, "across": across, "load": load,
                                "rolling_speed": 1e-9})  # fmt: skip
    model.joint_spring("lateral", joint="y", stiffness=springs[0])
    model.joint_spring("steering", joint="yaw", stiffness=springs[1])
    return model


def by_hand(v: float, creep: float, across: float, springs: tuple[float, float]) -> np.ndarray:
    """Eigenvalues of lateral motion y and yaw: y' b/c and V psi are the slip across over cos d,
    b psi' + V tan(d)^2 y/c that along; the axle rolls by phi = y tan(d)/c and sinks with both."""
    t, b = np.tan(SLOPE), HALF + BALL * np.sin(SLOPE)
    turn = t / HALF * TURN * v / (BALL * np.cos(SLOPE))
    mass = np.diag([MASS + ROLL * (t / HALF) ** 2, YAW])
    across_y = b / (HALF * np.cos(SLOPE))
    loss = np.array([[2 * across / v * across_y**2, -turn], [turn, 2 * creep / v * b**2]])
    sink = MASS * G * np.array([t**3 / HALF, t * HALF])
    stiff = np.diag(np.array(springs) - sink)
    stiff[0, 1] -= 2 * across * across_y / np.cos(SLOPE)
    stiff[1, 0] += 2 * creep * b * t**2 / HALF
    inverse = np.linalg.inv(mass)
    return np.linalg.eigvals(
        np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ stiff, -inverse @ loss]])
    )


_LINEAR = ("forward_dynamics", "linearization", "inverse_dynamics", "inverse_dynamics_derivatives",
           "mass_matrix", "bias", "coordinate_rates")  # fmt: skip


def eigenvalues(model: eomc.CompiledModel, v: float) -> np.ndarray:
    sunk = MASS * G / (2 * np.cos(SLOPE)) / 1e12
    u = {"x": v, "spin": v / (BALL * np.cos(SLOPE))}
    linear = eomc.linearize(model, q={"z": (BALL - sunk) / np.cos(SLOPE)}, u=u)
    return np.linalg.eigvals(linear.A)


def near(found: np.ndarray, wanted: np.ndarray) -> float:
    """The largest relative distance of the nearest."""
    return max(np.abs(found - value).min() / abs(value) for value in wanted)


def test_klingel_and_the_critical_speed() -> None:
    """L = 2 pi sqrt(b r_0/lambda), here 2 pi b/tan(d), where creepage is small; then all of the
    linear motion up to where the wheelset hunts."""
    stiff = eomc.build(wheelset(1e11, 1e11, (0, 0)), functions=[*_LINEAR])
    b = HALF + BALL * np.sin(SLOPE)
    wave = 2 * np.pi * b / np.tan(SLOPE)
    v = 0.5
    found = eigenvalues(stiff, v)
    assert np.abs(found.imag - 2 * np.pi * v / wave).min() < 1e-6
    springs = (4e4, 3e4)
    model = eomc.build(wheelset(CREEP, ACROSS, springs), functions=[*_LINEAR])
    for v in (10.0, 60.0):
        wanted = by_hand(v, CREEP, ACROSS, springs)
        assert near(eigenvalues(model, v), wanted[np.abs(wanted.imag) > 1e-3]) < 1e-5
    critical = brentq(lambda v: by_hand(v, CREEP, ACROSS, springs).real.max(), 50, 400)
    for v, hunts in ((critical * 0.9999, False), (critical * 1.0001, True)):
        growing = eigenvalues(model, v)
        growing = growing[np.abs(growing.imag) > 1e-3]
        assert (growing.real.max() > 0) == hunts


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"creep": -1}, "friction \\(creep\\): creep is -1; give a positive number"),
        ({"load": 0}, "friction \\(creep\\): load is 0; give a positive number"),
        ({"limit": 0}, "friction \\(creep\\): limit is 0; give a positive number"),
        ({"spin_moment": -2}, "friction \\(creep\\): spin_moment is -2; give a number that is not"),
        ({"rolling_speed": 0}, "friction \\(creep\\): rolling_speed is 0; give a positive"),
    ],
)
def test_bad_fields(given: dict[str, float], message: str) -> None:
    with pytest.raises(ModelError, match=f"contact 'rail': {message}"):
        wheel(**given).validate()


def test_rigid_contacts_do_not_creep() -> None:
    model = eomc.Model("wheel")
    model.body("wheel", mass=1, inertia=(1, 1, 1))
    model.joint("free", "floating", parent="world", child="wheel")
    model.contact("rail", shape={"sphere": "wheel", "radius": 1}, surface={"plane": "world"},
                  normal={"rigid": 0}, friction={"creep": 1, "load": 1})  # fmt: skip
    with pytest.raises(ModelError, match="creep\\): is not proportional to the normal force"):
        model.validate()
