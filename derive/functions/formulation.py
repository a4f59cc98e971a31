"""Symbols and quantities of one set of equations, of which named functions are made.

A tree of bodies, Lagrange's equations and Kane's provide them, each from its own derivation:

    q' = G(q) u + g(q, t),    M a + c = tau + J^T lambda,    J u + b = 0,    J a + gamma = 0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from eomc.derive.constraints.linear import Condition, Linear
from eomc.derive.dynamics.articulated import ArticulatedSolution, Held
from eomc.derive.dynamics.elimination import TriangularFactors
from eomc.derive.dynamics.factor import Factor
from eomc.derive.dynamics.forward import ForwardDynamics
from eomc.derive.dynamics.forward_partials import ForwardPartials
from eomc.derive.dynamics.inverse import GeneralizedForces
from eomc.derive.graph import Expression, Graph
from eomc.derive.graph.columns import Columns

Rows = list[list[Expression]]


class Arrays(Protocol):
    """The graph, and the names of the entries of input arrays."""

    @property
    def graph(self) -> Graph:
        """All expressions are nodes of it."""

    @property
    def symbolic(self) -> tuple[str, ...]:
        """Names of the parameters that are symbols."""

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Of q."""

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Of u."""

    @property
    def input_names(self) -> tuple[str, ...]:
        """Of r."""

    @property
    def prescribed_names(self) -> tuple[str, ...]:
        """Of s."""

    @property
    def driven_names(self) -> tuple[str, ...]:
        """Of the driven speeds."""

    @property
    def elastic_names(self) -> tuple[str, ...]:
        """Of the speeds of elastic amplitudes, those of q too."""

    @property
    def element_state_names(self) -> tuple[str, ...]:
        """Of z."""

    @property
    def neutral(self) -> list[float]:
        """Coordinates of the reference configuration."""

    @property
    def uses_time(self) -> bool:
        """True if the equations depend on time explicitly."""


class Conditions(Protocol):
    """Constraints: their independent rows, and those of loops that depend on others too."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the independent rows."""

    @property
    def rows(self) -> Sequence[Condition]:
        """Independent rows."""

    @property
    def holonomic(self) -> Sequence[Condition]:
        """Independent rows that have a residual in q."""

    @property
    def closing(self) -> Sequence[Condition]:
        """All holonomic rows that are no numbers."""

    @property
    def live(self) -> Sequence[Condition]:
        """All rows that are no numbers."""

    @property
    def linear(self) -> Linear:
        """Of the independent rows."""

    def linearized(self, chosen: Sequence[Condition]) -> Linear:
        """Of the chosen rows."""

    def on_prescribed(self, multipliers: Sequence[Expression]) -> list[Expression]:
        """Forces of the constraints on the prescribed coordinates."""


class Formulation(Arrays, Protocol):
    """Equations of motion on a graph."""

    @property
    def zero(self) -> Expression:
        """The number 0 on the graph."""

    @property
    def nq(self) -> int:
        """Number of coordinates."""

    @property
    def nu(self) -> int:
        """Number of speeds."""

    @property
    def q(self) -> list[Expression]:
        """Coordinates as they are given."""

    @property
    def configuration(self) -> list[Expression]:
        """Coordinates on their manifold, quaternions at unit length."""

    @property
    def u(self) -> list[Expression]:
        """Speeds."""

    @property
    def a(self) -> list[Expression]:
        """Rates of the speeds."""

    @property
    def s(self) -> list[Expression]:
        """Prescribed coordinates."""

    @property
    def s_rate(self) -> list[Expression]:
        """Rates of the prescribed coordinates."""

    @property
    def tau(self) -> list[Expression]:
        """Generalized forces."""

    @property
    def r(self) -> list[Expression]:
        """Inputs."""

    @property
    def z(self) -> list[Expression]:
        """States of elements."""

    @property
    def element_state_rates(self) -> list[Expression]:
        """z'"""

    @property
    def time(self) -> Expression:
        """t"""

    # -- the configuration manifold --------------------------------------------------------------

    def coordinate_rates(self) -> list[Expression]:
        """q' = G(q) u + g"""

    def directions(self) -> list[dict[int, int]]:
        """Columns of G(q), each a map coordinate -> rate."""

    def integrated(self, q: Sequence[Expression], du: Sequence[Expression]) -> list[Expression]:
        """q displaced by the tangent displacement du."""

    def displacement(self, q0: Sequence[Expression], q1: Sequence[Expression]) -> list[Expression]:
        """The tangent displacement from q0 to q1."""

    def normalized(self, q: Sequence[Expression]) -> list[Expression]:
        """q on its manifold."""

    @property
    def transport(self) -> tuple[Rows, Rows]:
        """(W, W') of xi' = du + W xi, for the tangent displacements xi of a motion."""

    # -- dynamics --------------------------------------------------------------------------------

    @property
    def inverse(self) -> GeneralizedForces:
        """tau = M a + c"""

    def forces_at(self, a: Sequence[Expression]) -> list[Expression]:
        """M a + c at the given accelerations."""

    def prescribed_at(
        self, a: Sequence[Expression], multipliers: Sequence[Expression] | None = None
    ) -> list[Expression]:
        """Forces on the prescribed coordinates at the given accelerations, constraints left out;
        multipliers matter where forces depend on reactions."""

    @property
    def bias(self) -> GeneralizedForces:
        """c(q, u)"""

    @property
    def gravity(self) -> list[Expression]:
        """Generalized forces that hold the weight, or the gradient of the potential."""

    @property
    def mass(self) -> Mapping[tuple[int, int], Expression]:
        """Lower triangle of M(q)."""

    @property
    def factor(self) -> Factor:
        """M, ready to solve with."""

    @property
    def effective(self) -> Factor | TriangularFactors:
        """Derivatives of M a + c by a at the accelerations of forward dynamics, ready to solve
        with: M, but for forces that depend on a."""

    def acceleration_rows(self, a: Sequence[Expression]) -> Rows:
        """These derivatives at given accelerations, by rows."""

    @property
    def forward(self) -> ForwardDynamics:
        """Accelerations under tau, on the constraints."""

    @property
    def forward_factored(self) -> ForwardDynamics:
        """Accelerations under tau, through M."""

    @property
    def is_constrained(self) -> bool:
        """True if there are constraints."""

    @property
    def constraints(self) -> Conditions:
        """Their rows."""

    @property
    def solution(self) -> ArticulatedSolution:
        """Accelerations and multipliers under tau."""

    @property
    def superposed(self) -> Mapping[int, int]:
        """Nodes of `inverse`, and what has the same value at the solution in fewer steps."""

    def articulated(self, held: Held) -> ArticulatedSolution:
        """Accelerations and multipliers under tau with the accelerations held as told."""

    def respond(self, tau: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """Accelerations and multipliers of M a = tau + J^T lambda, from rest."""

    def answer(self, tau: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """Small changes of accelerations and multipliers under small forces, in the symbols a and
        ``multipliers``; those of `respond` where no force depends on reactions."""

    def answer_back(self, weights: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """The same of the transposed equations."""

    @property
    def reacts(self) -> bool:
        """True if forces depend on the reactions in joints, and so on a and ``multipliers``."""

    def partials(self, a: Sequence[Expression]) -> tuple[Columns, Columns]:
        """Columns of d(M a + c)/dq, along the directions, and d(M a + c)/du."""

    def loads_by_two_speeds(self) -> list[Columns] | None:
        """Of all loads: by the j-th speed, columns by the i-th; None where the forces of inertia
        are not those of d(u^T M u)/dt alone."""

    @property
    def forward_partials(self) -> ForwardPartials:
        """Derivatives of the accelerations, without constraints."""

    # -- energy ----------------------------------------------------------------------------------

    @property
    def kinetic_energy(self) -> Expression:
        """T(q, u)"""

    @property
    def potential_energy(self) -> Expression:
        """V(q)"""

    @property
    def applied(self) -> GeneralizedForces:
        """Generalized forces of all that has no potential, tau left out."""
