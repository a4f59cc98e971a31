"""Gravity, springs and dampers in Cartesian form, with their derivatives (thesis, 3.2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eomc_published.trom.cartesian import derivatives as by
from eomc_published.trom.cartesian.kinematics import GROUND, Array, CartesianMotion


@dataclass(frozen=True)
class CartesianSpring:
    """A translational spring-damper between points of bodies a and b (`GROUND`: the origin).

    Attachments (3,) from the mass centre, body axes [m]. Tension k (L - l0) + c L' is positive.
    """

    a: int
    at_a: tuple[float, float, float]
    b: int
    at_b: tuple[float, float, float]
    stiffness: float
    damping: float
    free_length: float


@dataclass(frozen=True)
class TurnSpring:
    """A rotational spring-damper on a turn: the torque -(k (q - q0) + c q') on its body."""

    axis: int
    stiffness: float
    damping: float
    free_angle: float = 0.0


Spring = CartesianSpring | TurnSpring


@dataclass(frozen=True)
class _SpringEnd:
    body: int
    arm: Array
    place: Array
    velocity: Array

    def place_by(self, m: CartesianMotion, k: int) -> Array:
        """dr/dq_k (3.25, 3.26)."""
        if self.body == GROUND or k not in m.path[self.body]:
            return 0 * self.place
        if m.kinds[k] == "slide":
            return np.array(m.u[k])
        return np.cross(m.u[k], self.place - m.point[k])

    def arm_by(self, m: CartesianMotion, k: int) -> Array:
        """ds/dq_k (3.27)."""
        if self.body == GROUND or k not in m.path[self.body] or m.kinds[k] == "slide":
            return 0 * self.place
        return np.cross(m.u[k], self.arm)

    def velocity_by(self, m: CartesianMotion, k: int) -> Array:
        """dv/dq_k = (dr/dq_k)'"""
        if self.body == GROUND or k not in m.path[self.body]:
            return 0 * self.place
        if m.kinds[k] == "slide":
            return np.array(m.u_rate[k])
        relative = self.velocity - m.point_rate[k]
        return np.cross(m.u_rate[k], self.place - m.point[k]) + np.cross(m.u[k], relative)


def _point(m: CartesianMotion, body: int, at: Sequence[float]) -> _SpringEnd:
    if body == GROUND:
        place = np.array(at, m.u.dtype)
        return _SpringEnd(body, 0 * place, place, 0 * place)
    arm = m.A[body] @ np.asarray(at)
    return _SpringEnd(body, arm, m.r[body] + arm, m.v[body] + np.cross(m.omega[body], arm))


def weight(m: CartesianMotion, gravity: Sequence[float]) -> Array:
    """f of uniform gravity."""
    f = np.zeros(6 * len(m.bodies), m.u.dtype)
    for i, body in enumerate(m.bodies):
        f[6 * i : 6 * i + 3] += body.mass * np.asarray(gravity)
    return f


def point_forces(m: CartesianMotion, spring: CartesianSpring) -> Array:
    """f of one translational spring-damper."""
    f = np.zeros(6 * len(m.bodies), m.u.dtype)
    a, b, u, tension = _line(m, spring)
    for point, force in ((a, tension * u), (b, -tension * u)):
        if point.body != GROUND:
            f[6 * point.body : 6 * point.body + 3] += force
            f[6 * point.body + 3 : 6 * point.body + 6] += np.cross(point.arm, force)
    return f


def _line(
    m: CartesianMotion, spring: CartesianSpring
) -> tuple[_SpringEnd, _SpringEnd, Array, Array]:
    a, b = _point(m, spring.a, spring.at_a), _point(m, spring.b, spring.at_b)
    apart = b.place - a.place
    length = np.sqrt(apart @ apart)
    u = apart / length
    stretching = u @ (b.velocity - a.velocity)
    tension = spring.stiffness * (length - spring.free_length) + spring.damping * stretching
    return a, b, u, tension


def point_forces_by(m: CartesianMotion, spring: CartesianSpring, k: int) -> Array:
    """df/dq_k (3.22 to 3.29), with the term of the damper when the points move."""
    a, b, u, tension = _line(m, spring)
    apart = b.place - a.place
    length = np.sqrt(apart @ apart)
    moved = b.place_by(m, k) - a.place_by(m, k)
    longer = u @ moved
    du = moved / length - apart * (apart @ moved) / length**3
    faster = du @ (b.velocity - a.velocity) + u @ (b.velocity_by(m, k) - a.velocity_by(m, k))
    change = spring.stiffness * longer + spring.damping * faster
    f = np.zeros(6 * len(m.bodies), m.u.dtype)
    for point, sign in ((a, 1.0), (b, -1.0)):
        if point.body == GROUND:
            continue
        force = sign * (change * u + tension * du)
        arm = sign * tension * np.cross(point.arm_by(m, k), u)
        f[6 * point.body : 6 * point.body + 3] += force
        f[6 * point.body + 3 : 6 * point.body + 6] += arm + np.cross(point.arm, force)
    return f


def point_forces_by_rate(m: CartesianMotion, spring: CartesianSpring, k: int) -> Array:
    """df/dq'_k (3.35): the rate of the stretch by q' is the stretch by q."""
    a, b, u, _ = _line(m, spring)
    change = spring.damping * (u @ (b.place_by(m, k) - a.place_by(m, k)))
    f = np.zeros(6 * len(m.bodies), m.u.dtype)
    for point, sign in ((a, 1.0), (b, -1.0)):
        if point.body != GROUND:
            f[6 * point.body : 6 * point.body + 3] += sign * change * u
            f[6 * point.body + 3 : 6 * point.body + 6] += sign * change * np.cross(point.arm, u)
    return f


def joint_forces(m: CartesianMotion, spring: TurnSpring, angle: Array, rate: Array) -> Array:
    """f of one rotational spring-damper: t u on the inboard body, -t u on the own."""
    return _couple(m, spring, _torque(spring, angle, rate) * m.u[spring.axis])


def joint_forces_by(
    m: CartesianMotion, spring: TurnSpring, angle: Array, rate: Array, k: int
) -> Array:
    """df/dq_k (3.31)."""
    slope = spring.stiffness if k == spring.axis else 0.0
    torque = _torque(spring, angle, rate)
    return _couple(m, spring, slope * m.u[spring.axis] + torque * by.u_by(m, spring.axis, k))


def joint_forces_by_rate(m: CartesianMotion, spring: TurnSpring, k: int) -> Array:
    """df/dq'_k"""
    slope = spring.damping if k == spring.axis else 0.0
    return _couple(m, spring, slope * m.u[spring.axis])


def _torque(spring: TurnSpring, angle: Array, rate: Array) -> Array:
    found: Array = spring.stiffness * (angle - spring.free_angle) + spring.damping * rate
    return found


def _couple(m: CartesianMotion, spring: TurnSpring, torque: Array) -> Array:
    f = np.zeros(6 * len(m.bodies), m.u.dtype)
    own = m.body_of[spring.axis]
    f[6 * own + 3 : 6 * own + 6] -= torque
    inboard = m.bodies[own].parent
    if inboard != GROUND:
        f[6 * inboard + 3 : 6 * inboard + 6] += torque
    return f
