"""Inverse dynamics of a chain of revolute joints as in the textbook, in numbers and in world axes.

Newton's and Euler's equations of every body about its centre of mass, forces summed from the tip.
It shares no code with the derivation: a second opinion for checks, and slow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import eomc


def numbers(value: object, defaults: dict[str, float]) -> np.ndarray:
    """Scalars and expressions of a model as an array of numbers."""
    if isinstance(value, Sequence):
        return np.array([numbers(entry, defaults) for entry in value])
    substitute = getattr(value, "subs", None)
    return np.array(float(substitute(defaults) if substitute else value))


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix about a unit axis (Rodrigues)."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def inverse_dynamics(model: eomc.Model, q: np.ndarray, u: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Joint torques (n,) [N m] that the motion takes against gravity."""
    given = {name: float(parameter.value) for name, parameter in model.parameters.items()}
    gravity = numbers(model.gravity, given)
    R, origin = np.eye(3), np.zeros(3)
    omega, alpha, acceleration = np.zeros(3), np.zeros(3), np.zeros(3)
    axes, origins, centers, forces, moments = [], [], [], [], []
    for joint, angle, rate, second in zip(model.tree(), q, u, a, strict=True):
        # To the joint, as part of the parent; then the joint turns.
        arm = R @ numbers(joint.placement.xyz, given)
        acceleration = acceleration + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
        origin = origin + arm
        local = numbers(joint.axis, given)
        R = R @ numbers(joint.placement.matrix, given)
        axis = R @ local
        R = R @ turn(local, angle)
        alpha = alpha + second * axis + rate * np.cross(omega, axis)
        omega = omega + rate * axis

        body = model.bodies[joint.child]
        mass, com = float(numbers(body.mass, given)), R @ numbers(body.com, given)
        xx, yy, zz, xy, xz, yz = numbers(body.inertia_com, given)
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        at_com = acceleration + np.cross(alpha, com) + np.cross(omega, np.cross(omega, com))
        axes.append(axis)
        origins.append(origin)
        centers.append(origin + com)
        forces.append(mass * (at_com - gravity))
        moments.append(inertia @ alpha + np.cross(omega, inertia @ omega))
    tau = []
    for k, (axis, joint_origin) in enumerate(zip(axes, origins, strict=True)):
        carried = zip(centers[k:], forces[k:], moments[k:], strict=True)
        total = sum(n + np.cross(c - joint_origin, f) for c, f, n in carried)
        tau.append(axis @ total)
    return np.array(tau)
