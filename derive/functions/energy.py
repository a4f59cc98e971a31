"""Energy, power, momentum, centre of mass."""

from __future__ import annotations

from eomc.derive.dynamics import momentum as recursion
from eomc.derive.functions.registry import column, function, matrix, scalar, six
from eomc.derive.graph import Argument, Expression, forward_derivative
from eomc.derive.system import System


@function("kinetic_energy", ("q", "u"), "Kinetic energy T(q, u), rotors included.")
def kinetic_energy(system: System) -> list[Argument]:
    """Sum over the bodies."""
    energy = recursion.kinetic_energy(system.tree, system.state, system.twist)
    return [scalar("T", energy, "kinetic energy", "J")]


def _potential(system: System) -> Expression:
    weight = recursion.gravitational_energy(system.tree, system.pose)
    return weight + system.loads.conservative.potential


@function(
    "potential_energy",
    ("q",),
    "Potential energy V(q) of weight (zero at the world origin), linear springs, potentials.",
)
def potential_energy(system: System) -> list[Argument]:
    """Weight and everything conservative."""
    return [scalar("V", _potential(system), "potential energy", "J")]


@function(
    "power",
    ("q", "u", "tau"),
    "Power of tau and of all forces without potential: the rate of T + V.",
    sees_forces=True,
)
def power(system: System) -> list[Argument]:
    """(tau + Q) . u + dV/dt, Q of losses, actuators and inputs."""
    forces = system.generalized(system.loads.other)
    total = system.tree.zero
    for tau, force, u in zip(system.tau, forces, system.u, strict=True):
        total = total + (tau + force) * u
    one = system.tree.zero + 1
    explicit = forward_derivative(
        system.graph, [_potential(system).node], {system.time.node: one.node}
    )
    total = total + Expression(system.graph, explicit[0])
    return [scalar("P", total, "power", "W")]


@function(
    "momentum",
    ("q", "u"),
    "Linear and angular momentum about the world origin, world axes.",
)
def momentum(system: System) -> list[Argument]:
    """Sum over the bodies, rotors not counted."""
    p, angular = recursion.momentum(system.tree, system.state, system.pose, system.twist)
    return [six("h", p, angular, "(linear, angular) momentum", "kg m/s, kg m^2/s")]


@function("center_of_mass", ("q",), "Centre of mass of the moving bodies, world frame.")
def center_of_mass(system: System) -> list[Argument]:
    """First moment over mass."""
    center = recursion.center_of_mass(system.tree, system.pose)
    return [column("c", list(center), "centre of mass", "m", ("x", "y", "z"))]


@function("center_of_mass_jacobian", ("q",), "Jacobian of the centre of mass: v_com = J u.")
def center_of_mass_jacobian(system: System) -> list[Argument]:
    """Columns by composite bodies."""
    columns = recursion.center_of_mass_jacobian(system.tree, system.pose, system.world)
    rows = [list(row) for row in zip(*columns, strict=True)] if columns else [[], [], []]
    return [matrix("J", rows, len(columns), "centre of mass Jacobian", "m or 1", ("x", "y", "z"))]
