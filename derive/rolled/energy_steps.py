"""Steps of energy, momentum and centre of mass over arrays (see `steps`)."""

from __future__ import annotations

from fractions import Fraction

from eomc.derive.dynamics.momentum import double_energy
from eomc.derive.geometry import Inertia, SpatialMotion
from eomc.derive.graph import RolledStep
from eomc.derive.rolled.layouts import (
    INERTIA,
    NUMBER,
    POSE,
    ROTATION,
    SPATIAL_MOTION,
    VECTOR,
    WRENCH,
    numbers,
)
from eomc.derive.rolled.step_builder import RowConstants, StepBuilder
from eomc.derive.rolled.steps import relative, with_subspace


def kinetic_step(name: str, speeds: int, own: RowConstants, body: RowConstants) -> RolledStep:
    """Twist of a link, and what it adds to the energy."""
    step = StepBuilder(
        f"{name}_kinetic", "Twist of a link, and what it adds to the kinetic energy."
    )
    twist, inertia = _twist(step, speeds, own, body)
    before = step.take("energy", NUMBER)
    energy = double_energy(step.zero, twist, inertia @ twist) * Fraction(1, 2)
    step.give("twist", SPATIAL_MOTION, twist)
    step.give("energy", NUMBER, energy, onto=before)
    return step.step()


def moving_step(name: str, speeds: int, own: RowConstants, body: RowConstants) -> RolledStep:
    """Twist of a link, and its momentum."""
    step = StepBuilder(f"{name}_moving", "Twist and momentum of a link.")
    twist, inertia = _twist(step, speeds, own, body)
    momentum = inertia @ twist
    step.give("twist", SPATIAL_MOTION, twist)
    step.give("wrench", WRENCH, momentum)
    return step.step()


def _twist(
    step: StepBuilder, speeds: int, own: RowConstants, body: RowConstants
) -> tuple[SpatialMotion, Inertia]:
    at, parent = step.take("pose", POSE), step.take("parent", SPATIAL_MOTION)
    u = step.take("u", numbers(speeds))
    at, factors = with_subspace(step, at, own, speeds)
    twist = at.twist(parent, relative(step, at, factors, u))
    return twist, INERTIA.read(step.constants("inertia", body))


def rotor_energy_step() -> RolledStep:
    """I u^2 / 2"""
    step = StepBuilder("rotor_energy", "Kinetic energy of a rotor.")
    u, rotor, before = (step.take(name, NUMBER) for name in ("u", "rotor", "energy"))
    step.give("energy", NUMBER, rotor * u * u * Fraction(1, 2), onto=before)
    return step.step()


def total_momentum_step() -> RolledStep:
    """The momentum that has come to the base."""
    step = StepBuilder("show_momentum", "The momentum that has come to the base.")
    step.give("h", WRENCH, step.take("wrench", WRENCH))
    return step.step()


def weight_energy_step() -> RolledStep:
    """V -= g . (sum of m c)"""
    step = StepBuilder("weight_energy", "Potential energy of the weight.")
    total, gravity = step.take("composite", INERTIA), step.take("gravity", VECTOR)
    before = step.take("V", NUMBER)
    step.give("V", NUMBER, before - gravity.dot(total.first))
    return step.step()


def center_step() -> RolledStep:
    """First moment over mass."""
    step = StepBuilder("center", "Centre of mass.")
    step.give("c", VECTOR, step.take("composite", INERTIA).center)
    return step.step()


def turn_step() -> RolledStep:
    """Rotation of a link to the world, by rows."""
    step = StepBuilder("turn_to_world", "Rotation of a link to the world, by rows.")
    rotation = step.take("pose", POSE).rotation
    rows = step.take("parent", ROTATION)
    step.give("turn", ROTATION, [rotation.to_child(row) for row in rows])
    return step.step()


def center_column_step() -> RolledStep:
    """Velocity of the centre of mass at unit speed: linear momentum over mass, in the world."""
    step = StepBuilder("center_column", "Velocity of the centre of mass at unit speed.")
    p, rows = step.take("wrench", WRENCH).linear, step.take("turn", ROTATION)
    inverse = 1 / step.take("composite", INERTIA).mass
    for axis, row in zip("xyz", rows, strict=True):
        step.give(axis, NUMBER, row.dot(p) * inverse)
    return step.step()
