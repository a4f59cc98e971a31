"""Inverse and forward dynamics, mass matrix, bias, gravity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eomc.derive.dynamics.coriolis_matrix import coriolis_matrix
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column, function, matrix
from eomc.derive.graph import Argument, Expression, Guard

if TYPE_CHECKING:
    from eomc.derive.system import System


@function(
    "inverse_dynamics",
    ("q", "u", "a"),
    "Generalized forces that a motion takes: tau = M(q) a + c(q, u).",
    sees_forces=True,
    sees_multipliers=True,
)
def inverse_dynamics(system: Formulation) -> list[Argument]:
    """By the recursive Newton-Euler algorithm."""
    tau = system.inverse.free
    return [column("tau", tau, "generalized forces", "N m or N", system.speed_names)]


def positive(pivots: Iterable[Expression], multipliers: int = 0) -> list[Guard]:
    """The mass matrix is singular or worse unless every pivot is positive; the last ones are those
    of as many multipliers, of constraints that depend on one another."""
    found = list(pivots)
    codes = ["singular_mass_matrix"] * (len(found) - multipliers)
    codes += ["singular_constraints"] * multipliers
    return [
        Guard(pivot.node, code)
        for pivot, code in zip(found, codes, strict=True)
        if not pivot.is_constant
    ]


def pivots_positive(system: Formulation) -> list[Guard]:
    """Forward dynamics fails where M is not positive definite."""
    rows = len(system.constraints.rows) if system.is_constrained else 0
    return positive(system.forward.pivots, rows)


@function(
    "forward_dynamics",
    ("q", "u", "tau"),
    "Accelerations under given forces: a = M(q)^-1 (tau - c(q, u)).",
    sees_forces=True,
    guards=pivots_positive,
)
def forward_dynamics(system: Formulation) -> list[Argument]:
    """By the factored mass matrix or by articulated bodies, whichever takes fewer operations."""
    a = system.forward.acceleration
    return [column("a", a, "accelerations", "rad/s^2 or m/s^2", system.speed_names)]


def symmetric_rows(system: Formulation) -> list[list[Expression]]:
    """M as full rows."""
    n, zero = system.nu, system.zero
    return [[system.mass.get((max(i, j), min(i, j)), zero) for j in range(n)] for i in range(n)]


def square(system: Formulation, name: str, description: str, units: str = "") -> Argument:
    """A matrix over the speeds, without entries."""
    n = system.nu
    return Argument(name, (n, n), (), description, units, tuple(system.speed_names))


def filled(
    outline: Sequence[Argument], matrices: Iterable[Iterable[Iterable[Expression]]]
) -> list[Argument]:
    """Outputs with the entries of matrices, by rows."""
    return [
        replace(empty, entries=tuple(entry.node for row in rows for entry in row))
        for empty, rows in zip(outline, matrices, strict=True)
    ]


def _of_mass(system: Formulation) -> list[Argument]:
    return [square(system, "M", "mass matrix", "kg m^2, kg m or kg")]


@function(
    "mass_matrix", ("q",), "Mass matrix M(q), symmetric and positive definite.", outline=_of_mass
)
def mass_matrix(system: Formulation) -> list[Argument]:
    """By composite bodies."""
    return filled(_of_mass(system), [symmetric_rows(system)])


@function(
    "bias",
    ("q", "u"),
    "Forces of motion without acceleration, c(q, u): gyroscopic terms, weight, springs, losses.",
    sees_forces=True,
    sees_multipliers=True,
)
def bias(system: Formulation) -> list[Argument]:
    """Inverse dynamics at a = 0."""
    return [column("c", system.bias.free, "bias forces", "N m or N", system.speed_names)]


@function(
    "coriolis_matrix",
    ("q", "u"),
    "Coriolis matrix C(q, u): C u are the gyroscopic forces, M' - 2 C is skew-symmetric.",
    needs=("bodies", "rigid bodies"),
)
def coriolis(system: System) -> list[Argument]:
    """By composite bodies; where speeds are rates of coordinates, by Christoffel's symbols."""
    found = coriolis_matrix(system.tree, system.coasting, system.pose)
    n, names = system.nu, system.speed_names
    rows = [[found.get((i, j), system.zero) for j in range(n)] for i in range(n)]
    return [matrix("C", rows, n, "Coriolis matrix", "kg m^2/s, kg m/s or kg/s", names)]


@function(
    "gravity",
    ("q",),
    "Generalized forces that hold the weight at rest, g(q).",
    needs=("potential",),
)
def gravity(system: Formulation) -> list[Argument]:
    """Inverse dynamics at rest without other forces."""
    return [column("g", system.gravity, "weight forces", "N m or N", system.speed_names)]


@function(
    "prescribed_forces",
    ("q", "u", "tau"),
    "Forces that the prescribed motion takes while the free coordinates move under tau.",
    sees_forces=True,
    guards=pivots_positive,
    needs=("prescribed_motions", "applied forces"),
)
def prescribed_forces(system: Formulation) -> list[Argument]:
    """Inverse dynamics of the prescribed coordinates at the accelerations of forward dynamics, less
    what constraints do to them."""
    multipliers = system.solution.multipliers if system.is_constrained else None
    forces = system.prescribed_at(system.forward.acceleration, multipliers)
    if system.is_constrained:
        held = system.constraints.on_prescribed(system.solution.multipliers)
        forces = [force - share for force, share in zip(forces, held, strict=True)]
    names = system.prescribed_names
    return [column("force", forces, "forces on the prescribed coordinates", "N m or N", names)]
