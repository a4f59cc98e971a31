"""Energy, power, momentum, centre of mass."""

from __future__ import annotations

from eomc.derive.dynamics import momentum as recursion
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column, function, matrix, scalar, six
from eomc.derive.graph import Argument, Expression, forward_derivative
from eomc.derive.system import System


@function(
    "kinetic_energy",
    ("q", "u"),
    "Kinetic energy T(q, u), rotors included.",
    needs=("kinetic energy",),
)
def kinetic_energy(system: Formulation) -> list[Argument]:
    """Sum over the bodies."""
    return [scalar("T", system.kinetic_energy, "kinetic energy", "J")]


@function(
    "potential_energy",
    ("q",),
    "Potential energy V(q) of weight (zero at the world origin), linear springs, potentials.",
    needs=("potential",),
)
def potential_energy(system: Formulation) -> list[Argument]:
    """Weight and everything conservative."""
    return [scalar("V", system.potential_energy, "potential energy", "J")]


@function(
    "power",
    ("q", "u", "tau"),
    "Power of tau and of all forces without potential: the rate of T + V.",
    sees_forces=True,
    needs=("potential", "applied forces"),
)
def power(system: Formulation) -> list[Argument]:
    """(tau + Q) . u + Q_s . s' + dV/dt, Q of losses, actuators and inputs. What prescribes a motion
    adds `prescribed_forces` . s' to the rate of T + V."""
    total = system.zero
    for tau, force, u in zip(system.tau, system.applied.free, system.u, strict=True):
        total = total + (tau + force) * u
    for force, rate in zip(system.applied.prescribed, system.s_rate, strict=True):
        total = total + force * rate
    one = system.zero + 1
    explicit = forward_derivative(
        system.graph, [system.potential_energy.node], {system.time.node: one.node}
    )
    total = total + Expression(system.graph, explicit[0])
    return [scalar("P", total, "power", "W")]


@function(
    "momentum",
    ("q", "u"),
    "Linear and angular momentum about the world origin, world axes.",
    needs=("bodies",),
)
def momentum(system: System) -> list[Argument]:
    """Sum over the bodies, rotors not counted."""
    momentum = recursion.momentum(system.tree, system.state, system.pose, system.twist)
    return [six("h", momentum, "(linear, angular) momentum", "kg m/s, kg m^2/s")]


@function(
    "center_of_mass",
    ("q",),
    "Centre of mass of the moving bodies, world frame.",
    needs=("bodies", "moving mass"),
)
def center_of_mass(system: System) -> list[Argument]:
    """First moment over mass."""
    return [column("c", list(system.center_of_mass), "centre of mass", "m", ("x", "y", "z"))]


@function(
    "center_of_mass_jacobian",
    ("q",),
    "Jacobian of the centre of mass: v_com = J u.",
    needs=("bodies", "moving mass"),
)
def center_of_mass_jacobian(system: System) -> list[Argument]:
    """Columns by composite bodies."""
    columns = recursion.center_of_mass_jacobian(
        system.tree, system.pose, system.world, system.composite, system.total_inertia
    )
    rows = [list(row) for row in zip(*columns, strict=True)] if columns else [[], [], []]
    return [matrix("J", rows, len(columns), "centre of mass Jacobian", "m or 1", ("x", "y", "z"))]
