"""Quantities of the explicit formulation, and the functions that only a free-flyer has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from eomc.derive.dynamics.factor import factor
from eomc.derive.dynamics.forward import FACTORED, ForwardDynamics
from eomc.derive.dynamics.inverse import GeneralizedForces
from eomc.derive.functions.registry import Kind, column, matrix
from eomc.derive.geometry import Vector
from eomc.derive.graph import Argument, Expression, symbols
from eomc_published.moosavian.formulation.chain import Chain
from eomc_published.moosavian.formulation.generalized_forces import generalized_force_matrix
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.kinetic_energy import kinetic_energy
from eomc_published.moosavian.formulation.momenta import mass_center, momenta
from eomc_published.moosavian.formulation.task_space import TaskSpace


class ExplicitQuantities:
    """H u' + C = Q and what stands beside it, as named functions ask for it."""

    input_names: tuple[str, ...] = ()
    prescribed_names: tuple[str, ...] = ()
    driven_names: tuple[str, ...] = ()
    elastic_names: tuple[str, ...] = ()
    element_state_names: tuple[str, ...] = ()
    uses_time = False
    is_constrained = False

    def __init__(
        self,
        chain: Chain,
        kinematics: Kinematics,
        equations: tuple[list[list[Expression]], list[Expression]],
        names: tuple[tuple[str, ...], tuple[str, ...]],
        symbolic: tuple[str, ...],
    ) -> None:
        self.chain, self.kinematics = chain, kinematics
        self.graph, self.zero, self.q = chain.graph, chain.zero, list(chain.q)
        self.rows, self.terms = equations
        self.coordinate_names, self.speed_names = names
        self.symbolic = symbolic
        self.nu = len(self.speed_names)

    @cached_property
    def mass(self) -> dict[tuple[int, int], Expression]:
        """Entries of the lower triangle of H that are not zero."""
        found = {(i, j): row[j] for i, row in enumerate(self.rows) for j in range(i + 1)}
        return {place: entry for place, entry in found.items() if not entry.is_zero}

    @property
    def bias(self) -> GeneralizedForces:
        """C"""
        return GeneralizedForces(self.terms, [])

    @cached_property
    def forward(self) -> ForwardDynamics:
        """u' = H^-1 (tau - C)"""
        factored = factor(self.mass, self.nu)
        tau = symbols(self.graph, "tau", self.nu)
        a = factored.solve([force - term for force, term in zip(tau, self.terms, strict=True)])
        return ForwardDynamics(FACTORED, a, list(factored.pivots))

    @property
    def kinetic_energy(self) -> Expression:
        """T(q, u)"""
        return kinetic_energy(self.kinematics)

    @property
    def center_of_mass(self) -> Vector:
        """R_CM"""
        return self.chain.reference + mass_center(self.kinematics)[0]

    def coordinate_rates(self) -> list[Expression]:
        """q'"""
        return list(self.chain.coordinate_rates)

    def normalized(self, q: Sequence[Expression]) -> list[Expression]:
        """q with Euler parameters kappa . kappa = 1."""
        q = list(q)
        if self.chain.attitude_kind == "euler_parameters":
            length = sum((entry * entry for entry in q[3:7]), start=self.zero).sqrt()
            q[3:7] = [entry / length for entry in q[3:7]]
        return q

    @property
    def neutral(self) -> list[float]:
        """Reference configuration."""
        return [1.0 if name == "eta" else 0.0 for name in self.coordinate_names]

    @cached_property
    def task(self) -> TaskSpace:
        """The controlled outputs."""
        return TaskSpace(self.kinematics)


def _momenta(given: ExplicitQuantities) -> list[Argument]:
    linear, angular = momenta(given.kinematics)
    return [
        column("P", list(linear), "linear momentum", "kg m/s"),
        column("L", list(angular), "angular momentum about the CM", "kg m^2/s"),
    ]


def _matrix(name: str, rows: Sequence[Sequence[Expression]], description: str) -> list[Argument]:
    return [matrix(name, rows, len(rows[0]), description)]


OWN = (
    Kind("momenta", ("q", "u"), "Momenta of the system, inertial axes.", _momenta),
    Kind(
        "generalized_force_matrix",
        ("q",),
        "J_Q of the actuators, base axes.",
        lambda given: _matrix("J_Q", generalized_force_matrix(given.chain), "Q = J_Q (f, n, tau)"),
    ),
)
"""Functions of every form."""

OF_RATES = (
    Kind(
        "task_outputs",
        ("q",),
        "Controlled outputs.",
        lambda given: [column("outputs", given.task.outputs(), "controlled outputs", "m or rad")],
    ),
    Kind(
        "task_jacobian",
        ("q",),
        "Jacobian of the outputs.",
        lambda given: _matrix("J_c", given.task.jacobian(), "output rates by q'"),
    ),
    Kind(
        "task_jacobian_rate",
        ("q", "u"),
        "Rate of the Jacobian.",
        lambda given: _matrix("J_c_rate", given.task.jacobian_rate(), "rate of J_c"),
    ),
)
"""Functions of the form in Euler-angle rates."""
