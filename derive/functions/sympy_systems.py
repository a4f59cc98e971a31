"""Functions of systems given in SymPy that models have by other names or have not."""

from __future__ import annotations

from typing import Protocol

from eomc.derive.dynamics.forward_partials import solved
from eomc.derive.functions import constrained_derivatives as constrained
from eomc.derive.functions.derivatives import by_inputs, partials_positive
from eomc.derive.functions.dynamics import pivots_positive
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column, function, matrix
from eomc.derive.graph import Argument, Expression


class Auxiliary(Formulation, Protocol):
    """A formulation with auxiliary speeds."""

    @property
    def auxiliary(self) -> tuple[tuple[str, ...], list[Expression]]:
        """Names and values of the forces that they bring into evidence."""


@function(
    "forcing",
    ("q", "u"),
    "Forces of motion without acceleration on the right: M u' = f(q, u) + tau.",
    sees_forces=True,
    needs=("SymPy",),
)
def forcing(system: Formulation) -> list[Argument]:
    """-c(q, u)"""
    forces = [-force for force in system.bias.free]
    return [column("f", forces, "forcing", "N m or N", system.speed_names)]


@function(
    "constraint_forces",
    ("q", "u", "tau"),
    "Lagrange multipliers of M a + c = tau + G^T lambda.",
    sees_forces=True,
    guards=pivots_positive,
    needs=("SymPy", "constraints"),
)
def constraint_forces(system: Formulation) -> list[Argument]:
    """lambda"""
    names = system.constraints.names
    return [column("multipliers", system.solution.multipliers, "multipliers lambda", "", names)]


@function(
    "auxiliary_forces",
    ("q", "u", "tau"),
    "Noncontributing forces brought into evidence by auxiliary speeds.",
    sees_forces=True,
    guards=pivots_positive,
    needs=("auxiliary speeds",),
)
def auxiliary_forces(system: Auxiliary) -> list[Argument]:
    """By the auxiliary equations."""
    names, forces = system.auxiliary
    return [column("forces", forces, "noncontributing forces", "N or N m", names)]


@function(
    "forward_dynamics_input_derivatives",
    ("q", "u", "tau"),
    "Derivatives of forward dynamics by the inputs r.",
    sees_forces=True,
    guards=partials_positive,
    needs=("SymPy", "inputs"),
)
def forward_dynamics_input_derivatives(system: Formulation) -> list[Argument]:
    """da/dr, (nu, number of inputs)."""
    if system.is_constrained:
        one = (system.zero + 1).node
        against = [[-force for force in forces] for forces in by_inputs(system, at_solution=False)]
        columns = constrained.responses(system, against, [{r.node: one} for r in system.r])
    else:
        against = [[-force for force in forces] for forces in by_inputs(system)]
        columns = solved(system.factor, against)
    rows = [[column[i] for column in columns] for i in range(system.nu)]
    return [matrix("da_dr", rows, len(columns), "d a / d r", "", system.speed_names)]
