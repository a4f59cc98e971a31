"""A joint that closes a loop: relative motion of its sides, forces that it transmits, losses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.body_motion import BodyMotion, constant
from eomc.verifier.witness.joint_motion import coordinate_rates, own_motion
from eomc.verifier.witness.mechanism import RigidHold, WitnessJoint


class RelativeMotion:
    """One joint or constraint in one state: gaps, their rates and second rates, which are zero
    where it holds, and units (rows, directions), rates at unit speeds; of the motion `relative` of
    the child side in the parent side."""

    gaps: Array
    rates: Array
    seconds: Array
    units: Array

    def __init__(self, hold: RigidHold | WitnessJoint, motions: Mapping[int, BodyMotion]) -> None:
        self.parent, self.child = motions[hold.parent], motions[hold.child]
        self.relative = motion = relative(hold, self.parent, self.child)
        if isinstance(hold, WitnessJoint):
            found = Forbidden(hold, motion)
            self.gaps, self.rates = found.gaps, found.rates
            self.units, self.seconds = found.units, found.seconds
        else:
            rows = np.array(hold.rows)
            self.gaps, self.rates, self.seconds = (
                np.einsum("kij,ij->k", rows, x) for x in (motion.x, motion.rate, motion.second)
            )
            self.units = np.einsum("kij,dij->kd", rows, motion.units)

    @property
    def size(self) -> float:
        """1 m and the farthest origin."""
        return 1.0 + float(np.abs(self.child.x[:3, 3]).max())

    @property
    def speed(self) -> float:
        """Largest entry of the rates of both sides' poses."""
        return float(max(np.abs(self.parent.rate).max(), np.abs(self.child.rate).max()))

    @property
    def acceleration(self) -> float:
        """Largest entry of the second rates of both sides' poses."""
        return float(max(np.abs(self.parent.second).max(), np.abs(self.child.second).max()))


_CLOSE, _STEPS, _STARTS = 1e-13, 40, 24


_HALF_TURNS = 3


"""Starts from within so many half turns, then from as many more: strings unwind by several."""


# Of the largest singular value, or of a metre and a radian: below it a joint does not move.
_RANK = 1e-9


def relative(joint: WitnessJoint | RigidHold, parent: BodyMotion, child: BodyMotion) -> BodyMotion:
    """Of the child-side frame in the parent-side one: with Y the inverse pose of the parent side,
    X = Y Z, Y' = -Y P' Y and Y'' = 2 Y P' Y P' Y - Y P'' Y."""
    count = len(parent.units)
    side = parent.then(constant(joint.before, count))
    y = _inverse(side.x)
    rate = -y @ side.rate @ y
    second = 2 * y @ side.rate @ y @ side.rate @ y - y @ side.second @ y
    outer = child.then(constant(_inverse(joint.after), count))
    return BodyMotion(y, -y @ side.units @ y, rate, second).then(outer)


class Forbidden:
    """Part of a relative motion X that a joint forbids: zero where it closes its loop."""

    def __init__(self, joint: WitnessJoint, motion: BodyMotion) -> None:
        self.q, gap = nearest(joint, motion.x)
        back = _inverse(motion.x)
        still = own_motion(joint, self.q, np.zeros(len(joint.unit_speeds)))
        own = twists(back @ still.units)
        left, sizes, _ = np.linalg.svd(own.T)
        across = left[:, int((sizes > _RANK).sum()) :]
        found = np.linalg.lstsq(own.T, _twist(back @ motion.rate), rcond=None)[0]
        speeds = np.asarray(found, dtype=np.float64)
        passing = motion.second - own_motion(joint, self.q, speeds).second
        self.gaps: Array = gap
        self.rates: Array = across.T @ _twist(back @ motion.rate)
        self.units: Array = across.T @ twists(back @ motion.units).T
        self.seconds: Array = across.T @ _twist(back @ passing)


def nearest(joint: WitnessJoint, x: Array) -> tuple[Array, Array]:
    """(q of the pose X(q) nearest to `x`, the twist (6,) from there to `x`)."""
    rng = np.random.default_rng(0)
    still = np.zeros(len(joint.unit_speeds))
    best: tuple[Array, Array] | None = None
    for attempt in range(_STARTS):
        q = joint.neutral.copy()
        if attempt:
            reach = np.pi * (1 + attempt // _HALF_TURNS)
            q += rng.uniform(-reach, reach, len(q))
        for _ in range(_STEPS):
            q[list(joint.quaternion)] /= np.linalg.norm(q[list(joint.quaternion)]) or 1.0
            here = own_motion(joint, q, still)
            apart = _screw(_inverse(here.x) @ x)
            if best is None or np.linalg.norm(apart) < np.linalg.norm(best[1]):
                best = q.copy(), apart
            if not len(q) or np.linalg.norm(apart) < _CLOSE:
                break
            own = twists(_inverse(here.x) @ here.units)
            step = np.linalg.lstsq(own.T, apart, rcond=_RANK)[0]
            if np.linalg.norm(step) < _CLOSE:  # as near as it gets
                break
            q = q + coordinate_rates(joint, q) @ step
        assert best is not None
        if np.linalg.norm(best[1]) < np.sqrt(_CLOSE):
            break
    assert best is not None
    return best


def loss_wrench(joint: WitnessJoint, motion: BodyMotion) -> Array:
    """(force, moment) (6,) of the losses on the child side, in axes of the parent side; `motion` is
    that of the child side in the parent side."""
    return freedom_wrench(joint, motion, lambda k, u: _loss(joint, k, u))


def freedom_wrench(
    joint: WitnessJoint, motion: BodyMotion, law: Callable[[int, float], float]
) -> Array:
    """The same of a force or a torque law(k, u) along each freedom, whose rate is u."""
    wrench = np.zeros(6)
    now = motion.rate[:3, 3], motion.angular_velocity
    for part, places, rate in zip((0, 3), _directions(joint, motion.x), now, strict=True):
        if not places:
            continue
        inverse = np.linalg.pinv(np.array(list(places.values())).T)
        for k, u, along in zip(places, inverse @ rate, inverse, strict=True):
            wrench[part : part + 3] += law(k, float(u)) * along
    return wrench


def losses(joint: WitnessJoint, parent: BodyMotion, child: BodyMotion) -> Array:
    """(directions,) generalized forces of the losses of one joint."""
    total = np.zeros(len(parent.units))
    for k, u, unit in freedoms(joint, parent, child):
        total += unit * _loss(joint, k, u)
    return total


def _loss(joint: WitnessJoint, k: int, u: float) -> float:
    """-d u - f tanh(u / u_0)"""
    rubbing = joint.friction[k] * np.tanh(u / joint.friction_speed)
    return -joint.damping[k] * u - float(rubbing)


def freedoms(
    joint: WitnessJoint, parent: BodyMotion, child: BodyMotion
) -> Iterator[tuple[int, float, Array]]:
    """(k, rate, rates at unit speeds (directions,)) of the freedoms of one joint."""
    motion = relative(joint, parent, child)
    sliding, turning = _directions(joint, motion.x)
    now = motion.rate[:3, 3], motion.angular_velocity
    units = motion.units[:, :3, 3], motion.partial_angular_velocities
    for places, rate, partial in zip((sliding, turning), now, units, strict=True):
        if not places:
            continue
        inverse = np.linalg.pinv(np.array(list(places.values())).T)
        yield from zip(places, inverse @ rate, inverse @ partial.T, strict=True)


def _directions(joint: WitnessJoint, x: Array) -> tuple[dict[int, Array], dict[int, Array]]:
    """Directions of sliding and of turning by the number of the speed, in axes of the parent side:
    those that stay in it are fixed there, others in the child side as it is."""
    still = np.zeros(len(joint.unit_speeds))
    here, start = (own_motion(joint, q, still) for q in (nearest(joint, x)[0], joint.neutral))
    found: tuple[dict[int, Array], dict[int, Array]] = ({}, {})
    inner, first = (twists(_inverse(own.x) @ own.units) for own in (here, start))
    for k, (twist, before) in enumerate(zip(inner, first, strict=True)):
        turns = bool(np.linalg.norm(twist[3:]) > _RANK)
        part = slice(3, 6) if turns else slice(0, 3)
        direction = here.rotation @ twist[part]
        stays = np.abs(direction - start.rotation @ before[part]).max() < _RANK
        found[turns][k] = direction if stays else x[:3, :3] @ twist[part]
    return found


def _inverse(x: Array) -> Array:
    return np.asarray(np.linalg.inv(x), dtype=np.float64)


def _twist(matrix: Array) -> Array:
    """(v, w) of X^-1 X'."""
    skew = (matrix - matrix.T) / 2
    return np.array([*matrix[:3, 3], skew[2, 1], skew[0, 2], skew[1, 0]])


def twists(matrices: Array) -> Array:
    """(k, 6) of k of them."""
    return np.array([_twist(matrix) for matrix in matrices]).reshape(-1, 6)


def _screw(x: Array) -> Array:
    """Translation and rotation vector of a pose."""
    twist = _twist(x)
    size = float(np.linalg.norm(twist[3:]))
    angle = np.arctan2(size, (np.trace(x[:3, :3]) - 1) / 2)
    return np.concatenate([twist[:3], twist[3:] * (angle / size if size else 1.0)])
