"""Losses of joints that close loops, from the relative motion of their two sides.

Where the joint holds, child-side frame and parent-side frame move against one another with

    w_rel = sum_k n_k u_k,      v_rel = sum_k d_k u_k

along its directions n_k of turning and d_k of sliding. The rates u_k are the least-squares
solutions, so also at unit speeds that the loop does not allow; by the principle of virtual power
the loss -d u_k - f tanh(u_k / u_0) acts on each direction with what u_k is at its unit speed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eomc.runtime.verify.joint_motion import in_plane
from eomc.runtime.verify.mechanism import Array, Joint

if TYPE_CHECKING:
    from eomc.runtime.verify.newton_euler import Motion


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


def _directions(
    joint: Joint, outer: Array, inner: Array
) -> tuple[dict[int, Array], dict[int, Array]]:
    """World directions of turning and of sliding by the number of the speed; `outer` and `inner`
    are the axes of the parent side and of the child side."""
    if joint.kind == "spherical":
        return dict(enumerate(inner.T)), {}
    assert joint.axis is not None
    n = outer @ joint.axis
    if joint.kind == "prismatic":
        return {}, {0: n}
    if joint.kind == "cylindrical":
        return {0: n}, {1: n}
    if joint.kind == "planar":
        first, second = in_plane(joint.axis)
        return {2: n}, {0: outer @ first, 1: outer @ second}
    if joint.kind == "universal":
        assert joint.axis2 is not None
        return {0: n, 1: inner @ joint.axis2}, {}
    return {0: n}, {}
