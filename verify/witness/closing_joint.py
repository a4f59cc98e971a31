"""Losses of joints that close loops, from the relative motion of their two sides.

Where the joint holds, child-side frame and parent-side frame move against one another with

    w_rel = sum_k n_k u_k,      v_rel = sum_k d_k u_k

along its directions n_k of turning and d_k of sliding. The rates u_k are the least-squares
solutions, so also at unit speeds that the loop does not allow; by the principle of virtual power
the loss -d u_k - f tanh(u_k / u_0) acts on each direction with what u_k is at its unit speed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from eomc.verify.witness.joint_motion import in_plane
from eomc.verify.witness.mechanism import Array, Joint

if TYPE_CHECKING:
    from eomc.verify.witness.body_motion import Motion


def losses(joint: Joint, parent: Motion, child: Motion) -> Array:
    """(directions,) generalized forces of the losses of one joint."""
    inward: Array = np.asarray(np.linalg.inv(joint.after), dtype=np.float64)
    place = inward[:3, 3]
    homogeneous = np.append(child.position(place), 1.0)
    solved = np.linalg.solve(np.asarray(parent.x, dtype=np.float64), homogeneous)
    at_parent: Array = np.asarray(solved[:3], dtype=np.float64)
    turning = child.partial_angular_velocities - parent.partial_angular_velocities
    sliding = child.partial_velocities(place) - parent.partial_velocities(at_parent)
    w = child.angular_velocity - parent.angular_velocity
    v = child.velocity(place) - parent.velocity(at_parent)
    outer = parent.rotation @ joint.before[:3, :3]
    turns, slides = _directions(joint, outer, child.rotation @ inward[:3, :3])
    total = np.zeros(len(turning))
    for places, partial, now in ((turns, turning, w), (slides, sliding, v)):
        if not places:
            continue
        inverse = np.linalg.pinv(np.array(list(places.values())).T)
        rates, units = inverse @ now, inverse @ partial.T
        for k, rate, unit in zip(places, rates, units, strict=True):
            force = -joint.damping[k] * rate
            force -= joint.friction[k] * np.tanh(rate / joint.friction_speed)
            total += unit * force
    return total


Directions = tuple[dict[int, Array], dict[int, Array]]
"""World directions of turning and of sliding by the number of the speed."""


def knows(kind: str) -> bool:
    """True for a kind of joint with formulas here."""
    return kind in _DIRECTIONS


def _directions(joint: Joint, outer: Array, inner: Array) -> Directions:
    """`outer` and `inner` are the axes of the parent side and of the child side."""
    return _DIRECTIONS[joint.kind](joint, outer, inner)


def _turn(joint: Joint, outer: Array, inner: Array) -> Directions:
    return {0: _along(joint.axis, outer)}, {}


def _along(axis: Array | None, axes: Array) -> Array:
    """A direction of the joint in the world."""
    assert axis is not None
    return axes @ axis


def _planar(joint: Joint, outer: Array, inner: Array) -> Directions:
    assert joint.axis is not None
    first, second = in_plane(joint.axis)
    return {2: outer @ joint.axis}, {0: outer @ first, 1: outer @ second}


def _cylindrical(joint: Joint, outer: Array, inner: Array) -> Directions:
    n = _along(joint.axis, outer)
    return {0: n}, {1: n}


def _universal(joint: Joint, outer: Array, inner: Array) -> Directions:
    return {0: _along(joint.axis, outer), 1: _along(joint.axis2, inner)}, {}


_DIRECTIONS: dict[str, Callable[[Joint, Array, Array], Directions]] = {
    "revolute": _turn,
    "screw": _turn,
    "prismatic": lambda joint, outer, inner: ({}, {0: _along(joint.axis, outer)}),
    "cylindrical": _cylindrical,
    "planar": _planar,
    "universal": _universal,
    "translational": lambda joint, outer, inner: ({}, dict(enumerate(outer.T))),
    "spherical": lambda joint, outer, inner: (dict(enumerate(inner.T)), {}),
}
