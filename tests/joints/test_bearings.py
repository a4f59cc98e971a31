"""Friction of joints under their own reactions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import eomc
from eomc.derive.language.errors import ModelError

G = 9.81
_ASKED = ["forward_dynamics", "forces_by_reactions", "coordinate_rates"]


def journal(**given: object) -> eomc.Model:
    """A pendulum on a journal."""
    model = eomc.Model("journal")
    model.body("arm", mass=1.3, com=(0, 0, -0.7), inertia=(0.05, 0.05, 0.05))
    model.joint("hinge", "revolute", parent="world", child="arm", axis=(0, 1, 0))
    fields = {"friction": 0.4, "radius": 0.12, "slip_speed": 1e-2, "minimum_load": 1e-9} | given
    model.bearing("rub", speed="hinge", **fields)
    return model


def slide(mu: float) -> eomc.Model:
    """A block whose mass is 0.3 m beside its guide, of 0.5 m."""
    model = eomc.Model("slide", gravity=(0, 0, 0))
    model.body("block", mass=2, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.1))
    model.joint("way", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.bearing("guide", speed="way", friction=mu, span=0.5, slip_speed=1e-8, minimum_load=1e-9)
    return model


@pytest.fixture(scope="module")
def pendulum() -> eomc.CompiledModel:
    return eomc.build(journal(), functions=[*_ASKED, "inverse_dynamics", "power"])


def test_a_journal_takes_the_root_of_its_equation(pendulum: eomc.CompiledModel) -> None:
    """I a + m g l sin q + mu r g(r u) |F(a)| = tau, |F| of the two components by hand."""
    m, length, inertia = 1.3, 0.7, 0.05 + 1.3 * 0.7**2
    rng = np.random.default_rng(3)
    for q, u, tau in rng.uniform(-3, 3, (20, 3)):
        slip = 0.12 * u / 1e-2
        share = 0.4 * 0.12 * slip / np.sqrt(1 + slip**2)

        def left(a: float, q: float = q, u: float = u, share: float = share) -> float:
            across = m * (length * a + G * np.sin(q))
            along = m * (length * u * u + G * np.cos(q))
            return inertia * a + m * G * length * np.sin(q) + share * np.hypot(across, along)

        exact = brentq(lambda a, tau=tau: left(a) - tau, -1e3, 1e3, xtol=1e-14, rtol=1e-14)
        (found,) = pendulum.forward_dynamics([q], [u], [tau])
        assert abs(found - exact) < 1e-11 * max(1, abs(exact))
        (back,) = pendulum.inverse_dynamics([q], [u], [found])
        assert abs(back - tau) < 1e-11
        (friction,) = pendulum.forces_by_reactions([q], [u], [found])
        assert np.isclose(pendulum.power([q], [u], [tau]), (tau + friction) * u, rtol=1e-12)


def test_a_slide_pushed_off_its_line() -> None:
    """m a = P - k |m a|, k = 2 mu d/L: braked it stops harder, and with k > 1 it jams."""
    loose, tight = (eomc.build(slide(mu), functions=_ASKED) for mu in (0.5, 0.9))
    assert np.isclose(loose.forward_dynamics([0], [1], [3]).item(), 3 / 2 / 1.6, rtol=1e-9)
    assert np.isclose(loose.forward_dynamics([0], [1], [-3]).item(), -3 / 2 / 0.4, rtol=1e-9)
    assert np.isclose(tight.forward_dynamics([0], [1], [3]).item(), 3 / 2 / 2.08, rtol=1e-9)
    with pytest.raises(ArithmeticError, match="jammed_guide"):
        tight.forward_dynamics([0], [1], [-3])


def test_a_run_ends_where_the_slide_jams() -> None:
    """It is pushed, then braked at t = 0.1."""
    model = slide(0.9)
    model.generalized_force("drive", speed="way", expression="3*cos(5*pi*t)")
    with pytest.raises(Exception, match="jammed_guide"):
        eomc.simulate(eomc.build(model, functions=_ASKED), u={"way": 1}, t_span=0.2)


def test_a_coasting_wheel_stops_when_its_journal_says() -> None:
    """I u' = -mu r m g: the load of a balanced wheel is its weight."""
    model = eomc.Model("wheel")
    model.body("wheel", mass=3, inertia=(0.02, 0.04, 0.02))
    model.joint("axle", "revolute", parent="world", child="wheel", axis=(0, 1, 0))
    model.bearing("journal", speed="axle", friction=0.2, radius=0.01, slip_speed=1e-8)
    run = eomc.simulate(
        eomc.build(model, functions=_ASKED), u={"axle": 10}, t_span=1, rtol=1e-10, atol=1e-12
    )
    assert np.isclose(run["speed(axle)"][-1], 10 - 0.2 * 0.01 * 3 * G / 0.04, rtol=1e-8)


def arm(*, long: bool = True) -> eomc.Model:
    """Bearings of all sorts, joint frames askew, one joint seen from its other side."""
    model = eomc.Model("arm")
    model.parameter("mu", 0.3, tunable=True)
    model.input("push")
    model.body("base", mass=2, com=(0.1, 0.2, 0), inertia=(0.1, 0.2, 0.25))
    if long:
        model.body("upper", mass=1.5, com=(0.1, 0.02, -0.4), inertia=(0.1, 0.1, 0.05))
    model.body("slide", mass=0.7, com=(0.2, 0.1, 0.1), inertia=(0.05, 0.04, 0.03))
    model.joint("yaw", "revolute", parent="base", child="world", axis=(0, 0, 1))
    if long:
        model.joint(
            "hinge",
            "revolute",
            parent="base",
            child="upper",
            axis=(0, 1, 0),
            placement={"xyz": (0.3, 0, 0.2)},
            child_placement={"xyz": (0.03, 0.1, 0.02), "rpy": (0.1, 0.2, 0.3)},
        )
    carrier = "upper" if long else "base"
    model.joint(
        "way",
        "prismatic",
        parent=carrier,
        child="slide",
        axis=(0, 0.6, -0.8),
        placement={"xyz": (0.1, 0, -0.5), "rpy": (0.3, -0.2, 0.4)},
    )
    common = {"slip_speed": 0.05, "minimum_load": 0.1}
    model.bearing("pivot", speed="yaw", friction="mu", radius=0.05, collar=0.08, span=0.3, **common)
    if long:
        model.bearing(
            "pin", speed="hinge", friction=0.4, radius=0.03, regularization="tanh", **common
        )
    model.bearing("guide", speed="way", friction=0.15, span=0.4, width=0.2, preload=1, **common)
    model.joint_spring("spring", joint="way", stiffness=40, damping=1)
    model.lag("motor", speed="yaw", command=0, time_constant=0.1)
    model.force("pushed", at="slide", direction=(1, 2, 3), magnitude="push")
    return model


@pytest.mark.slow
def test_bearings_are_verified() -> None:
    report = eomc.verify(arm(long=False), quick=True)
    assert report.ok, report


def test_a_bearing_that_no_constraint_loads() -> None:
    """Its friction depends on accelerations, but not on multipliers."""
    model = journal(minimum_load=1e-3)
    model.body("bead", mass=0.5)
    model.joint("free", "translational", parent="world", child="bead")
    model.constraint("rod", "distance", a="bead", b="world", length=0.9)
    report = eomc.verify(model, quick=True, states=4)
    assert report.ok, str(report)


@pytest.mark.slow
def test_linearization_holds_the_derivatives_of_reactions() -> None:
    """A of `linearize` and of the emitted state space, against differences of the motion."""
    model = eomc.build(arm(), functions=[*_LINEAR])
    x, r = np.array([0.3, 0.5, 0.1, 0.4, -0.6, 0.2, 0.2]), [0.7]

    def rates(x: np.ndarray) -> np.ndarray:
        q, u, z = x[:3], x[3:6], x[6:]
        a = model.forward_dynamics(q, u, z, np.zeros(3), r)
        return np.concatenate([u, a, model.element_state_rates(q, u, z, r)])

    h = 1e-5
    wanted = np.array([(rates(x + h * e) - rates(x - h * e)) / (2 * h) for e in np.eye(7)]).T
    point = {"q": x[:3], "u": x[3:6], "z": x[6:], "inputs": {"push": 0.7}}
    linear = eomc.linearize(model, **point, tau=np.zeros(3))
    assert np.abs(linear.A - wanted).max() < 1e-7
    emitted = model.state_space(x[:3], x[3:6], x[6:], np.zeros(3), r)
    assert np.abs(emitted[0] - linear.A).max() < 1e-11
    assert np.abs(emitted[1] - linear.B).max() < 1e-11
    lost = np.asarray(model.inverse_dynamics_derivatives(x[:3], x[3:6], x[6:], np.ones(3), r)[2])
    assert np.abs(lost - lost.T).max() > 1e-3


_LINEAR = (
    "forward_dynamics",
    "element_state_rates",
    "state_space",
    "integrate",
    "linearization",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "input_matrix",
    "element_state_derivatives",
    "mass_matrix",
    "bias",
)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"radius": None}, "joint 'hinge' turns; give the radius of the journal"),
        ({"radius": -1}, "radius is -1; give a positive number"),
        ({"friction": -0.1}, "friction is -0.1; give a number that is not negative"),
        ({"width": 1}, "joint 'hinge' turns; leave out width"),
        ({"span": 0}, "span is 0; give a positive number"),
        ({"slip_speed": 0}, "slip_speed is 0; give a positive number"),
        ({"minimum_load": 0}, "minimum_load is 0; give a positive number"),
    ],
)
def test_bad_fields(given: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=f"bearing 'rub': {message}"):
        journal(**given).validate()


def test_bad_places() -> None:
    model = slide(0.1)
    model.bearing("other", speed="way", friction=0.1, collar=0.1)
    with pytest.raises(ModelError, match="'way' slides; leave out radius and collar"):
        model.validate()
    model = eomc.Model("free")
    model.body("ball", mass=1, inertia=(1, 1, 1))
    model.joint("screw", "screw", parent="world", child="ball", axis=(0, 0, 1), pitch=0.1)
    model.bearing("rub", speed="screw", friction=0.1, radius=0.1)
    with pytest.raises(ModelError, match="bearings are of joints that turn about or slide along"):
        model.validate()
    with pytest.raises(ModelError, match="bearing 'rub' depends on the reaction in its joint"):
        eomc.build(journal(), small=True)
    driven, struck = journal(), journal()
    driven.servo_constraint("hinge")
    with pytest.raises(ModelError, match="but servo constraint 'hinge' gives an acceleration"):
        eomc.build(driven)
    struck.stop("wall", "hinge", {"kind": "rigid", "restitution": 0.5}, lower=-2)
    with pytest.raises(ModelError, match="but a contact is rigid"):
        eomc.build(struck)
