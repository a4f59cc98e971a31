"""The named functions of a system given by its Lagrangian.

Equations of motion and the sign of the multipliers:

    M(q) a + c(q, u) = tau + A(q)^T lambda,      A a = -v'(at a = 0)
"""

from __future__ import annotations

from eomc.derive.functions.registry import column, matrix, scalar
from eomc.derive.graph import Argument
from eomc.derive.lagrange.configuration import ANY, VECTOR_SPACE
from eomc.derive.lagrange.derivatives import FORWARD, INVERSE, solved_guards
from eomc.derive.lagrange.equations import FORCE_UNITS, Kind
from eomc.derive.lagrange.lagrangian import LagrangianDerivation
from eomc.derive.lagrange.multipliers import dot

_ACCELERATION_UNITS = "rad/s^2 or m/s^2"


def _names(d: LagrangianDerivation) -> tuple[str, ...]:
    return d.variables.coordinate_names


# -- dynamics ------------------------------------------------------------------------------------


def _inverse_dynamics(d: LagrangianDerivation) -> list[Argument]:
    return [column("tau", d.inverse, "generalized forces", FORCE_UNITS, _names(d))]


def _forward_dynamics(d: LagrangianDerivation) -> list[Argument]:
    return [column("a", d.solution[0], "accelerations", _ACCELERATION_UNITS, _names(d))]


def _mass_matrix(d: LagrangianDerivation) -> list[Argument]:
    units = "kg m^2, kg m or kg"
    return [matrix("M", d.mass, len(d.u), "mass matrix", units, _names(d))]


def _bias(d: LagrangianDerivation) -> list[Argument]:
    return [column("c", d.bias, "bias forces", FORCE_UNITS, _names(d))]


def _gravity(d: LagrangianDerivation) -> list[Argument]:
    return [column("g", d.gravity, "forces of the potential", FORCE_UNITS, _names(d))]


# -- energy --------------------------------------------------------------------------------------


def _kinetic_energy(d: LagrangianDerivation) -> list[Argument]:
    return [scalar("T", d.kinetic, "kinetic energy", "J")]


def _potential_energy(d: LagrangianDerivation) -> list[Argument]:
    return [scalar("V", d.potential, "potential energy", "J")]


def _power(d: LagrangianDerivation) -> list[Argument]:
    forces = [tau + force for tau, force in zip(d.tau, d.applied, strict=True)]
    (explicit,) = d.sweep([d.potential], {d.time.node: d.one.node})
    return [scalar("P", dot(forces, d.u, d.zero) + explicit, "power", "W")]


def _coordinate_rates(d: LagrangianDerivation) -> list[Argument]:
    return [column("q_rate", d.u, "q'", "rad/s or m/s", _names(d))]


# -- constraints ---------------------------------------------------------------------------------


def _is_constrained(d: LagrangianDerivation) -> bool:
    return bool(d.multipliers)


def _constraint_forces(d: LagrangianDerivation) -> list[Argument]:
    return [
        column("multipliers", d.solution[1], "Lagrange multipliers lambda", "", d.constraint_names)
    ]


def _constraint_jacobian(d: LagrangianDerivation) -> list[Argument]:
    rows = d.constraint_jacobian
    return [matrix("A", rows, len(d.u), "constraint Jacobian", "", d.constraint_names)]


def _constraint_residual(d: LagrangianDerivation) -> list[Argument]:
    names = d.constraint_names
    velocity = column("velocity", d.velocity_residual, "A u + b", "", names)
    if not d.position_residual:
        return [velocity]
    holonomic = names[: len(d.position_residual)]
    return [column("position", d.position_residual, "phi", "", holonomic), velocity]


_Q, _QU, _QUA, _QUT = ("q",), ("q", "u"), ("q", "u", "a"), ("q", "u", "tau")

KINDS: dict[str, Kind[LagrangianDerivation]] = {
    kind.name: kind
    for kind in (
        Kind(
            "inverse_dynamics",
            _QUA,
            "Generalized forces that a motion takes without constraint forces: tau = M a + c.",
            _inverse_dynamics,
            sees_forces=True,
        ),
        Kind(
            "forward_dynamics",
            _QUT,
            "Accelerations under given forces, constraints included: M a + c = tau + A^T lambda.",
            _forward_dynamics,
            sees_forces=True,
            guards=solved_guards,
        ),
        Kind("mass_matrix", _Q, "Mass matrix M(q) = d2T/du2, symmetric.", _mass_matrix),
        Kind(
            "bias",
            _QU,
            "Forces of motion without acceleration, c(q, u): gyroscopic terms, potential, losses.",
            _bias,
            sees_forces=True,
        ),
        Kind("gravity", _Q, "Gradient of the potential energy, dV/dq.", _gravity),
        Kind("kinetic_energy", _QU, "Kinetic energy T(q, u).", _kinetic_energy),
        Kind("potential_energy", _Q, "Potential energy V(q).", _potential_energy),
        Kind(
            "power",
            _QUT,
            "Power of tau and of all forces without potential: the rate of T + V at constant "
            "inputs, unless T or the constraints depend on time.",
            _power,
            sees_forces=True,
        ),
        Kind("coordinate_rates", _QU, "Rates of the coordinates: q' = u.", _coordinate_rates),
        *VECTOR_SPACE,
        *ANY,
        Kind(
            "constraint_forces",
            _QUT,
            "Lagrange multipliers of M a + c = tau + A^T lambda.",
            _constraint_forces,
            sees_forces=True,
            guards=solved_guards,
            exists=_is_constrained,
        ),
        Kind(
            "constraint_jacobian",
            _Q,
            "Jacobian A of the velocity constraints A u + b = 0.",
            _constraint_jacobian,
            exists=_is_constrained,
        ),
        Kind(
            "constraint_residual",
            _QU,
            "What the constraints miss: phi(q, t), and A u + b (holonomic rows are phi').",
            _constraint_residual,
            exists=_is_constrained,
        ),
        *INVERSE,
        *FORWARD,
    )
}
