"""Cases of the grasped object: 46 and 47."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

import eomc
from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model, Placement, Point
from eomc.runtime import CompiledModel
from eomc.runtime.control.impedance import (
    CooperativeImpedance,
    Grasp,
    GraspedObject,
    HeldObject,
    Impedance,
    MomentumSource,
    grasp_matrix,
)
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.control.task_space import EulerAngles, Position, Task
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.moosavian.formulations import largest
from eomc_published.moosavian.states import SEED

_POINTS = np.array([[0.3, 0.1, -0.2], [-0.4, 0.2, 0.1], [0.1, -0.5, 0.3]])
_DELTA, _RATE, _TURNING = (0.4, -0.3, 0.7), (0.5, -0.8, 0.3), (-0.6, 0.2, 0.9)
"""Euler angles (alpha, beta, gamma) of the object, their rates and accelerations."""
_BODY = GraspedObject(3.0, (0.5, 0.6, 0.7))


def _rotation(delta: Any) -> Array:
    """R = Rot_z(gamma) Rot_y(beta) Rot_x(alpha)"""
    (a, b, c), (s, p, q) = np.cos(delta), np.sin(delta)
    x = np.array([[1, 0, 0], [0, a, -s], [0, s, a]])
    y = np.array([[b, 0, p], [0, 1, 0], [-p, 0, b]])
    z = np.array([[c, -q, 0], [q, c, 0], [0, 0, 1]])
    return np.asarray(z @ y @ x)


def _body_rates(delta: Any) -> Array:
    """S of omega = S delta' in the object's axes."""
    (a, b, _), (s, p, _) = np.cos(delta), np.sin(delta)
    return np.array([[1, 0, -p], [0, a, s * b], [0, -s, a * b]])


def _derivative(f: Callable[[complex], Array]) -> Array:
    """f'(0) by a complex step: exact to rounding."""
    step = 1e-30
    return np.asarray(f(1j * step)).imag / step


# -- case 46 --------------------------------------------------------------------------------------


Forces = Callable[..., Array]
"""F_e (18,) of what the object needs (6,), and of internal forces (18,) if they are given."""

_GRIPS = ("grip1", "grip2", "grip3")


@cache
def _models() -> tuple[CompiledModel, CompiledModel]:
    """Object and end-effectors, free bodies, with forces f and moments n on the object where it is
    held; and the end-effectors alone, which the law knows.
    """
    whole, alone = (Model(name, gravity=(0, 0, 0)) for name in ("held", "holders"))
    for model in (whole, alone):
        for grip in _GRIPS:
            model.body(f"{grip}_hand", mass=2.0, inertia=(0.02, 0.03, 0.04))
            model.joint(f"{grip}_free", "floating", parent="world", child=f"{grip}_hand")
            model.frame(grip, body=f"{grip}_hand")
    whole.body("object", mass=3.0, inertia=(0.5, 0.6, 0.7))
    whole.joint("object_free", "floating", parent="world", child="object")
    whole.frame("center", body="object")
    for i, point in enumerate(_POINTS):
        for k, axis in enumerate(np.eye(3).tolist()):
            f = whole.input(f"f{i}{k}", units="N")
            n = whole.input(f"n{i}{k}", units="N m")
            at = Point("object", tuple(point.tolist()))
            whole.force(f"push{i}{k}", at=at, direction=axis, magnitude=f)
            whole.torque(f"twist{i}{k}", body="object", direction=axis, magnitude=n)
    known = ("inverse_dynamics", "normalize", "neutral")
    return (
        build(whole, functions=("forward_dynamics", "normalize", "neutral"), frames=("center",)),
        build(alone, functions=known, frames=_GRIPS),
    )


def _grasping_configuration() -> Array:
    """Coordinates: the object turned, its centre at the origin, end-effectors where they hold."""
    R = _rotation(np.array(_DELTA))
    w = np.sqrt(1 + np.trace(R)) / 2
    vector = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * w)
    upright = [1.0, 0.0, 0.0, 0.0]
    tips = [np.concatenate([R @ point, upright]) for point in _POINTS]
    return np.concatenate([*tips, np.zeros(3), [w], vector])


def _of_the_law(weights: Array) -> Forces:
    """F_e by which the torques of the law differ from those that the end-effectors alone take.

    All is at rest where it should be: the load that the law is told of is what the object needs.
    """
    plant, known = _models()
    q, still = _grasping_configuration(), np.zeros(plant.nu)
    task = Task(
        known, [kind(grip) for grip in _GRIPS for kind in (Position, EulerAngles)], actuators="all"
    )
    upright = np.zeros(3)
    places = [y for tip in q[:21].reshape(3, 7) for y in (tip[:3], upright)]
    held = HeldObject(plant, "center", _BODY, [upright, _DELTA], attitude=True)
    J = np.vstack([known.frame(grip).jacobian(q[: known.nq]) for grip in _GRIPS])

    def forces(wanted: Array, internal: Array | None = None) -> Array:
        law = CooperativeImpedance(
            task,
            places,
            held,
            Impedance(2.0, 3.0, 4.0),
            _GRIPS,
            load=-wanted,
            weights=weights,
            internal=None if internal is None else lambda _: internal,
            plant=StateMap(plant, known),
        )
        return np.asarray(np.linalg.solve(J.T, law.torque(0.0, q, still)[: known.nu]))

    return forces


def _grasp() -> Iterator[CaseCheck]:
    rng = np.random.default_rng(SEED)
    spread = rng.uniform(-1, 1, (18, 18))
    weights = spread @ spread.T + 2 * np.eye(18)
    R, S = _rotation(np.array(_DELTA)), _body_rates(np.array(_DELTA))
    G = grasp_matrix(_POINTS @ R.T, R @ S)
    for name, W in (("W = 1", np.eye(18)), ("full W", weights)):
        inside, wanted = rng.uniform(-1, 1, 18), rng.uniform(-1, 1, 6)
        for whose, forces in (("Grasp", Grasp(G, W).forces), ("law", _of_the_law(W))):
            yield from _shared_out(f"{whose}, {name}", forces, G, W, inside, wanted)


def _shared_out(
    name: str, forces: Forces, G: Array, W: Array, inside: Array, wanted: Array
) -> Iterator[CaseCheck]:
    pseudoinverse = np.column_stack([forces(w) for w in np.eye(6)])
    yield at_most(f"{name}: G G# - 1", largest(G @ pseudoinverse - np.eye(6)), 1e-12)
    squeeze = forces(np.zeros(6), internal=inside)
    # The part of F_int in the null space of G, columns N, orthogonal by W.
    N = np.linalg.svd(G)[2][6:].T
    expected = N @ np.linalg.solve(N.T @ W @ N, N.T @ W @ inside)
    yield agrees(f"{name}: (1 - G# G) F_int", expected, squeeze, 1e-12)
    yield at_most(f"{name}: acceleration of the object by it", _acceleration(squeeze), 1e-12)
    least = forces(wanted)
    yield at_most(
        f"{name}: slope of the norm along forces that do the same", largest(N.T @ W @ least), 1e-12
    )
    others = (least + N @ step for step in np.vstack([np.eye(12), -np.eye(12)]))
    more = min(float(other @ W @ other) for other in others) / float(least @ W @ least)
    yield at_most(f"{name}: norm over that of others, at 1 from it each way", 1 / more, 1.0)


def _acceleration(forces: Array) -> float:
    """Of the object under forces and moments where it is held, in world axes."""
    plant, _ = _models()
    given = forces.reshape(3, 2, 3).transpose(0, 2, 1).ravel()
    still = np.zeros(plant.nu)
    a = plant.forward_dynamics(_grasping_configuration(), still, still, given)
    return largest(a[18:])


# -- case 47 --------------------------------------------------------------------------------------


def _momentum_source() -> Iterator[CaseCheck]:
    rng = np.random.default_rng(SEED)
    turned = _rotation(np.array([0.3, 0.2, 0.5]))
    inertia = turned @ np.diag([0.5, 0.6, 0.7]) @ turned.T
    source = MomentumSource(0.8, [0.1, -0.2, 0.15], [0.4, 1.2, -0.7])
    for name, body in (
        ("with source", GraspedObject(3.0, inertia, source)),
        (
            "spin alone",
            GraspedObject(3.0, inertia, MomentumSource(0.0, (0, 0, 0), source.momentum)),
        ),
        ("mass alone", GraspedObject(3.0, inertia, MomentumSource(0.8, source.at))),
    ):
        x, rate, acceleration = rng.uniform(-1, 1, (3, 3))
        force, moment = _newton_euler(body, x, rate, acceleration)
        M, F_w = _dynamics(body)
        q = np.concatenate([acceleration, _TURNING])
        S = _body_rates(np.array(_DELTA))
        R = _rotation(np.array(_DELTA))
        applied = np.concatenate([force, S.T @ R.T @ moment])
        apart = largest(M @ q + F_w - applied)
        yield at_most(f"{name}: M x'' + F_w and the rates of both momenta", apart, 1e-10)
    yield at_most("mass alone: the object as a model of eomc", _against_model(inertia), 1e-10)
    M, F_w = _dynamics(GraspedObject(3.0, inertia))
    S, omega, drift = _motion()
    plain = np.zeros((6, 6))
    plain[:3, :3], plain[3:, 3:] = 3.0 * np.eye(3), S.T @ inertia @ S
    yield at_most("no source: M of (6.13)", largest(M - plain), 1e-12)
    turning = S.T @ (np.cross(omega, inertia @ omega) + inertia @ drift)
    yield at_most("no source: F_w of (6.13)", largest(F_w - [0, 0, 0, *turning]), 1e-12)


def _motion() -> tuple[Array, Array, Array]:
    """S, omega and S' delta' of the object."""
    delta, rate = np.array(_DELTA), np.array(_RATE)
    S = _body_rates(delta)
    return S, S @ rate, _derivative(lambda t: _body_rates(delta + t * rate)) @ rate


def _dynamics(body: GraspedObject) -> tuple[Array, Array]:
    S, omega, drift = _motion()
    return body.dynamics(_rotation(np.array(_DELTA)), omega, S, drift)


def _newton_euler(
    body: GraspedObject, x: Array, rate: Array, acceleration: Array
) -> tuple[Array, Array]:
    """Force, and moment about x_G in world axes, from the momenta about the origin."""
    m, m_s = body.mass, body.source.mass
    r, spin = np.asarray(body.source.at), np.asarray(body.source.momentum)

    def momenta(t: complex) -> Array:
        delta = np.array(_DELTA) + t * np.array(_RATE) + t**2 / 2 * np.array(_TURNING)
        delta_rate = np.array(_RATE) + t * np.array(_TURNING)
        place, velocity = x + t * rate + t**2 / 2 * acceleration, rate + t * acceleration
        R, omega = _rotation(delta), _body_rates(delta) @ delta_rate
        at = R @ r
        moving = velocity + R @ np.cross(omega, r)
        linear = m * velocity + m_s * moving
        angular = np.cross(place, m * velocity) + np.cross(place + at, m_s * moving)
        return np.concatenate([linear, angular + R @ (np.asarray(body.inertia) @ omega + spin)])

    # A rotation of complex angles is analytic in them: the complex step holds.
    found = _derivative(momenta)
    return found[:3], found[3:] - np.cross(x, found[:3])


def _against_model(inertia: Array) -> float:
    """Object and mass fixed to it as bodies of eomc, against M and F_w in body rates."""
    source = MomentumSource(0.8, [0.1, -0.2, 0.15])
    model = Model("composite", gravity=(0, 0, 0))
    full = (*inertia.diagonal().tolist(), inertia[0, 1], inertia[0, 2], inertia[1, 2])
    model.body("object", mass=3.0, inertia=full)
    model.joint("free", "floating", parent="world", child="object")
    model.body("source", mass=source.mass)
    placement = Placement(xyz=tuple(source.at))  # type: ignore[arg-type]
    model.joint("seat", "fixed", parent="object", child="source", placement=placement)
    rng = np.random.default_rng(SEED)
    u, a = rng.uniform(-1, 1, (2, 6))
    asked = eomc.equations(model).inverse_dynamics.evaluate(q=[0, 0, 0, 1, 0, 0, 0], u=u, a=a)
    M, F_w = GraspedObject(3.0, inertia, source).dynamics(np.eye(3), u[3:])
    # The joint's speeds are in body axes: the velocity's rate in the world adds omega x v.
    velocity = a[:3] + np.cross(u[3:], u[:3])
    return largest(M @ np.concatenate([velocity, a[3:]]) + F_w - np.ravel(asked))


CASES = (
    Case(
        46,
        "Grasp of three end-effectors: weighted pseudoinverse and internal forces",
        "equations 6.13b, 6.16 to 6.18",
        "Grasp, and the forces that torques of CooperativeImpedance give, at points of a turned "
        "object, W = 1 and a full W; internal forces also on a model of the object",
        _grasp,
    ),
    Case(
        47,
        "Object with an internal source of momentum: M and F_w",
        "equations 6.52 to 6.61",
        "GraspedObject against complex-step rates of linear and angular momentum, and against a "
        "model",
        _momentum_source,
    ),
)
