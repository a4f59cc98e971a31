"""The named functions of a system given by Kane's equations: M(q) u' = f(q, u) + tau."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.derive.functions.registry import column, matrix, scalar
from eomc.derive.graph import Argument, Expression
from eomc.derive.lagrange.configuration import ANY, VECTOR_SPACE
from eomc.derive.lagrange.derivatives import FORWARD, INVERSE, solved_guards
from eomc.derive.lagrange.equations import FORCE_UNITS, Kind
from eomc.derive.lagrange.kane import KaneDerivation


def _names(d: KaneDerivation) -> tuple[str, ...]:
    return d.variables.speed_names


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
    def by(name: str, array: Sequence[Expression]) -> Argument:
        columns = d.jacobian(d.rates, array)
        rows = [list(row) for row in zip(*columns, strict=True)]
        names = d.variables.coordinate_names
        return matrix(f"dq_rate_d{name}", rows, len(columns), f"d q' / d {name}", "", names)

    return [by("q", d.q), by("u", d.u)]


def _constraint_residual(d: KaneDerivation) -> list[Argument]:
    parts = (("position", d.position_residual, "phi"), ("velocity", d.velocity_residual, "psi"))
    return [column(name, values, meaning) for name, values, meaning in parts if values]


def _reactions(d: KaneDerivation) -> list[Argument]:
    rows = [str(force.func) for force in d.given.reactions]
    return [column("reactions", d.reactions, "noncontributing forces", "N or N m", rows)]


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
            guards=solved_guards,
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
        *(replace(kind, exists=_speeds_are_rates) for kind in VECTOR_SPACE),
        *ANY,
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
            guards=solved_guards,
            exists=lambda d: bool(d.given.reactions),
        ),
        Kind(
            "coordinate_rate_derivatives",
            _QU,
            "Derivatives of the coordinate rates.",
            _coordinate_rate_derivatives,
            core=False,
        ),
        *(replace(kind, exists=_is_free) for kind in INVERSE),
        *FORWARD,
    )
}
