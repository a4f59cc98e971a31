"""Constraints as functions: residuals, Jacobian, constrained accelerations, corrections.

    phi(q, t) = 0,   G u + b = 0,   G u' + g = 0,   M u' + c = tau + G^T lambda

Multipliers are the forces of the constraints on the speeds: G^T lambda acts as tau does. Residuals
are those of the independent rows; what depends on others is in no function.
"""

from __future__ import annotations

from functools import partial

from eomc.derive.dynamics.articulated import ArticulatedSolution, Held
from eomc.derive.functions.dynamics import positive
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column, function, matrix
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, Expression, Guard, symbols

constraint_function = partial(function, needs=("constraints",))


def _scaled(system: Formulation, factor: Expression) -> list[Expression]:
    """The residual phi of each row times a factor; 0 for nonholonomic rows."""
    zero = system.zero
    return [row.residual * factor if row.holonomic else zero for row in system.constraints.rows]


@constraint_function(
    "constraint_residual",
    ("q",),
    "Residuals phi(q, t) of the holonomic constraints; zero where the loops are closed.",
    sees_time=True,
)
def constraint_residual(system: Formulation) -> list[Argument]:
    """One entry an independent holonomic row."""
    rows = system.constraints.holonomic
    values = [row.residual for row in rows]
    return [column("phi", values, "residuals", "m or rad", [row.name for row in rows])]


@constraint_function(
    "closure_residual",
    ("q",),
    "Residuals of all holonomic constraints, those too that depend on others along the motion: "
    "where these do not vanish as well, the independent ones are met elsewhere than on the loop.",
    sees_time=True,
)
def closure_residual(system: Formulation) -> list[Argument]:
    """One entry a holonomic row that is no number.

    An over-constrained mechanism keeps all its rows at zero while the independent ones are; but
    these may vanish at other configurations too, where the loop is open.
    """
    rows = system.constraints.closing
    values = [row.residual for row in rows]
    return [column("phi", values, "residuals", "m or rad", [row.name for row in rows])]


@constraint_function(
    "closure_jacobian",
    ("q",),
    "Derivative of closure_residual along the tangent directions of q.",
    sees_time=True,
)
def closure_jacobian(system: Formulation) -> list[Argument]:
    """All holonomic rows by speeds; its rank is below the number of rows if some are redundant."""
    zero, n = system.zero, system.nu
    closing = system.constraints.closing
    entries = system.constraints.linearized(closing).jacobian
    rows = [[row.get(k, zero) for k in range(n)] for row in entries]
    return [matrix("G", rows, n, "Jacobian", "", [row.name for row in closing])]


@constraint_function(
    "closure_velocity",
    ("q", "u"),
    "Rates of all constraints, those too that depend on others: all zero where the loops move as "
    "they are closed.",
    sees_time=True,
)
def closure_velocity(system: Formulation) -> list[Argument]:
    """One entry a row that is no number."""
    rows = system.constraints.live
    values = system.constraints.linearized(rows).velocity
    return [column("rate", values, "rates", "m/s or rad/s", [row.name for row in rows])]


@constraint_function(
    "constraint_jacobian",
    ("q",),
    "Jacobian G of the constraints: rates G u + b are zero.",
    sees_time=True,
)
def constraint_jacobian(system: Formulation) -> list[Argument]:
    """Independent rows by speeds."""
    zero, n = system.zero, system.nu
    rows = [[row.get(k, zero) for k in range(n)] for row in system.constraints.linear.jacobian]
    return [matrix("G", rows, n, "Jacobian", "", system.constraints.names)]


@constraint_function(
    "constraint_velocity", ("q", "u"), "Rates of the constraints, G u + b.", sees_time=True
)
def constraint_velocity(system: Formulation) -> list[Argument]:
    """One entry an independent row."""
    rates = system.constraints.linear.velocity
    return [column("rate", rates, "rates of the constraints", "", system.constraints.names)]


@constraint_function(
    "constraint_bias",
    ("q", "u"),
    "What the constraints ask of accelerations: G u' + g = 0.",
    sees_forces=True,
)
def constraint_bias(system: Formulation) -> list[Argument]:
    """g, one entry an independent row."""
    bias = system.constraints.linear.bias
    return [column("g", bias, "G u' + g = 0", "", system.constraints.names)]


@shared
def _stabilized(system: Formulation) -> ArticulatedSolution:
    """With G a + g + 2 alpha (G u + b) + alpha^2 phi = 0 (Baumgarte 1972)."""
    (alpha,) = symbols(system.graph, "stabilization", 1)
    linear = system.constraints.linear
    bias = [
        g + 2 * alpha * rate + residual
        for g, rate, residual in zip(
            linear.bias, linear.velocity, _scaled(system, alpha * alpha), strict=True
        )
    ]
    return system.articulated(Held(linear.jacobian, bias))


def _guards(system: Formulation) -> list[Guard]:
    return independent(_stabilized(system))


def independent(solution: ArticulatedSolution) -> list[Guard]:
    """Pivots of speeds and of multipliers that must be positive."""
    return positive(solution.pivots, len(solution.multipliers))


@constraint_function(
    "constrained_dynamics",
    ("q", "u", "tau", "stabilization"),
    "Accelerations and multipliers: M a + c = tau + G^T lambda with drift drawn back at the rate "
    "alpha.",
    sees_forces=True,
    guards=_guards,
)
def constrained_dynamics(system: Formulation) -> list[Argument]:
    """(a, lambda)"""
    solution = _stabilized(system)
    names = system.constraints.names
    return [
        column("a", solution.acceleration, "accelerations", "", system.speed_names),
        column("multipliers", solution.multipliers, "multipliers", "N or N m", names),
    ]


@shared
def _position_step(system: Formulation) -> ArticulatedSolution:
    one, zero = system.zero + 1, system.zero
    rows = [k for k, row in enumerate(system.constraints.rows) if row.holonomic]
    linear = system.constraints.linear
    residuals = _scaled(system, one)
    held = Held([linear.jacobian[k] for k in rows], [residuals[k] for k in rows])
    return system.respond([zero] * system.nu, held)


@constraint_function(
    "position_correction",
    ("q",),
    "Smallest step du, by the kinetic energy it would have, that closes the linearized "
    "constraints: G du + phi = 0.",
    sees_time=True,
    guards=lambda system: independent(_position_step(system)),
)
def position_correction(system: Formulation) -> list[Argument]:
    """One step of Newton's method; take it by `integrate`, and again."""
    du = _position_step(system).acceleration
    return [column("du", du, "tangent displacement", "rad or m", system.speed_names)]


@shared
def _velocity_step(system: Formulation) -> ArticulatedSolution:
    zero, linear = system.zero, system.constraints.linear
    held = Held(linear.jacobian, linear.velocity)
    return system.respond([zero] * system.nu, held)


@constraint_function(
    "velocity_correction",
    ("q", "u"),
    "Smallest change of the speeds, by kinetic energy, that satisfies the constraints.",
    sees_time=True,
    guards=lambda system: independent(_velocity_step(system)),
)
def velocity_correction(system: Formulation) -> list[Argument]:
    """du with G (u + du) + b = 0, exact."""
    du = _velocity_step(system).acceleration
    return [column("du", du, "change of the speeds", "rad/s or m/s", system.speed_names)]
