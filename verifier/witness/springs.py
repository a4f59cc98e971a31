"""Forces and energies of springs in one state of a mechanism, with the dampers beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.mechanism import WitnessSpring

if TYPE_CHECKING:
    from eomc.verifier.witness.newton_euler import NewtonEuler


def between_points(state: NewtonEuler, kept: Array, other: Array) -> float:
    """Add the forces with and without a potential on unit speeds; the energy of the former."""
    energy = 0.0
    for spring in state.mechanism.springs:
        _, x, v, stretching = stretched(state, spring)
        if spring.law is not None:
            other -= stretching * spring.law({**state.named, "x": x, "v": v})
            continue
        k = spring.stiffness(state.named)
        kept -= stretching * (k * x)
        other -= stretching * (spring.damping(state.named) * v)
        energy += k * x * x / 2
    return energy


def pull(state: NewtonEuler, spring: WitnessSpring) -> Array:
    """(3,): the force on the first point; that on the second is opposed."""
    apart, x, v, _ = stretched(state, spring)
    pulled: Array = tension(state, spring, x, v) * apart / np.linalg.norm(apart)
    return pulled


def tension(state: NewtonEuler, spring: WitnessSpring, x: float, v: float) -> float:
    """At a stretch and its rate, of the damper too."""
    if spring.law is not None:
        return float(spring.law({**state.named, "x": x, "v": v}))
    return float(spring.stiffness(state.named) * x + spring.damping(state.named) * v)


def stretched(state: NewtonEuler, spring: WitnessSpring) -> tuple[Array, float, float, Array]:
    """From the first point to the second, stretch, its rate, and how fast each unit speed draws the
    points apart."""
    a, b = state.motions[spring.a.body], state.motions[spring.b.body]
    apart = b.position(spring.b.xyz) - a.position(spring.a.xyz)
    length = float(np.linalg.norm(apart))
    along = apart / length
    partial = b.partial_velocities(spring.b.xyz) - a.partial_velocities(spring.a.xyz)
    v = float((b.velocity(spring.b.xyz) - a.velocity(spring.a.xyz)) @ along)
    return apart, length - spring.free_length(state.named), v, partial @ along


def at_joints(state: NewtonEuler, kept: Array, other: Array) -> float:
    """The same of springs of coordinates."""
    energy = 0.0
    for spring in state.mechanism.joint_springs:
        x = spring.coordinate.value(state.values) - spring.free_angle(state.named)
        v = spring.speed.value(state.values)
        k = spring.stiffness(state.named)
        if spring.law is None:
            energy += k * x * x / 2
        if not spring.speed.array:
            continue
        place, factor = state.direction(spring.speed), spring.speed.factor
        if spring.law is not None:
            other[place] -= factor * spring.law({**state.named, "x": x, "v": v})
        else:
            kept[place] -= factor * k * x
            other[place] -= factor * spring.damping(state.named) * v
    return energy
