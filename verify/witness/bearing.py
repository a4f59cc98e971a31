"""Friction of bearings, in numbers: the reaction of a joint by d'Alembert's principle.

The joint is loosened: its child side may move by six more virtual velocities, in the axes of the
joint frame on the child. What the motion takes along these is what the joint transmits, however the
mechanism is made.
"""

from __future__ import annotations

import numpy as np

from eomc.verify.witness.body_motion import Motion
from eomc.verify.witness.mechanism import Array, Bearing

__all__ = ["friction", "loosening"]


def loosening(directions: int) -> Motion:
    """No motion, with unit velocities along and unit spins about three axes behind all others."""
    units = np.zeros((directions, 4, 4))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        units[directions - 6 + k, k, 3] = 1
        units[directions - 3 + k, j, i], units[directions - 3 + k, i, j] = 1, -1
    return Motion(np.eye(4), units, np.zeros((4, 4)), np.zeros((4, 4)))


def friction(bearing: Bearing, reaction: Array, rate: float) -> float:
    """The generalized force by (force, moment) of the parent on the child."""
    force, moment, e = reaction[:3], reaction[3:], bearing.axis
    turns = bearing.radius is not None
    lever = bearing.radius if bearing.radius is not None else 1.0

    def size(vector: Array) -> float:
        square = float(vector @ vector)
        return float(square / np.sqrt(square + bearing.least_load**2))

    across = force - e * (e @ force)
    if bearing.span is None:
        loads = [size(across)]
    else:
        couple = np.cross(e, moment) / bearing.span
        loads = [size(across / 2 + couple), size(across / 2 - couple)]
    if bearing.width is not None:
        loads.append(size(2 * (e @ moment) / bearing.width * e))
    held = lever * (bearing.preload + sum(loads))
    if turns:
        held += bearing.collar * size(e * (e @ force))
    slip = lever * rate / bearing.slip_speed
    share = np.tanh(slip) if bearing.form == "tanh" else slip / np.sqrt(1 + slip * slip)
    return float(-bearing.friction * held * share)
