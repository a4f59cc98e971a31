"""The named functions of a system given by Kane's equations: M(q) u' = f(q, u) + tau."""

from __future__ import annotations

from eomc.derive.graph import Argument, Guard
from eomc.derive.lagrange.configuration import (
    NEUTRAL,
    VECTOR_SPACE,
    tunable_parameters,
    unit_directions,
)
from eomc.derive.lagrange.equations import FORCE_UNITS, Kind, column, from_columns, matrix, scalar
from eomc.derive.lagrange.kane import KaneDerivation


def _names(d: KaneDerivation) -> tuple[str, ...]:
    return d.variables.speed_names


def _guards(d: KaneDerivation) -> list[Guard]:
    return d.guards()


def _is_free(d: KaneDerivation) -> bool:
    return not d.constrained


def _speeds_are_rates(d: KaneDerivation) -> bool:
    return d.rates == d.u


def _has_residual(d: KaneDerivation) -> bool:
    return bool(d.given.configuration or d.given.velocity)


def _has_energy(d: KaneDerivation) -> bool:
    return d.given.kinetic_energy is not None


# -- dynamics ------------------------------------------------------------------------------------


def _forward_dynamics(d: KaneDerivation) -> list[Argument]:
    return [column("a", d.acceleration, "accelerations u'", "rad/s^2 or m/s^2", _names(d))]


def _inverse_dynamics(d: KaneDerivation) -> list[Argument]:
    return [column("tau", d.inverse, "generalized forces", FORCE_UNITS, _names(d))]


def _mass_matrix(d: KaneDerivation) -> list[Argument]:
    return [matrix("M", d.mass, len(d.u), "mass matrix", "kg m^2, kg m or kg", _names(d))]


def _forcing(d: KaneDerivation) -> list[Argument]:
    return [column("f", d.forcing, "forcing", FORCE_UNITS, _names(d))]


def _bias(d: KaneDerivation) -> list[Argument]:
    return [column("c", [-f for f in d.forcing], "bias forces", FORCE_UNITS, _names(d))]


def _kinetic_energy(d: KaneDerivation) -> list[Argument]:
    return [scalar("T", d.kinetic_energy, "kinetic energy", "J")]


# -- kinematics and constraints ------------------------------------------------------------------


def _coordinate_rates(d: KaneDerivation) -> list[Argument]:
    return [column("q_rate", d.rates, "q'", "rad/s or m/s", d.variables.coordinate_names)]


def _coordinate_rate_derivatives(d: KaneDerivation) -> list[Argument]:
    rows = d.variables.coordinate_names
    return [
        from_columns("dq_rate_dq", d.jacobian(d.rates, d.q), "d q' / d q", rows),
        from_columns("dq_rate_du", d.jacobian(d.rates, d.u), "d q' / d u", rows),
    ]


def _constraint_residual(d: KaneDerivation) -> list[Argument]:
    parts = (("position", d.position_residual, "phi"), ("velocity", d.velocity_residual, "psi"))
    return [column(name, values, meaning) for name, values, meaning in parts if values]


def _reactions(d: KaneDerivation) -> list[Argument]:
    rows = [str(force.func) for force in d.given.reactions]
    return [column("reactions", d.reactions, "noncontributing forces", "N or N m", rows)]


# -- derivatives ---------------------------------------------------------------------------------


def _forward_derivatives(d: KaneDerivation) -> list[Argument]:
    return [
        from_columns(
            f"da_d{name}",
            d.solution_derivatives(unit_directions(d, array)),
            f"d u' / d {name}",
            _names(d),
        )
        for name, array in (("q", d.q), ("u", d.u), ("tau", d.tau))
    ]


def _inverse_derivatives(d: KaneDerivation) -> list[Argument]:
    return [
        from_columns(f"dtau_d{name}", d.jacobian(d.inverse, array), f"d tau / d {name}", _names(d))
        for name, array in (("q", d.q), ("u", d.u), ("a", d.a))
    ]


def _forward_by_parameters(d: KaneDerivation) -> list[Argument]:
    columns = d.solution_derivatives(unit_directions(d, tunable_parameters(d)))
    return [from_columns("da_dp", columns, "d u' / d p", _names(d))]


def _forward_by_inputs(d: KaneDerivation) -> list[Argument]:
    columns = d.solution_derivatives(unit_directions(d, d.r))
    return [from_columns("da_dr", columns, "d u' / d r", _names(d))]


_Q, _QU, _QUA, _QUT = ("q",), ("q", "u"), ("q", "u", "a"), ("q", "u", "tau")

KINDS: dict[str, Kind[KaneDerivation]] = {
    kind.name: kind
    for kind in (
        Kind(
            "forward_dynamics",
            _QUT,
            "u' under the forcing and further generalized forces tau on the speeds.",
            _forward_dynamics,
            sees_forces=True,
            guards=_guards,
        ),
        Kind(
            "mass_matrix",
            _Q,
            "M(q); below the dynamic rows one for each dependent speed.",
            _mass_matrix,
        ),
        Kind("forcing", _QU, "f(q, u): M u' = f + tau.", _forcing, sees_forces=True),
        Kind(
            "inverse_dynamics",
            _QUA,
            "Generalized forces that a motion takes: tau = M u' - f.",
            _inverse_dynamics,
            sees_forces=True,
            exists=_is_free,
        ),
        Kind("bias", _QU, "-f(q, u)", _bias, sees_forces=True, exists=_is_free),
        Kind(
            "kinetic_energy",
            _QU,
            "Kinetic energy of the bodies.",
            _kinetic_energy,
            exists=_has_energy,
        ),
        Kind("coordinate_rates", _QU, "q' = G(q) u + g(q).", _coordinate_rates),
        *(
            Kind(k.name, k.inputs, k.description, k.make, exists=_speeds_are_rates)
            for k in VECTOR_SPACE
            if k is not NEUTRAL
        ),
        NEUTRAL,
        Kind(
            "constraint_residual",
            _QU,
            "What the constraints miss: configuration and velocity.",
            _constraint_residual,
            exists=_has_residual,
        ),
        Kind(
            "constraint_forces",
            _QUT,
            "Noncontributing forces brought into evidence by auxiliary speeds.",
            _reactions,
            sees_forces=True,
            guards=_guards,
            exists=lambda d: bool(d.given.reactions),
        ),
        Kind(
            "coordinate_rate_derivatives",
            _QU,
            "Derivatives of the coordinate rates.",
            _coordinate_rate_derivatives,
            core=False,
        ),
        Kind(
            "inverse_dynamics_derivatives",
            _QUA,
            "Derivatives of inverse dynamics.",
            _inverse_derivatives,
            sees_forces=True,
            core=False,
            exists=_is_free,
        ),
        Kind(
            "forward_dynamics_derivatives",
            _QUT,
            "Derivatives of u', each of q, u, tau varied freely.",
            _forward_derivatives,
            sees_forces=True,
            guards=_guards,
            core=False,
        ),
        Kind(
            "forward_dynamics_parameter_derivatives",
            _QUT,
            "Derivatives of u' by the tunable parameters.",
            _forward_by_parameters,
            sees_forces=True,
            guards=_guards,
            core=False,
        ),
        Kind(
            "forward_dynamics_input_derivatives",
            _QUT,
            "Derivatives of u' by the inputs r.",
            _forward_by_inputs,
            sees_forces=True,
            guards=_guards,
            core=False,
            exists=lambda d: bool(d.r),
        ),
    )
}
