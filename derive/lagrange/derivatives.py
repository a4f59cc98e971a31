"""Derivatives of forward and inverse dynamics, for every way of solving for the accelerations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from eomc.derive.functions.registry import matrix
from eomc.derive.graph import Argument, Expression, Guard, symbol
from eomc.derive.lagrange.derivation import Derivation
from eomc.derive.lagrange.equations import Kind

_QUA, _QUT = ("q", "u", "a"), ("q", "u", "tau")


class Dynamics(Derivation):
    """A derivation that is solved for the accelerations."""

    inverse: Any
    """tau(q, u, a), one expression a speed."""

    @abstractmethod
    def guards(self) -> list[Guard]:
        """Where the accelerations are not determined."""

    @abstractmethod
    def solution_derivatives(self, directions: Sequence[dict[int, int]]) -> list[list[Expression]]:
        """Columns da along each direction of (q, u, tau, r, parameters)."""


def solved_guards(d: Dynamics) -> list[Guard]:
    """Guards of every function that contains accelerations."""
    return d.guards()


def _outputs(
    d: Dynamics, names: Sequence[str], columns: Sequence[Sequence[Sequence[Expression]]]
) -> list[Argument]:
    """Matrices d<out>/d<by> from their columns."""
    rows = d.variables.speed_names
    outputs = []
    for name, block in zip(names, columns, strict=True):
        numerator, _, denominator = name.partition("_d")
        entries = [[column[i] for column in block] for i in range(len(rows))]
        meaning = f"d {numerator[1:]} / d {denominator}"
        outputs.append(matrix(name, entries, len(block), meaning, "", rows))
    return outputs


def _tunable(d: Dynamics) -> list[Expression]:
    return [symbol(d.graph, name) for name in d.symbolic]


def _solved(d: Dynamics, by: Sequence[Expression]) -> list[list[Expression]]:
    return d.solution_derivatives([{entry.node: d.one.node} for entry in by])


def _forward(d: Dynamics) -> list[Argument]:
    columns = [_solved(d, array) for array in (d.q, d.u, d.tau)]
    return _outputs(d, ("da_dq", "da_du", "da_dtau"), columns)


def _forward_by_parameters(d: Dynamics) -> list[Argument]:
    return _outputs(d, ("da_dp",), [_solved(d, _tunable(d))])


def _forward_by_inputs(d: Dynamics) -> list[Argument]:
    return _outputs(d, ("da_dr",), [_solved(d, d.r)])


def _inverse(d: Dynamics) -> list[Argument]:
    columns = [d.jacobian(d.inverse, array) for array in (d.q, d.u, d.a)]
    return _outputs(d, ("dtau_dq", "dtau_du", "dtau_da"), columns)


def _inverse_by_parameters(d: Dynamics) -> list[Argument]:
    return _outputs(d, ("dtau_dp",), [d.jacobian(d.inverse, _tunable(d))])


FORWARD: tuple[Kind[Any], ...] = (
    Kind(
        "forward_dynamics_derivatives",
        _QUT,
        "Derivatives of forward dynamics, each of q, u, tau varied freely.",
        _forward,
        sees_forces=True,
        guards=solved_guards,
        core=False,
    ),
    Kind(
        "forward_dynamics_parameter_derivatives",
        _QUT,
        "Derivatives of forward dynamics by the tunable parameters.",
        _forward_by_parameters,
        sees_forces=True,
        guards=solved_guards,
        core=False,
    ),
    Kind(
        "forward_dynamics_input_derivatives",
        _QUT,
        "Derivatives of forward dynamics by the inputs r.",
        _forward_by_inputs,
        sees_forces=True,
        guards=solved_guards,
        core=False,
        exists=lambda d: bool(d.r),
    ),
)
"""Every system has these (the last one with inputs only)."""

INVERSE: tuple[Kind[Any], ...] = (
    Kind(
        "inverse_dynamics_derivatives",
        _QUA,
        "Derivatives of inverse dynamics.",
        _inverse,
        sees_forces=True,
        core=False,
    ),
    Kind(
        "inverse_dynamics_parameter_derivatives",
        _QUA,
        "Derivatives of inverse dynamics by the tunable parameters.",
        _inverse_by_parameters,
        sees_forces=True,
        core=False,
    ),
)
"""Systems with inverse dynamics have these."""
