"""Rolling and knife edges against solutions of textbooks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from constraints.values import Values, near

from eomc.binding.arrays import Array
from eomc.derive.model import Model, Point
from eomc.runtime.derivatives.differences import derivative

G = 9.81


def _quaternion(axis: Any, angle: float) -> Array:
    axis = np.asarray(axis, dtype=float)
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis / np.linalg.norm(axis))])


def _wheel(shape: str, mass: float = 1.3, radius: float = 0.4, gravity: Any = (0, 0, -G)) -> Model:
    """A thin disc with the axis x, or a ball, that rolls on the plane z = 0."""
    model = Model(shape, gravity=gravity)
    square = mass * radius**2
    inertia = (square / 2, square / 4, square / 4) if shape == "disc" else (0.4 * square,) * 3
    model.body("wheel", mass=mass, inertia=inertia)
    model.joint("free", "floating", parent="world", child="wheel")
    more = {"axis_a": (1, 0, 0)} if shape == "disc" else {}
    model.constraint(
        "road", "rolling", a="wheel", b="world", axis_b=(0, 0, 1), length=radius, **more
    )
    return model


def test_ball_on_an_incline() -> None:
    """5/7 g sin(alpha) down the slope, and the friction 2/7 m g sin(alpha) that the rows carry."""
    alpha, mass, radius = 0.3, 1.3, 0.4
    gravity = (G * np.sin(alpha), 0, -G * np.cos(alpha))
    values = Values(_wheel("ball", mass, radius, gravity))
    q = np.array([0.2, 0.1, radius, *_quaternion((1, 2, -1), 0.7)])
    a, multipliers = values(
        "constrained_dynamics", q=q, u=np.zeros(6), tau=np.zeros(6), stabilization=[0.0]
    )
    rotation = values("frame_wheel_pose", q=q)[:3, :3]
    assert near(rotation @ a[:3], [5 / 7 * G * np.sin(alpha), 0, 0], 1e-13)
    assert near(rotation @ a[3:], [0, 5 / 7 * G * np.sin(alpha) / radius, 0], 1e-13)
    names = values.equations.system(()).constraints.names
    carried = dict(zip(names, multipliers, strict=True))
    assert carried["road.height"] == pytest.approx(mass * G * np.cos(alpha), rel=1e-13)
    assert carried["road.slip_1"] == pytest.approx(-2 / 7 * mass * G * np.sin(alpha), rel=1e-13)
    assert abs(carried["road.slip_2"]) < 1e-13


def test_ball_on_a_turntable() -> None:
    """v' = 2/7 Omega x v: circles at two sevenths of the table's speed (Milne, Vectorial
    Mechanics, 1948)."""
    model = _wheel("ball")
    model.body("table", mass=5, inertia=(1, 1, 1))
    model.joint("turn", "revolute", parent="world", child="table", axis=(0, 0, 1))
    model.prescribed("turn")
    del model.constraints["road"]
    model.constraint("road", "rolling", a="wheel", b="table", axis_b=(0, 0, 1), length=0.4)
    values = Values(model)
    rate = 1.9
    given = {"s": [0.6], "s_rate": [rate], "s_acceleration": [0.0]}
    q = np.array([0.7, -0.3, 0.4, *_quaternion((1, 2, -1), 0.7)])
    u = values.consistent(q, np.array([0.3, -0.8, 0.5, 0.2, 0.9, -0.4]), **given)
    a = values("forward_dynamics", q=q, u=u, tau=np.zeros(6), **given)
    rotation = values("frame_wheel_pose", q=q, **given)[:3, :3]
    velocity = rotation @ u[:3]
    acceleration = rotation @ (a[:3] + np.cross(u[3:], u[:3]))
    assert np.linalg.norm(velocity) > 0.1
    assert near(acceleration, 2 / 7 * rate * np.cross([0, 0, 1], velocity), 1e-12)


def _disc_state(tilt: float, w: Array, radius: float) -> tuple[Array, Array, Array]:
    """The disc's axis at `tilt` from the plane, w in world axes; its centre rolls with them.

    Returns q, u and the arm from the contact to the centre.
    """
    # Turned about y, x goes to (cos, 0, -sin): upright for no tilt.
    q = np.array([0, 0, radius * np.cos(tilt), *_quaternion((0, 1, 0), tilt)])
    n = np.array([np.cos(tilt), 0, -np.sin(tilt)])
    up = np.array([0, 0, 1]) - n * n[2]
    arm = radius * up / np.linalg.norm(up)
    rotation = np.column_stack([n, [0, 1, 0], np.cross(n, [0, 1, 0])])
    return q, np.concatenate([rotation.T @ np.cross(w, arm), rotation.T @ w]), arm


def test_disc_with_its_centre_at_rest() -> None:
    """Euler's disc: Omega^2 sin(alpha) = 4 g / R with the spin along the diameter to the contact
    (Moffatt, Nature 404 (2000) 833)."""
    radius, alpha = 0.4, 0.5  # of the disc's plane against the ground
    values = Values(_wheel("disc", radius=radius))
    tilt = np.pi / 2 - alpha
    _, _, arm = _disc_state(tilt, np.zeros(3), radius)
    precession = np.sqrt(4 * G / (radius * np.sin(alpha)))
    # Omega along the vertical less the spin about the disc's axis: along the diameter of contact.
    w = arm / radius * precession * np.sin(alpha)
    q, u, _ = _disc_state(tilt, w, radius)
    assert near(values("constraint_residual", q=q), [0.0], 1e-14)
    assert near(values("constraint_velocity", q=q, u=u), np.zeros(3), 1e-13)
    a = values("forward_dynamics", q=q, u=u, tau=np.zeros(6))
    acceleration = a[:3] + np.cross(u[3:], u[:3])
    assert near(acceleration, np.zeros(3), 1e-11)
    rotation = values("frame_wheel_pose", q=q)[:3, :3]
    turning = np.cross([0, 0, precession], w)  # w precesses about the vertical
    assert near(rotation @ a[3:], turning, 1e-11)


@pytest.mark.parametrize("spin", [2.0, -7.0])
def test_disc_rolls_in_a_circle(spin: float) -> None:
    """Steady turns at a tilt: with the spin w3 about the disc's axis n and the turn Omega about the
    vertical, the momentum C w3 n + A Omega cos(tilt) up turns with Omega under the moment of the
    road's force about the centre (Routh, Advanced Rigid Dynamics, art. 244); all a mass and R^2.
    """
    radius, tilt = 0.4, 0.35
    values = Values(_wheel("disc", radius=radius))
    n = np.array([np.cos(tilt), 0, -np.sin(tilt)])
    up = np.array([np.sin(tilt), 0, np.cos(tilt)])
    c, a = 0.5, 0.25

    def excess(omega: float) -> float:
        momentum = c * spin * n + a * omega * np.cos(tilt) * up
        change = np.cross([0, 0, omega], momentum)  # the frame turns about the vertical
        velocity = np.cross(spin * n + omega * np.cos(tilt) * up, radius * up)
        force = np.cross([0, 0, omega], velocity) + np.array([0, 0, G])  # of the road, per mass
        moment = np.cross(-radius * up, force) / radius**2
        return float((change - moment)[1])

    # excess is a quadratic in Omega; through three points of it.
    quadratic = np.polyfit([-1.0, 0.0, 1.0], [excess(x) for x in (-1.0, 0.0, 1.0)], 2)
    roots = np.roots(quadratic)
    assert np.isreal(roots).all()
    for omega in np.real(roots):
        w = spin * n + omega * np.cos(tilt) * up
        q, u, _ = _disc_state(tilt, w, radius)
        assert near(values("constraint_velocity", q=q, u=u), np.zeros(3), 1e-12)
        got = values("forward_dynamics", q=q, u=u, tau=np.zeros(6))
        rotation = values("frame_wheel_pose", q=q)[:3, :3]
        velocity = rotation @ u[:3]
        assert near(rotation @ got[3:], np.cross([0, 0, omega], w), 1e-10)
        acceleration = rotation @ (got[:3] + np.cross(u[3:], u[:3]))
        assert near(acceleration, np.cross([0, 0, omega], velocity), 1e-10)


def _sleigh(offset: float) -> Model:
    """A plate on the plane with a blade along x at its origin, its centre `offset` ahead."""
    model = Model("sleigh", gravity=(0, 0, -G))
    model.body("plate", mass=1.7, com=(offset, 0, 0), inertia=(0.3, 0.3, 0.6))
    model.joint("free", "planar", parent="world", child="plate", axis=(0, 0, 1))
    model.constraint("blade", "knife_edge", a="plate", axis_a=(0, 1, 0))
    return model


def test_chaplygin_sleigh() -> None:
    """v' = a w^2, (I + m a^2) w' = -m a v w (Neimark and Fufaev, ch. 2)."""
    mass, inertia, offset = 1.7, 0.6, 0.35
    values = Values(_sleigh(offset))
    angle, v, w = 0.8, 1.4, -2.1
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-np.sin(angle), np.cos(angle)])
    names = values.equations.coordinates
    order = [names.index(f"free_{name}") for name in ("x", "y", "theta")]
    q, u = np.zeros(3), np.zeros(3)
    q[order] = 0.3, -0.7, angle
    u[order] = *(v * along), w
    assert near(values("constraint_velocity", q=q, u=u), [0.0], 1e-15)
    a, multipliers = values("constrained_dynamics", q=q, u=u, tau=np.zeros(3), stabilization=[0.0])
    rate = np.array([a[order[0]], a[order[1]]])
    turning = -mass * offset * v * w / (inertia + mass * offset**2)
    assert along @ rate == pytest.approx(offset * w**2, rel=1e-12)
    assert across @ rate == pytest.approx(v * w, rel=1e-12)
    assert a[order[2]] == pytest.approx(turning, rel=1e-12)
    # The blade's force pushes the centre of mass across: m (v w + a w').
    assert multipliers[0] == pytest.approx(mass * (v * w + offset * turning), rel=1e-12)


def test_skate_on_an_incline() -> None:
    """A cycloid across the slope: x = g sin(b) sin^2(wt) / (2 w^2) (Bloch, Nonholonomic
    Mechanics and Control, ch. 1)."""
    slope, w, t = 0.4, 1.3, 0.9
    model = _sleigh(0.0)
    model.gravity = (G * np.sin(slope), 0, -G * np.cos(slope))
    values = Values(model)
    pull, angle = G * np.sin(slope), w * t
    order = [values.equations.coordinates.index(f"free_{n}") for n in ("x", "y", "theta")]
    q, u, a = np.zeros(3), np.zeros(3), np.zeros(3)
    q[order] = pull / (2 * w**2) * np.sin(angle) ** 2, 0.0, angle
    u[order] = (pull / (2 * w) * np.sin(2 * angle), pull / (2 * w) * (1 - np.cos(2 * angle)), w)
    a[order] = pull * np.cos(2 * angle), pull * np.sin(2 * angle), 0.0
    assert near(values("constraint_velocity", q=q, u=u), [0.0], 1e-14)
    assert near(values("forward_dynamics", q=q, u=u, tau=np.zeros(3)), a, 1e-12)


def test_contact_on_a_moving_plate() -> None:
    """A ball on a plate that hangs free: forces are internal, so momentum is kept."""
    model = Model("pair", gravity=(0, 0, 0))
    model.body("plate", mass=2.0, com=(0.1, 0, -0.2), inertia=(0.3, 0.5, 0.4))
    model.body("ball", mass=0.5, inertia=(0.02, 0.02, 0.02))
    for body in ("plate", "ball"):
        model.joint(body, "floating", parent="world", child=body)
    model.constraint(
        "roll", "rolling", a="ball", b=Point("plate", (0, 0, 0.1)), axis_b=(0, 0, 1), length=0.2
    )
    values = Values(model)
    rng = np.random.default_rng(8)
    q = values.closed(values("integrate", q=values("neutral"), du=rng.normal(size=12)))
    u = values.consistent(q, rng.normal(size=12))
    a = values("forward_dynamics", q=q, u=u, tau=np.zeros(12))

    def later(h: float) -> Array:
        return values("momentum", q=values("integrate", q=q, du=h * u + h * h / 2 * a), u=u + h * a)

    assert near(derivative(later)[0], np.zeros(6), 1e-9)
    energy = derivative(
        lambda h: values("kinetic_energy", q=values("integrate", q=q, du=h * u), u=u + h * a)
    )[0]
    assert near(energy, 0.0, 1e-9)
