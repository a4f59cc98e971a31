"""Rates that the rows of a joint which closes a loop hold, by their labels, so that multipliers are
forces and torques.

Where the joint is closed, a row of label ``force_x`` has the rate v_x of the child-side origin,
``torque_x`` the rate w_x, both in the parent-side joint frame; ``force_1`` and ``force_2`` have
t1.v and t2.v, ``torque_1`` and ``torque_2`` what the axis n tilts along t1 and t2, t.(w x n);
``force_n`` has n.v, of a screw less its pitch times n.w, and ``torque`` between two axes
n.(w x n2). Of a string, with t1' and t2' on the child side and r from the pulley to there,
``force_2`` has the rate of t2'.r, ``force_1`` that of t1'.r less the radius times n.w. The
multiplier of each does work on just that (Nikravesh, *Computer-Aided Analysis of Mechanical
Systems*, ch. 7).
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.body_motion import BodyMotion
from eomc.verifier.witness.joint_motion import STRINGS
from eomc.verifier.witness.mechanism import WitnessJoint


def closing_rows(
    labels: Collection[str], joint: WitnessJoint, motion: BodyMotion
) -> dict[str, Array]:
    """Rates (directions,) of the rows at unit speeds; `motion` is that of the child side in the
    parent side. Of two directions across the axis only where the joint holds both."""
    v, w, n = motion.units[:, :3, 3], motion.partial_angular_velocities, joint.axis
    known = {f"force_{e}": v[:, k] for k, e in enumerate("xyz")}
    known |= {f"torque_{e}": w[:, k] for k, e in enumerate("xyz")}
    if n is not None:
        known["force_n"] = v @ n - joint.pitch * (w @ n)
        if joint.kind in STRINGS:
            known |= _of_string(joint, motion)
        for word, across in (("force", v), ("torque", np.cross(w, n))):
            if {f"{word}_1", f"{word}_2"} <= {*labels} - known.keys():
                known |= {f"{word}_{k}": across @ t for k, t in enumerate(_normals(n), start=1)}
        if joint.axis_2 is not None:
            known["torque"] = np.cross(w, motion.x[:3, :3] @ joint.axis_2) @ n
    return {label: known[label] for label in labels if label in known}


def _of_string(joint: WitnessJoint, motion: BodyMotion) -> dict[str, Array]:
    """d(t'.r) = t'.v + w.(t' x r), of the length also what is wound up, at the radius t2'.r."""
    assert joint.axis is not None
    v, w, r = motion.units[:, :3, 3], motion.partial_angular_velocities, motion.x[:3, 3]
    first, second = (motion.rotation @ t for t in _normals(joint.axis))
    rates = [v @ t + w @ np.cross(t, r) for t in (first, second)]
    return {"force_1": rates[0] - second @ r * (w @ joint.axis), "force_2": rates[1]}


def _normals(n: Array) -> tuple[Array, Array]:
    """t1, t2 with t1 x t2 = n: t1 is the coordinate axis that follows the largest entry of n
    cyclically, made normal to n."""
    e = np.eye(3)[(int(np.argmax(np.abs(n))) + 1) % 3]
    first = e - (e @ n) * n
    first /= np.linalg.norm(first)
    return first, np.cross(n, first)
