"""Reactions in joints: laws of Newton and Euler of each body, other cuts, known statics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from constraints.four_bars import BASE, COUPLER, CRANK, ROCKER, planar, spatial
from constraints.values import Values, near

from eomc.binding.arrays import Array
from eomc.derive.functions.reactions import reaction_names
from eomc.derive.model import Model, Placement

GRAVITY = np.array([0, 0, -9.81])


def _motion(values: Values, q: Array, u: Array, tau: Array) -> dict[str, Array]:
    """A consistent motion near the guess."""
    q = values.closed(q)
    u = values.consistent(q, u)
    a, multipliers = values("constrained_dynamics", q=q, u=u, tau=tau, stabilization=[0.0])
    return {"q": q, "u": u, "a": a, "multipliers": multipliers}


def _reactions(values: Values, state: dict[str, Array]) -> dict[str, Array]:
    names = reaction_names(values.equations.system(()))
    return dict(zip(names, values("joint_reactions", **state), strict=True))


def _wrenches(model: Model, values: Values, state: dict[str, Array]) -> dict[str, Array]:
    """Sum of what the joints exert on each body: force, moment about the world's origin."""
    total = {name: np.zeros(6) for name in model.bodies}
    for name, row in _reactions(values, state).items():
        joint = model.joints[name]
        pose = values(f"frame_{joint.child}_pose", q=state["q"])
        inner = np.eye(4)
        inner[:3, :3] = np.array(joint.child_placement.matrix, dtype=float)
        inner[:3, 3] = np.array(joint.child_placement.xyz, dtype=float)
        place = pose @ inner
        force, moment = place[:3, :3] @ row[:3], place[:3, :3] @ row[3:]
        wrench = np.concatenate([force, moment + np.cross(place[:3, 3], force)])
        total[joint.child] += wrench
        if joint.parent != "world":
            total[joint.parent] -= wrench
    return total


@pytest.mark.parametrize("build", [planar, spatial])
def test_newton_and_euler_hold_for_every_body(build: type[Model]) -> None:
    """m (a_c - g) = sum of forces; rate of angular momentum = sum of moments, about the origin."""
    model = build()
    values = Values(model)
    nu = len(values.equations.speeds)
    rng = np.random.default_rng(3)
    guess = rng.normal(scale=0.4, size=nu)
    state = _motion(values, guess, rng.normal(size=nu), rng.normal(size=nu))
    for name, wrench in _wrenches(model, values, state).items():
        body = model.bodies[name]
        pose = values(f"frame_{name}_pose", q=state["q"])
        velocity = values(f"frame_{name}_velocity", q=state["q"], u=state["u"])
        acceleration = values(
            f"frame_{name}_acceleration", q=state["q"], u=state["u"], a=state["a"]
        )
        r = pose[:3, :3]
        c = r @ np.array(body.com, dtype=float)
        w, alpha = velocity[3:], acceleration[3:]
        a_c = acceleration[:3] + np.cross(alpha, c) + np.cross(w, np.cross(w, c))
        xx, yy, zz, xy, xz, yz = (float(entry) for entry in body.inertia_com)
        j = r @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ r.T
        force = float(body.mass) * (a_c - GRAVITY)
        moment = j @ alpha + np.cross(w, j @ w) + np.cross(pose[:3, 3] + c, force)
        assert near(wrench[:3], force, 1e-11)
        assert near(wrench[3:], moment, 1e-11)


def test_wherever_the_loop_is_cut() -> None:
    """The same reactions, in the plane of motion, from all four cuts; out of it, what the
    redundant directions leave undetermined."""
    angles, rate = _angles(0.7), 0.9

    def lossy(cut: str) -> Model:
        model = planar(cut, heavy=False)
        for name, damping in (("a", 0.3), ("c", 0.5), ("d", 0.2)):
            joint = model.joints[name]
            model.joints[name] = replace(joint, damping=(damping,), friction=(0.1,))
        return model

    speeds = {"a": rate, "d": rate * _ratio(0.7)}
    table = []
    for cut in angles:
        values = Values(lossy(cut))
        names = values.equations.coordinates
        q = values.closed(np.array([angles[name] for name in names]))
        along = np.linalg.svd(values("constraint_jacobian", q=q))[2][-1]
        known = next(name for name in speeds if name in names)
        u = along / along[names.index(known)] * speeds[known]
        table.append(_reactions(values, _motion(values, q, u, np.zeros(3))))
    for other in table[1:]:
        for joint in ("a", "b", "c", "d"):
            assert near(other[joint][1:4], table[0][joint][1:4], 1e-9)


def _angles(crank: float) -> dict[str, float]:
    """Angles of the joints by plane geometry, the branch with the coupler above."""
    tip = CRANK * np.array([np.cos(crank), np.sin(crank)])
    ground = np.array([BASE, 0.0])
    d = ground - tip
    length = float(np.linalg.norm(d))
    inner = np.arccos((COUPLER**2 + length**2 - ROCKER**2) / (2 * COUPLER * length))
    coupler = np.arctan2(d[1], d[0]) + inner
    end = tip + COUPLER * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = float(np.arctan2(end[1] - ground[1], end[0] - ground[0]))
    return {"a": crank, "b": coupler - crank, "c": rocker - coupler, "d": rocker}


def _ratio(crank: float) -> float:
    step = 1e-5
    return float((_angles(crank + step)["d"] - _angles(crank - step)["d"]) / (2 * step))


def test_a_hanging_coupler_is_carried_half_by_each_side() -> None:
    """Trom, sec. 8.4: 49.05 N at the cut joint, upwards on the coupler."""
    values = Values(spatial())
    rest = np.zeros(4)
    state = _motion(values, rest, rest, rest)
    found = _reactions(values, state)
    assert near(found["ball"][:3], [0, 0, 49.05], 1e-12)
    assert near(state["multipliers"], [0, 0, 49.05], 1e-12)
    assert near(found["elbow"][:3], [0, 0, 49.05], 1e-12)
    assert near(found["left"][:3], [0, 0, 98.1 + 49.05], 1e-12)


def test_motion_subspace_reads_torque_and_losses() -> None:
    """S^T (moment, force) = tau + Q - n^2 I a on every joint of a tree."""
    model = Model("arm", gravity=(0.2, -0.1, -9.81))
    model.body("upper", mass=2, com=(0.1, 0.2, -0.3), inertia=(0.2, 0.3, 0.15, 0.01, 0.02, 0))
    model.body("lower", mass=1, com=(0, 0.1, -0.2), inertia=(0.1, 0.12, 0.05))
    model.joint(
        "shoulder",
        "revolute",
        parent="world",
        child="upper",
        axis=(0.6, 0, 0.8),
        damping=0.4,
        rotor_inertia=0.02,
        gear_ratio=3,
        child_placement=Placement(xyz=(0.1, 0, 0)),
    )
    model.joint(
        "slide",
        "prismatic",
        parent="upper",
        child="lower",
        axis=(0, 1, 0),
        damping=0.3,
        placement=Placement(xyz=(0, 0, -0.6), rpy=(0.2, 0.1, 0.4)),
    )
    model.joint_spring("spring", joint="slide", stiffness=20, free_angle=0.1)
    values = Values(model)
    rng = np.random.default_rng(5)
    q, u, tau = (rng.normal(scale=0.5, size=2) for _ in range(3))
    a = values("forward_dynamics", q=q, u=u, tau=tau)
    turn, slide = values("joint_reactions", q=q, u=u, a=a)
    assert turn[3:] @ [0.6, 0, 0.8] == pytest.approx(tau[0] - 0.4 * u[0] - 0.18 * a[0], rel=1e-11)
    spring = -20 * (q[1] - 0.1)
    assert slide[1] == pytest.approx(tau[1] - 0.3 * u[1] + spring, rel=1e-11)
