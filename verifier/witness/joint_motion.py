"""Joints as products of homogeneous matrices, from their definitions.

A joint is a product of factors X(q), each with constant generators Xi_k in se(3) so that

    X' = X sum_k Xi_k u_k,      X'' = X ((sum_k Xi_k u_k)^2 + sum_k Xi_k u_k').

A turn about n: X = 1 + sin(q) K + (1 - cos(q)) K^2 with K = [n]x (Rodrigues); a slide: translation
by q n; a free rotation: the matrix of the unit quaternion, Xi_k the unit angular velocities in the
turned axes. Reference: Murray, Li and Sastry, *A Mathematical Introduction to Robotic
Manipulation*, ch. 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.body_motion import BodyMotion, constant
from eomc.verifier.witness.mechanism import WitnessJoint, WitnessStation

Factor = tuple[Array, Array]
"""X (4, 4) and its generators (number of speeds, 4, 4)."""


def cross_matrix(v: Array) -> Array:
    """[v]x, with [v]x w = v x w."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def generator(angular: Sequence[float] | Array, linear: Sequence[float] | Array) -> Array:
    """The element (4, 4) of se(3) of a twist."""
    matrix = np.zeros((4, 4))
    matrix[:3, :3] = cross_matrix(np.asarray(angular, dtype=float))
    matrix[:3, 3] = linear
    return matrix


def homogeneous(rotation: Array, origin: Sequence[float] | Array) -> Array:
    """(4, 4) of a rotation matrix and an origin."""
    matrix: Array = np.eye(4, dtype=np.result_type(rotation, np.asarray(origin)))
    matrix[:3, :3] = rotation
    matrix[:3, 3] = origin
    return matrix


def rotation_about(axis: Array, angle: float) -> Array:
    """Rodrigues' formula for a unit axis."""
    k = cross_matrix(axis)
    rotation: Array = np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)
    return rotation


def quaternion_rotation(q: Sequence[float] | Array) -> Array:
    """Columns are the images of the axes under v -> q v q*, for a unit quaternion (w, x, y, z)."""
    w, v = q[0], np.asarray(q[1:])
    square = v @ v
    rotation: Array = (w * w - square) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * cross_matrix(v)
    return rotation


def _turn(axis: Array, angle: float, pitch: float = 0.0) -> Factor:
    x = homogeneous(rotation_about(axis, angle), pitch * angle * axis)
    return x, generator(axis, pitch * axis)[None]


def _slide(axis: Array, length: float) -> Factor:
    return homogeneous(np.eye(3), length * axis), generator(np.zeros(3), axis)[None]


def _ball(q: Sequence[float]) -> Factor:
    turns = np.array([generator(axis, np.zeros(3)) for axis in np.eye(3)])
    return homogeneous(quaternion_rotation(q), np.zeros(3)), turns


def _free(q: Sequence[float]) -> Factor:
    slides = [generator(np.zeros(3), axis) for axis in np.eye(3)]
    turns = [generator(axis, np.zeros(3)) for axis in np.eye(3)]
    return homogeneous(quaternion_rotation(q[3:]), q[:3]), np.array(slides + turns)


def in_plane(axis: Array) -> tuple[Array, Array]:
    """The x and y directions of a planar joint: t1 x t2 = axis.

    t1 is the coordinate axis that follows the largest component of `axis`, made normal to it.
    """
    following = np.eye(3)[(int(np.argmax(np.abs(axis))) + 1) % 3]
    first = following - (following @ axis) * axis
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first)


def _axis(joint: WitnessJoint) -> Array:
    assert joint.axis is not None, joint.name
    return joint.axis


def _euler(joint: WitnessJoint, angles: Sequence[float]) -> list[Factor]:
    axes = np.eye(3)
    pairs = zip(joint.sequence, angles, strict=True)
    return [_turn(axes["xyz".index(letter)], angle) for letter, angle in pairs]


def _planar(joint: WitnessJoint, q: Sequence[float]) -> list[Factor]:
    first, second = in_plane(_axis(joint))
    return [_slide(first, q[0]), _slide(second, q[1]), _turn(_axis(joint), q[2])]


def _planar_body(joint: WitnessJoint, q: Sequence[float]) -> list[Factor]:
    """The same place, its speeds along the turned directions."""
    axis = _axis(joint)
    slides = [_slide(direction, q[k]) for k, direction in enumerate(in_plane(axis))]
    turned = homogeneous(rotation_about(axis, q[2]), np.zeros(3))
    place = slides[0][0] @ slides[1][0] @ turned
    generators = [slides[0][1][0], slides[1][1][0], generator(axis, np.zeros(3))]
    return [(place, np.array(generators))]


def _universal(joint: WitnessJoint, q: Sequence[float]) -> list[Factor]:
    assert joint.axis_2 is not None, joint.name
    return [_turn(_axis(joint), q[0]), _turn(joint.axis_2, q[1])]


def _floating_euler(joint: WitnessJoint, q: Sequence[float]) -> list[Factor]:
    slides = [_slide(axis, length) for axis, length in zip(np.eye(3), q[:3], strict=True)]
    return slides + _euler(joint, q[3:])


def _orbit_polar(joint: WitnessJoint, q: Sequence[float]) -> list[Factor]:
    x, _, z = np.eye(3)
    return [_turn(z, q[0]), _slide(x, q[1])]


def _orbit_planar(joint: WitnessJoint, q: Sequence[float]) -> list[Factor]:
    return [*_orbit_polar(joint, q), _turn(np.eye(3)[2], q[2])]


def _orbit_spherical(joint: WitnessJoint, q: Sequence[float]) -> list[Factor]:
    x, y, z = np.eye(3)
    return [_turn(z, q[0]), _turn(-y, q[1]), _slide(x, q[2])]


KINDS: dict[str, Callable[[WitnessJoint, Any], list[Factor]]] = {
    "fixed": lambda joint, q: [],
    "revolute": lambda joint, q: [_turn(_axis(joint), q[0])],
    "prismatic": lambda joint, q: [_slide(_axis(joint), q[0])],
    "screw": lambda joint, q: [_turn(_axis(joint), q[0], joint.pitch)],
    "cylindrical": lambda joint, q: [_turn(_axis(joint), q[0]), _slide(_axis(joint), q[1])],
    "translational": lambda joint, q: [_slide(e, x) for e, x in zip(np.eye(3), q, strict=True)],
    "planar": _planar,
    "planar_body": _planar_body,
    "universal": _universal,
    "spherical": lambda joint, q: [_ball(q)],
    "spherical_euler": _euler,
    "floating": lambda joint, q: [_free(q)],
    "floating_euler": _floating_euler,
    "orbit_polar": _orbit_polar,
    "orbit_planar": _orbit_planar,
    "orbit_spherical": _orbit_spherical,
}
"""The factors of each kind of joint at its coordinates.

This is the one place of the witnesses that knows joints by name: each pose is stated a second time
on purpose. What joints hold in loops, their losses and the rates of their coordinates follow.
"""

STRINGS: dict[str, Callable[[Any, Any], Any]] = {
    "involute": lambda r, q: r * q[0],
    "involute_elongation": lambda r, q: r * q[0] + q[1],
    "involute_strain": lambda r, q: r * q[0] * (1 + q[1]),
    "involute_length": lambda r, q: q[1],
}
"""Length of the string of the kinds that unwind from a pulley of radius r."""

_COMPLEX_STEP = 1e-30


def own_motion(joint: WitnessJoint, q: Array, u: Array) -> BodyMotion:
    """The joint's own motion X(q) at constant speeds u, with X' at each unit speed."""
    if joint.station is not None:
        return _station_motion(joint.station, q, u)
    motion, first = constant(np.eye(4), len(u)), 0
    for x, generators in KINDS[joint.kind](joint, q):
        units = np.zeros((len(u), 4, 4))
        units[first : first + len(generators)] = x @ generators
        rate = np.tensordot(u[first : first + len(generators)], generators, 1)
        motion = motion.then(BodyMotion(x, units, x @ rate, x @ rate @ rate))
        first += len(generators)
    return motion


def _station_motion(station: WitnessStation, q: Array, u: Array) -> BodyMotion:
    """X(q), X' = sum dX/dq_j q_j', X'' = sum dX/dq_j q_j'' + sum d2X/dq_i dq_j q_i' q_j'.

    Of speeds that are no rates, q' = E u and q'' = sum dE/dq_i q_i' u."""
    slopes, rates, pulled, by_speed = station.slopes(q), u, np.zeros(len(q)), np.eye(len(u))
    if station.rates is not None:
        by_speed = station.rates[0](q)
        rates = by_speed @ u
        pulled = np.einsum("inm,i,m->n", station.rates[1](q), rates, u)
    second = np.einsum("ijab,i,j->ab", station.curvatures(q), rates, rates)
    return BodyMotion(
        station.pose(q),
        np.tensordot(by_speed.T, slopes, 1),
        np.tensordot(rates, slopes, 1),
        second + np.tensordot(pulled, slopes, 1),
    )


def coordinate_rates(joint: WitnessJoint, q: Array) -> Array:
    """E(q) (coordinates, speeds) of q' = E(q) u: of speeds that are no rates, what moves the pose
    as the unit speeds do, dX/dq E = dX/du; derivatives by complex steps."""
    count = len(joint.unit_speeds)
    if joint.rates:
        return np.eye(count)
    if joint.station is not None and joint.station.rates is not None:
        return joint.station.rates[0](q)
    slopes = []
    for step in 1j * _COMPLEX_STEP * np.eye(len(q)):
        x: Any = np.eye(4)
        for factor, _ in KINDS[joint.kind](joint, q + step):
            x = x @ factor
        slopes.append(x.imag.ravel() / _COMPLEX_STEP)
    units = own_motion(joint, q, np.zeros(count)).units.reshape(count, 16)
    found: Array = np.linalg.lstsq(np.array(slopes).T, units.T, rcond=None)[0]
    return found
