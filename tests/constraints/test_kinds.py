"""Declared constraints against their geometry, at random places of two bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from constraints.values import Values, near

from eomc.binding.arrays import Array
from eomc.derive.model import Model, ModelError, Placement, Point
from eomc.derive.system.redundancy import redundancy

A, B = (0.3, -0.2, 0.5), (-0.4, 0.1, 0.2)


@dataclass(frozen=True)
class Motion:
    """Points a, b and axes of two bodies: where they are and how fast (world axes)."""

    a: Array
    b: Array
    v_a: Array
    v_b: Array
    r_a: Array
    r_b: Array
    w_a: Array
    w_b: Array


@dataclass(frozen=True)
class Kind:
    """`arguments` that make the constraint hold at a place, `rates` from geometry; holonomic rows
    and others."""

    name: str
    arguments: Callable[[Motion], dict[str, Any]]
    rates: Callable[[Motion, dict[str, Any]], Any]
    rows: int
    others: int = 0
    label: str = field(default="")


def _unit(vector: Any) -> Array:
    vector = np.asarray(vector, dtype=float)
    return vector / np.linalg.norm(vector)


def _points(**more: Any) -> dict[str, Any]:
    return {"a": Point("first", A), "b": Point("second", B), **more}


def _through(m: Motion) -> dict[str, Any]:
    """b where a is, in the axes of the second body."""
    at = np.array(B) + m.r_b.T @ (m.a - m.b)
    return {"a": Point("first", A), "b": Point("second", tuple(at.tolist()))}


def _seen(m: Motion) -> Array:
    """Rate of a as the second body sees it, in its axes."""
    return m.r_b.T @ (m.v_a - m.v_b - np.cross(m.w_b, m.a - m.b))


def _location(m: Motion) -> dict[str, Any]:
    return _points(position=tuple((m.r_b.T @ (m.a - m.b)).tolist()))


def _orientation(m: Motion) -> dict[str, Any]:
    """Of an oblique frame of the first body in the second."""
    c, s = np.cos(0.8), np.sin(0.8)
    turned = m.r_b.T @ m.r_a @ [[c, -s, 0], [s, c, 0], [0, 0, 1]]
    own = Placement(rpy=(0, 0, 0.8))
    return {"a": "first", "b": "second", "frame_a": own, "rotation": {"rotation": turned.tolist()}}


def _line(m: Motion) -> dict[str, Any]:
    axis = _unit(m.r_b.T @ (m.a - m.b))
    return _points(axis_b=tuple(axis.tolist()))


def _across(axis: Any, vector: Array) -> float:
    """Length of what is normal to the axis."""
    n = _unit(axis)
    return float(np.linalg.norm(vector - n * (n @ vector)))


def _parallel(m: Motion) -> dict[str, Any]:
    axis = np.array([0.48, 0.6, -0.64])
    return _points(axis_a=tuple(axis), axis_b=tuple((m.r_b.T @ m.r_a @ axis).tolist()))


def _perpendicular(m: Motion) -> dict[str, Any]:
    axis = np.array([0.48, 0.6, -0.64])
    other = np.cross(m.r_b.T @ m.r_a @ axis, [0.3, -0.5, 0.9])
    return _points(axis_a=tuple(axis), axis_b=tuple(other.tolist()))


def _turning(m: Motion, given: dict[str, Any]) -> Array:
    """Rate of the first axis as the second body sees it, in its axes."""
    return m.r_b.T @ np.cross(m.w_a - m.w_b, m.r_a @ _unit(given["axis_a"]))


def _surface(m: Motion) -> dict[str, Any]:
    x, y, z = m.r_b.T @ (m.a - m.b)
    value = float(x**2 + 0.5 * np.sin(y) + y * z)
    return _points(expression=f"x**2 + 0.5*sin(y) + y*z - ({value!r})")


def _gradient(m: Motion) -> Array:
    x, y, z = m.r_b.T @ (m.a - m.b)
    return np.array([2 * x, 0.5 * np.cos(y) + z, y])


def _rolling(m: Motion, radius: float = 0.25) -> dict[str, Any]:
    """A sphere that touches the plane through b' of the second body."""
    normal = np.array([0.36, 0.48, 0.8])
    foot = np.array(B) + m.r_b.T @ (m.a - m.b) - radius * normal + np.array([0.8, -0.6, 0.0])
    return {
        "a": Point("first", A),
        "b": Point("second", tuple(foot.tolist())),
        "axis_b": tuple(normal),
        "length": radius,
    }


def _slip(m: Motion, given: dict[str, Any]) -> Array:
    """Velocity of the sphere's lowest point as the plane sees it, in the plane's axes."""
    normal = np.array(given["axis_b"])
    arm = -given["length"] * (m.r_b @ normal)
    contact = m.a + arm
    of_sphere = m.v_a + np.cross(m.w_a, arm)
    of_plane = m.v_b + np.cross(m.w_b, contact - m.b)
    return m.r_b.T @ (of_sphere - of_plane)


_SEMI_AXES = np.array([0.3, 0.2, 0.5])
_NORMAL = np.array([0.36, 0.48, 0.8])


def _lowest(m: Motion) -> Array:
    """Point of the ellipsoid about a that is nearest to the plane, from a."""
    u = m.r_a.T @ m.r_b @ _NORMAL
    return m.r_a @ (-(_SEMI_AXES**2) * u / np.sqrt(u @ (_SEMI_AXES**2 * u)))


def _rolling_contact(m: Motion) -> dict[str, Any]:
    """An ellipsoid that touches the plane through b' of the second body."""
    foot = np.array(B) + m.r_b.T @ (m.a + _lowest(m) - m.b) + np.array([0.8, -0.6, 0.0])
    at, other = Point("first", A), Point("second", tuple(foot.tolist()))
    return {
        "shape": {"kind": "ellipsoid", "at": at, "semi_axes": tuple(_SEMI_AXES)},
        "surface": {"kind": "plane", "at": other, "normal": tuple(_NORMAL)},
    }


def _slip_of_ellipsoid(m: Motion) -> Array:
    """Velocity of its lowest point as the plane sees it."""
    arm = _lowest(m)
    of_shape = m.v_a + np.cross(m.w_a, arm)
    return of_shape - m.v_b - np.cross(m.w_b, m.a + arm - m.b)


def _distance(m: Motion) -> float:
    return float(np.linalg.norm(m.a - m.b))


KINDS = (
    Kind("coincident", _through, lambda m, _: np.linalg.norm(_slip_of_points(m)), 3),
    Kind(
        "distance",
        lambda m: _points(length=_distance(m)),
        lambda m, _: abs((m.a - m.b) @ (m.v_a - m.v_b)) / _distance(m),
        1,
    ),
    Kind("point_location", _location, lambda m, _: np.linalg.norm(_seen(m)), 3),
    Kind("orientation", _orientation, lambda m, _: np.linalg.norm(m.w_a - m.w_b), 3),
    Kind("point_on_line", _line, lambda m, g: _across(g["axis_b"], _seen(m)), 2),
    Kind(
        "point_on_plane",
        lambda m: _points(axis_b=(0, 2, 1), offset=float(_unit((0, 2, 1)) @ m.r_b.T @ (m.a - m.b))),
        lambda m, _: abs(_unit((0, 2, 1)) @ _seen(m)),
        1,
    ),
    Kind("point_on_surface", _surface, lambda m, _: abs(_gradient(m) @ _seen(m)), 1),
    Kind("parallel", _parallel, lambda m, g: np.linalg.norm(_turning(m, g)), 2),
    Kind("perpendicular", _perpendicular, lambda m, g: abs(_unit(g["axis_b"]) @ _turning(m, g)), 1),
    Kind("rolling", _rolling, lambda m, g: np.linalg.norm(_slip(m, g)), 1, 2),
    Kind(
        "rolling_contact",
        _rolling_contact,
        lambda m, _: np.linalg.norm(_slip_of_ellipsoid(m)),
        1,
        2,
    ),
    Kind(
        "knife_edge",
        lambda m: {"a": Point("first", A), "axis_a": (2, -1, 2)},
        lambda m, _: abs(_unit((2, -1, 2)) @ m.r_a.T @ m.v_a),
        0,
        1,
    ),
)


def _slip_of_points(m: Motion) -> Array:
    """Coincident: both at the place of a."""
    return m.v_a - (m.v_b + np.cross(m.w_b, m.a - m.b))


def _bodies() -> Model:
    model = Model("pair", gravity=(0.3, -0.4, -9.81))
    for name, mass in (("first", 1.3), ("second", 0.7)):
        inertia = (0.31 * mass, 0.42 * mass, 0.23 * mass, 0.02, -0.03, 0.01)
        model.body(name, mass=mass, com=(0.1, -0.2, 0.3), inertia=inertia)
        model.joint(name, "floating", parent="world", child=name)
    return model


def _state(seed: int) -> tuple[Array, Array, Motion]:
    free = Values(_bodies())
    rng = np.random.default_rng(seed)
    q = free("integrate", q=free("neutral"), du=rng.uniform(-1, 1, size=12))
    u = rng.normal(size=12)
    places = []
    for name, local in (("first", A), ("second", B)):
        pose = free(f"frame_{name}_pose", q=q)
        twist = free(f"frame_{name}_velocity", q=q, u=u)
        arm = pose[:3, :3] @ local
        velocity = twist[:3] + np.cross(twist[3:], arm)
        places.append((pose[:3, 3] + arm, velocity, pose[:3, :3], twist[3:]))
    (a, v_a, r_a, w_a), (b, v_b, r_b, w_b) = places
    return q, u, Motion(a, b, v_a, v_b, r_a, r_b, w_a, w_b)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_holds_where_and_how_geometry_says(kind: Kind) -> None:
    """Residual zero at the place, rates those of the geometry, rows independent, G and g right."""
    q, u, motion = _state(3)
    given = kind.arguments(motion)
    model = _bodies()
    model.constraint("held", kind.name, **given)
    values = Values(model)
    report = redundancy(values.equations.system(()).constraints)
    assert (len(report.rows), report.rank) == (kind.rows + kind.others,) * 2
    assert report.freedoms == 12 - kind.rows - kind.others
    residual = values("constraint_residual", q=q) if kind.rows else np.zeros(0)
    assert near(residual, np.zeros(kind.rows), 1e-14)
    jacobian = values("constraint_jacobian", q=q)
    rate = values("constraint_velocity", q=q, u=u)
    assert near(jacobian @ u, rate, 1e-13)
    assert near(np.linalg.norm(rate), kind.rates(motion, given), 1e-12)
    if kind.rows:
        columns = values.columns("constraint_residual", q=q)
        assert near(jacobian[: kind.rows], columns, 1e-10)
    assert near(
        values("constraint_bias", q=q, u=u), values.along("constraint_velocity", u, q=q, u=u), 1e-9
    )
    _check_motion(values, q, u)


def _check_motion(values: Values, q: Array, u: Array, **more: Any) -> None:
    """M a + c = tau + G^T lambda and G a + g = 0, from functions of the open tree."""
    u = values.consistent(q, u, **more)
    tau = np.random.default_rng(0).normal(size=len(u))
    a, multipliers = values("constrained_dynamics", q=q, u=u, tau=tau, stabilization=[0.0], **more)
    jacobian = values("constraint_jacobian", q=q, **more)
    taken = values("mass_matrix", q=q) @ a + values("bias", q=q, u=u, **more)
    assert near(taken, tau + multipliers @ jacobian, 1e-11)
    asked = values("constraint_bias", q=q, u=u, **more)
    assert near(jacobian @ a + asked, np.zeros(len(asked)), 1e-11)


def _arm() -> Model:
    model = Model("arm", gravity=(0, 0, -9.81))
    parent = "world"
    for k, kind in enumerate(("revolute", "prismatic", "revolute")):
        model.body(f"b{k}", mass=1 + k, com=(0.2, 0.1, 0), inertia=(0.2, 0.3, 0.25))
        axis = (0, 1, 0) if k < 2 else (1, 0, 0)
        model.joint(f"q{k}", kind, parent=parent, child=f"b{k}", axis=axis, placement=(0.5, 0, 0))
        parent = f"b{k}"
    return model


# Name, arguments, phi(q, t), psi(q, u, t), holonomic.
RELATIONS = (
    (
        *("coupling", {"first": "q0", "second": "q2", "ratio": 1.7, "offset": -0.3}),
        *(lambda q, t: q[0] - 1.7 * q[2] + 0.3, lambda q, u, t: u[0] - 1.7 * u[2], True),
    ),
    (
        *("driver", {"first": "q1", "expression": "0.2*sin(3*t)"}),
        *(lambda q, t: q[1] - 0.2 * np.sin(3 * t), lambda q, u, t: u[1] - 0.6 * np.cos(3 * t)),
        True,
    ),
    (
        *("expression", {"expression": "q0*q1 - cos(q2)*t"}),
        lambda q, t: q[0] * q[1] - np.cos(q[2]) * t,
        lambda q, u, t: u[0] * q[1] + q[0] * u[1] + np.sin(q[2]) * t * u[2] - np.cos(q[2]),
        True,
    ),
    (
        *("velocity", {"expression": "q1*speed(q0) - sin(q2)*speed(q2) + t**2"}),
        lambda q, t: 0.0,
        lambda q, u, t: q[1] * u[0] - np.sin(q[2]) * u[2] + t**2,
        False,
    ),
)


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation[0])
def test_relations_of_coordinates(relation: Any) -> None:
    """phi and psi are what was declared; G, g and the motion follow from them, t included."""
    kind, given, phi, psi, is_holonomic = relation
    model = _arm()
    model.constraint("held", kind, **given)
    values = Values(model)
    rng = np.random.default_rng(4)
    q, u, t = rng.normal(size=3), rng.normal(size=3), 0.7
    at = {"t": t} if "t" in given.get("expression", "") else {}
    if is_holonomic:
        assert near(values("constraint_residual", q=q, **at), [phi(q, t)], 1e-14)
    velocity = values("constraint_velocity", q=q, u=u, **at)
    assert near(velocity, [psi(q, u, t)], 1e-14)
    gradient = [psi(q, e, t) - psi(q, 0 * e, t) for e in np.eye(3)]
    assert near(values("constraint_jacobian", q=q, **at), [gradient], 1e-14)
    h = 1e-4
    ahead, behind = (psi(q + s * u, u, t + s) for s in (h, -h))
    far, near_by = (psi(q + s * u, u, t + s) for s in (2 * h, -2 * h))
    slope = (8 * (ahead - behind) - (far - near_by)) / (12 * h)
    assert near(values("constraint_bias", q=q, u=u, **at), [slope], 1e-10)
    if is_holonomic:
        q = values.closed(q, **at)
    _check_motion(values, q, u, **at)


def test_constraints_on_speeds_must_be_linear() -> None:
    model = _arm()
    model.constraint("held", "velocity", expression="speed(q0)**2 - 1")
    with pytest.raises(ModelError, match=r"constraint 'held': not linear in the speeds"):
        Values(model)("forward_dynamics", q=np.zeros(3), u=np.zeros(3), tau=np.zeros(3))


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ("expression", {"expression": "q0*speed(q1)"}, "is one of the speeds; only parameters and"),
        ("expression", {"expression": "q0 - push"}, "'push' is one of the inputs; only parameters"),
        ("velocity", {"expression": "speed(q0) - push"}, "'push' is one of the inputs"),
        ("driver", {"first": "q7", "expression": "t"}, "no coordinate 'q7'"),
        ("coincident", {"a": "b7", "b": "b0"}, "unknown body 'b7'"),
        ("expression", {"expression": "x + q0"}, "unknown name 'x'"),
    ],
)
def test_what_cannot_be_held_is_told(kind: str, given: dict[str, Any], message: str) -> None:
    model = _arm()
    model.input("push")
    model.constraint("held", kind, **given)
    with pytest.raises(ModelError, match=message):
        Values(model)("constraint_velocity", q=np.zeros(3), u=np.zeros(3), t=0.0)


def test_lengths_may_change_with_time() -> None:
    """A rope that is drawn in: d^2 = l(t)^2 along the motion."""
    model = _arm()
    model.constraint("rope", "distance", a="b2", b=Point("world", (0, 2, 1)), length="2 - t/4")
    values = Values(model)
    rng = np.random.default_rng(6)
    t, u = 0.4, rng.normal(size=3)
    q = values.closed(rng.normal(size=3), t=t)
    place = values("frame_b2_pose", q=q)[:3, 3] - (0, 2, 1)
    assert np.linalg.norm(place) == pytest.approx(1.9, rel=1e-13)
    u = values.consistent(q, u, t=t)
    velocity = values("frame_b2_velocity", q=q, u=u)[:3]
    assert place @ velocity / 1.9 == pytest.approx(-0.25, rel=1e-12)
    _check_motion(values, q, u, t=t)
    a = values("forward_dynamics", q=q, u=u, tau=np.zeros(3), t=t)
    acceleration = values("frame_b2_acceleration", q=q, u=u, a=a)[:3]
    # l l'' + l'^2 = d.d'' + d'.d' with l'' = 0
    assert place @ acceleration + velocity @ velocity == pytest.approx(1 / 16, rel=1e-9)
