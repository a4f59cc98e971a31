"""The equations of a model: the quantities that its functions share.

Everything is made when first asked for and kept, so that two functions of one model share nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from eomc.derive.dynamics import articulated
from eomc.derive.dynamics import momentum as recursion
from eomc.derive.dynamics.articulated import ArticulatedSolution, Held
from eomc.derive.dynamics.elimination import TriangularFactors
from eomc.derive.dynamics.factor import Factor, factor
from eomc.derive.dynamics.forward import ARTICULATED, FACTORED, ForwardDynamics, factored_at_least
from eomc.derive.dynamics.forward_partials import ForwardPartials
from eomc.derive.dynamics.inverse import GeneralizedForces, inverse_dynamics
from eomc.derive.dynamics.kinematics import KinematicState, accelerations
from eomc.derive.dynamics.mass_matrix import CompositeInertias, Lower, mass_matrix
from eomc.derive.forces import Loads
from eomc.derive.geometry import Acceleration, Inertia, SpatialForce, Vector
from eomc.derive.graph import Expression
from eomc.derive.graph.columns import Columns
from eomc.derive.language.errors import ModelError
from eomc.derive.model.singularity import check_inertia_of_coordinates
from eomc.derive.system import generalized, partials, reacting, reacting_partials, superposed
from eomc.derive.system.constraints import ConstraintRows
from eomc.derive.system.model_on_graph import ModelOnGraph
from eomc.derive.system.transport import Rows


class System(ModelOnGraph):
    """Derivation of one model."""

    @cached_property
    def external_wrenches(self) -> dict[int, SpatialForce]:
        """Wrench of all loads on each link, about the link origin, in link axes."""
        return generalized.wrenches((self.loads.conservative, self.loads.other))

    def against_gravity(self, state: KinematicState) -> list[Acceleration]:
        """Accelerations of every link in the motion `state`, the base accelerated upwards."""
        return accelerations(self.tree, state, self.pose, -self.tree.gravity)

    @cached_property
    def coasting_motion(self) -> list[Acceleration]:
        """The same without free acceleration."""
        return self.against_gravity(self.coasting)

    def forces_for(self, state: KinematicState) -> GeneralizedForces:
        """Generalized forces that the motion `state` takes against gravity and all loads."""
        external = self.external_wrenches
        motion = self.coasting_motion if state is self.coasting else self.against_gravity(state)
        tau = inverse_dynamics(self.tree, state, self.pose, motion, external=external)
        for share in (self.loads.conservative, self.loads.other):
            for speed, load in share.generalized.items():
                tau.free[speed] = tau.free[speed] - load
            for index, load in share.on_prescribed.items():
                tau.prescribed[index] = tau.prescribed[index] - load
        return tau

    @cached_property
    def reacting(self) -> list[reacting.Reacting]:
        """Elements whose forces depend on the reactions in joints."""
        return reacting.reacting(self)

    @cached_property
    def reacting_laws(self) -> list[Expression]:
        """Their forces in the symbols a and ``multipliers``."""
        return reacting.laws(self)

    @cached_property
    def _answers(self) -> reacting_partials.HeldAnswers:
        return reacting_partials.HeldAnswers(self)

    def reacted(
        self, a: Sequence[Expression], multipliers: Sequence[Expression] | None = None
    ) -> GeneralizedForces:
        """Their forces at the given accelerations, at multipliers or in their symbols."""
        return reacting.forces(self, a, multipliers)

    def _resisted(
        self,
        tau: GeneralizedForces,
        a: Sequence[Expression],
        multipliers: Sequence[Expression] | None = None,
    ) -> GeneralizedForces:
        """Forces `tau` that a motion takes, less the forces by reactions."""
        if not self.reacting:
            return tau
        return tau - self.reacted(a, multipliers)

    def forces_at(self, a: Sequence[Expression]) -> list[Expression]:
        """M a + c at the given accelerations."""
        return self._at(a).free

    def prescribed_at(
        self, a: Sequence[Expression], multipliers: Sequence[Expression] | None = None
    ) -> list[Expression]:
        """Forces on the prescribed coordinates at the given accelerations."""
        return self._at(a, multipliers).prescribed

    def _at(
        self, a: Sequence[Expression], multipliers: Sequence[Expression] | None = None
    ) -> GeneralizedForces:
        state = KinematicState(
            self.configuration, self.u, a, self.s, self.s_rate, self.s_acceleration
        )
        return self._resisted(self.forces_for(state), a, multipliers)

    def generalized(self, loads: Loads) -> list[Expression]:
        """Generalized forces of `loads` on the free speeds."""
        return self.all_generalized(loads).free

    def all_generalized(self, loads: Loads) -> GeneralizedForces:
        """The same, and on the prescribed coordinates."""
        return generalized.on_speeds(self, loads)

    @cached_property
    def acting_loads(self) -> list[Expression]:
        """Generalized forces of everything that acts but gravity and tau."""
        conservative = self.generalized(self.loads.conservative)
        other = self.generalized(self.loads.other)
        total = [a + b for a, b in zip(conservative, other, strict=True)]
        if not self.reacting:
            return total
        return [a + b for a, b in zip(total, self.reacted(self.a).free, strict=True)]

    @cached_property
    def inverse(self) -> GeneralizedForces:
        """tau = M a + c, of forces by reactions at a"""
        return self._resisted(self.forces_for(self.state), self.a)

    @cached_property
    def bias(self) -> GeneralizedForces:
        """c(q, u): the forces of motion without free acceleration."""
        return self._resisted(self._unresisted_bias, self.coasting.a)

    @cached_property
    def _unresisted_bias(self) -> GeneralizedForces:
        """c(q, u) without forces by reactions."""
        return self.forces_for(self.coasting)

    @cached_property
    def gravity(self) -> list[Expression]:
        """Generalized forces that hold the mechanism at rest against its weight."""
        motion = self.against_gravity(self.still)
        return inverse_dynamics(self.tree, self.still, self.pose, motion).free

    @cached_property
    def mass(self) -> Lower:
        """Lower triangle of M(q)."""
        return mass_matrix(self.tree, self.pose, self.composite)

    @cached_property
    def composite(self) -> CompositeInertias:
        """Inertia of the subtree of every link, locked."""
        return CompositeInertias(self.tree, self.pose)

    @cached_property
    def total_inertia(self) -> Inertia:
        """Inertia of the mechanism about the world origin."""
        return recursion.total_inertia(self.tree, self.pose, self.composite)

    @cached_property
    def factor(self) -> Factor:
        """M = L^T D L; a coordinate that carries no inertia is refused."""
        self._check_inertia()
        for k, name in enumerate(self.tree.speed_names):
            entry = self.mass.get((k, k))
            if entry is None or entry.is_zero:
                raise ModelError(
                    f"model {self.model.name!r}: speed {name!r} carries no inertia, so the mass "
                    "matrix is singular; give mass or inertia to a body that it moves, or "
                    "rotor_inertia to its joint"
                )
        return factor(self.mass, self.tree.nu)

    @cached_property
    def constraints(self) -> ConstraintRows:
        """Loops and other constraints."""
        return ConstraintRows(self)

    @property
    def is_constrained(self) -> bool:
        """True if the model declares any constraint or closes a loop."""
        return bool(self.model.constraints or self.model.cuts())

    @cached_property
    def held(self) -> Held:
        """Condition of the constraints on the accelerations: G a + g = 0."""
        if not self.is_constrained:
            return Held()
        linear = self.constraints.linear
        return Held(linear.jacobian, linear.bias)

    def _check_inertia(self) -> None:
        """Refuse by name what cannot accelerate, where the model was read all the same."""
        if self.model.inertia != "error" and not self.model.deformables:
            reduced = self.model.snapshot().reduced
            check_inertia_of_coordinates(
                reduced,
                self.model.defaults(),
                end="; eomc.build(..., functions=[...]) builds what needs no forward dynamics",
            )

    @cached_property
    def forward(self) -> ForwardDynamics:
        """a = M^-1 (tau - c) by the method that takes fewer operations.

        With constraints M a + c = tau + G^T lambda, G a + g = 0.
        """
        self._check_inertia()
        if self.reacting and not self.is_constrained:
            return reacting.forward_dynamics(self, self._unresisted_forward)
        return self._unresisted_forward

    @cached_property
    def _unresisted_forward(self) -> ForwardDynamics:
        """Without forces by reactions."""
        if self.is_constrained:
            return self.forward_articulated
        if factored_at_least(self.tree) > self.forward_articulated.operations:
            return self.forward_articulated
        methods = (self._unresisted_factored, self.forward_articulated)
        return min(methods, key=lambda method: method.operations)

    @cached_property
    def forward_factored(self) -> ForwardDynamics:
        """Through M = L^T D L."""
        if self.reacting:
            return reacting.forward_dynamics(self, self._unresisted_factored)
        return self._unresisted_factored

    @cached_property
    def _unresisted_factored(self) -> ForwardDynamics:
        """Without forces by reactions."""
        right = [tau - c for tau, c in zip(self.tau, self._unresisted_bias.free, strict=True)]
        return ForwardDynamics(FACTORED, self.factor.solve(right), list(self.factor.pivots))

    @cached_property
    def forward_articulated(self) -> ForwardDynamics:
        """Through articulated bodies, in O(N)."""
        solution = self.solution
        return ForwardDynamics(ARTICULATED, solution.acceleration, solution.pivots)

    @cached_property
    def solution(self) -> ArticulatedSolution:
        """Accelerations and multipliers of the constrained motion under tau."""
        return self.articulated(self.held)

    @cached_property
    def superposed(self) -> dict[int, int]:
        """Nodes of `inverse`, and what has the same value at the solution in fewer steps."""
        if self.reacting or self.forward.method != ARTICULATED:
            return {}
        return superposed.superposed(self)

    def articulated(self, held: Held) -> ArticulatedSolution:
        """Accelerations and multipliers with the accelerations held as told."""
        generalized = [*self.loads.conservative.generalized.items()]
        generalized += self.loads.other.generalized.items()
        tau = list(self.tau)
        for speed, load in generalized:
            tau[speed] = tau[speed] + load
        found = articulated.forward_dynamics(
            self.tree,
            self.coasting,
            self.pose,
            tau,
            motion=lambda: self.coasting_motion,
            external=self.external_wrenches,
            held=held,
        )
        if self.reacting and self.is_constrained:
            return reacting.resisted(self, found)
        return found

    def respond(self, tau: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """Accelerations and multipliers from rest: M a = tau + G^T lambda."""
        return articulated.respond(self.tree, self.pose, tau, held)

    def answer(self, tau: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """Small changes of accelerations and multipliers of the motion under forces: as `respond`,
        but for forces by reactions, in the symbols a and ``multipliers``."""
        return self._answers.to(tau, held) if self.reacting else self.respond(tau, held)

    def answer_back(self, weights: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """Of the transposed equations."""
        return self._answers.back(weights, held) if self.reacting else self.respond(weights, held)

    @property
    def reacts(self) -> bool:
        """True if forces depend on the reactions in joints."""
        return bool(self.reacting)

    def acceleration_rows(self, a: Sequence[Expression]) -> Rows:
        """Rows of d(M a + c)/da: M, but for forces by reactions."""
        return reacting_partials.acceleration_rows(self, a)

    def partials(self, a: Sequence[Expression]) -> tuple[Columns, Columns]:
        """Columns of d(M a + c)/dq, along the directions, and d(M a + c)/du."""
        return partials.by_state(self, a)

    def loads_by_two_speeds(self) -> list[Columns] | None:
        """Second derivatives of all loads by the speeds, where those of inertia follow from M."""
        return partials.loads_by_two_speeds(self)

    @cached_property
    def effective(self) -> Factor | TriangularFactors:
        """M - dQ/da at the accelerations of forward dynamics, ready to solve with."""
        return reacting_partials.effective(self) if self.reacting else self.factor

    @cached_property
    def forward_partials(self) -> ForwardPartials:
        """Derivatives of forward dynamics of an open chain."""
        if self.reacting:
            return reacting_partials.forward_partials(self)
        return partials.forward_partials(self)

    @cached_property
    def kinetic_energy(self) -> Expression:
        """T(q, u), rotors included."""
        return recursion.kinetic_energy(self.tree, self.state, self.twist)

    @cached_property
    def potential_energy(self) -> Expression:
        """V(q) of weight and of everything conservative."""
        weight = recursion.gravitational_energy(self.tree, self.total_inertia)
        return weight + self.loads.conservative.potential

    @cached_property
    def applied(self) -> GeneralizedForces:
        """Generalized forces of losses, actuators and inputs."""
        applied = self.all_generalized(self.loads.other)
        if not self.reacting:
            return applied
        multipliers = self.solution.multipliers if self.is_constrained else None
        return applied + self.reacted(self.forward.acceleration, multipliers)

    @cached_property
    def center_of_mass(self) -> Vector:
        """Of the moving bodies, in the world."""
        return self.total_inertia.center
