"""A model on its graph: input arrays and the quantities that the functions share.

Everything is made when first asked for and kept, so that two functions of one model share nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from eomc.derive.bodies.body import Acceleration
from eomc.derive.dynamics import articulated
from eomc.derive.dynamics import momentum as recursion
from eomc.derive.dynamics.articulated import ArticulatedSolution, Held
from eomc.derive.dynamics.elimination import Elimination
from eomc.derive.dynamics.factor import Factor, factor
from eomc.derive.dynamics.forward import (
    ARTICULATED,
    FACTORED,
    ForwardDynamics,
    factored_at_least,
)
from eomc.derive.dynamics.forward_partials import ForwardPartials
from eomc.derive.dynamics.frames import FixedFrame
from eomc.derive.dynamics.inverse import GeneralizedForces, inverse_dynamics, project_wrenches
from eomc.derive.dynamics.kinematics import (
    Pose,
    State,
    accelerations,
    poses,
    twists,
    world_poses,
)
from eomc.derive.dynamics.mass_matrix import Lower, composite_inertias, mass_matrix
from eomc.derive.elements.drive import driven_speeds
from eomc.derive.forces import AllLoads, Loads, Scene, all_loads
from eomc.derive.geometry import Inertia, Rotation, Vector
from eomc.derive.graph import Expression, Graph, symbol, symbols
from eomc.derive.graph.columns import Columns
from eomc.derive.language.errors import ModelError
from eomc.derive.model.elastic_amplitudes import elastic_amplitudes
from eomc.derive.model.model import Model
from eomc.derive.system import manifold, partials, reacting, reacting_partials, unknowns
from eomc.derive.system.build import build_tree
from eomc.derive.system.constraints import Constraints
from eomc.derive.system.expression_names import TIME, expression_names
from eomc.derive.system.transport import Rows, transport
from eomc.derive.tree.scalars import Scalars


class System:
    """Derivation of one model; parameters named in `symbolic` stay symbols, others are numbers."""

    def __init__(self, model: Model, symbolic: Collection[str] = ()) -> None:
        self.model = model
        self.uses_time = model.snapshot().uses_time
        self.symbolic = tuple(name for name in model.parameters if name in symbolic)
        self.graph = Graph()
        self.scalars = Scalars(self.graph, model.parameters, symbolic)
        self.tree = build_tree(model, self.graph, symbolic)
        nq, nu, ns = self.tree.nq, self.tree.nu, len(self.tree.prescribed_names)
        self.q = symbols(self.graph, "q", nq)
        self.u = symbols(self.graph, "u", nu)
        self.a = symbols(self.graph, "a", nu)
        self.tau = symbols(self.graph, "tau", nu)
        self.r = symbols(self.graph, "r", len(model.inputs))
        self.time = symbol(self.graph, TIME)
        self.s = symbols(self.graph, "s", ns)
        self.s_rate = symbols(self.graph, "s_rate", ns)
        self.s_acceleration = symbols(self.graph, "s_acceleration", ns)
        self.zero = self.tree.zero
        self.nq, self.nu = nq, nu
        self.coordinate_names = self.tree.coordinate_names
        self.speed_names = self.tree.speed_names
        self.prescribed_names = self.tree.prescribed_names
        self.input_names = tuple(model.inputs)
        self.element_state_names = tuple(model.element_states())
        self.z = symbols(self.graph, "z", len(self.element_state_names))

    @cached_property
    def driven_names(self) -> tuple[str, ...]:
        """Names of the driven speeds."""
        return driven_speeds(self.model)

    @cached_property
    def elastic_names(self) -> tuple[str, ...]:
        """Names of the elastic amplitudes and of their speeds."""
        return elastic_amplitudes(self.model)

    @cached_property
    def state(self) -> State:
        """The full motion: q, u, a and the prescribed one."""
        return State(self.q, self.u, self.a, self.s, self.s_rate, self.s_acceleration)

    @cached_property
    def coasting(self) -> State:
        """The motion without free acceleration."""
        rest = [self.tree.zero] * self.tree.nu
        return State(self.q, self.u, rest, self.s, self.s_rate, self.s_acceleration)

    @cached_property
    def still(self) -> State:
        """The configuration at rest."""
        rest, s_rest = [self.tree.zero] * self.tree.nu, [self.tree.zero] * len(self.s)
        return State(self.q, rest, rest, self.s, s_rest, s_rest)

    @cached_property
    def pose(self) -> list[Pose]:
        """Pose of every link in its parent."""
        return poses(self.tree, self.state)

    @cached_property
    def world(self) -> list[tuple[Rotation, Vector]]:
        """Pose of every link in the world."""
        return world_poses(self.tree, self.pose)

    @cached_property
    def twist(self) -> list[tuple[Vector, Vector]]:
        """(w, v) of every link."""
        return twists(self.tree, self.state, self.pose)

    @cached_property
    def motion(self) -> list[Acceleration]:
        """Accelerations of every link, the base at rest."""
        return accelerations(self.tree, self.state, self.pose, self.tree.zero_vector())

    @cached_property
    def variables(self) -> Mapping[str, Expression]:
        """Names that may stand in expressions: coordinates, speeds, inputs, time, states and
        unknowns of elements."""
        names = expression_names(self)
        return names | unknowns.solved(self, names)

    @cached_property
    def scene(self) -> Scene:
        """The scene that force elements and constraints look at."""
        return self.seen(self.variables)

    def seen(self, variables: Mapping[str, Expression]) -> Scene:
        """The same with other names in expressions."""
        model = self.model
        return Scene(
            model.bodies,
            model.deformables,
            model.joints,
            tuple(model.cuts()),
            model.acting(),
            self.tree,
            self.scalars,
            self.state,
            self.pose,
            variables,
            self.directions,
        )

    @cached_property
    def loads(self) -> AllLoads:
        """All forces that act, but gravity and the generalized forces tau."""
        return all_loads(self.scene)

    @cached_property
    def element_state_rates(self) -> list[Expression]:
        """z' of the states of all elements."""
        rates: list[Expression] = []
        for table in self.model.acting().values():
            for element in table.values():
                if states := element.states():
                    found = list(element.rates(self.scene))
                    if len(found) != len(states):
                        raise ModelError(
                            f"{element.title}: {len(states)} states, but {len(found)} rates",
                            element.source,
                        )
                    rates += found
        return rates

    def directions(self) -> list[dict[int, int]]:
        """For each speed, the rates of the coordinates (node -> node) at unit speed: columns of
        G(q)."""
        return manifold.directions(self.tree, self.state)

    def coordinate_rates(self) -> list[Expression]:
        """q' = G(q) u"""
        return manifold.coordinate_rates(self.tree, self.state)

    def passing(self, _: Sequence[Expression] = ()) -> dict[int, int]:
        """Direction of the motion itself: q' = G(q) u, t' = 1, prescribed coordinates likewise."""
        along = {q.node: rate.node for q, rate in zip(self.q, self.coordinate_rates(), strict=True)}
        along |= {s.node: rate.node for s, rate in zip(self.s, self.s_rate, strict=True)}
        along |= {
            rate.node: a.node for rate, a in zip(self.s_rate, self.s_acceleration, strict=True)
        }
        return along | {self.time.node: (self.zero + 1).node}

    def integrated(self, q: Sequence[Expression], du: Sequence[Expression]) -> list[Expression]:
        """Coordinates reached from q by the tangent displacement du."""
        return manifold.integrated(self.tree, q, du)

    def displacement(self, q0: Sequence[Expression], q1: Sequence[Expression]) -> list[Expression]:
        """Tangent displacement that leads from q0 to q1."""
        return manifold.displacement(self.tree, q0, q1)

    def normalized(self, q: Sequence[Expression]) -> list[Expression]:
        """q with its quaternions brought to unit length."""
        return manifold.normalized(self.tree, q)

    @property
    def neutral(self) -> list[float]:
        """Coordinates of the reference configuration."""
        return manifold.neutral_values(self.tree)

    @cached_property
    def transport(self) -> tuple[Rows, Rows]:
        """(W, W') of xi' = du + W xi; W is linear in the speeds."""
        return transport(self, self.u), transport(self, self.a)

    @cached_property
    def external_wrenches(self) -> dict[int, tuple[Vector, Vector]]:
        """(force, moment about the link origin) of all loads on each link, in link axes."""
        external: dict[int, tuple[Vector, Vector]] = {}
        for share in (self.loads.conservative, self.loads.other):
            for link, (force, moment) in share.wrenches.items():
                known = external.get(link)
                external[link] = (
                    (force, moment) if known is None else (known[0] + force, known[1] + moment)
                )
        return external

    def against_gravity(self, state: State) -> list[Acceleration]:
        """Accelerations of every link in the motion `state`, the base accelerated upwards."""
        return accelerations(self.tree, state, self.pose, -self.tree.gravity)

    @cached_property
    def coasting_motion(self) -> list[Acceleration]:
        """The same without free acceleration."""
        return self.against_gravity(self.coasting)

    def forces_for(self, state: State) -> GeneralizedForces:
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
        found = self.reacted(a, multipliers)
        return GeneralizedForces(
            [force - share for force, share in zip(tau.free, found.free, strict=True)],
            [force - share for force, share in zip(tau.prescribed, found.prescribed, strict=True)],
        )

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
        state = State(self.q, self.u, a, self.s, self.s_rate, self.s_acceleration)
        return self._resisted(self.forces_for(state), a, multipliers)

    def generalized(self, loads: Loads) -> list[Expression]:
        """Generalized forces of `loads` on the free speeds."""
        return self.all_generalized(loads).free

    def all_generalized(self, loads: Loads) -> GeneralizedForces:
        """The same, and on the prescribed coordinates."""
        zero = self.tree.zero_vector()
        wrenches = [loads.wrenches.get(i, (zero, zero)) for i in range(len(self.tree.links))]
        tau = GeneralizedForces([self.tree.zero] * self.tree.nu, [self.tree.zero] * len(self.s))
        project_wrenches(self.tree, self.pose, wrenches, tau)
        for speed, force in loads.generalized.items():
            tau.free[speed] = tau.free[speed] + force
        for index, force in loads.on_prescribed.items():
            tau.prescribed[index] = tau.prescribed[index] + force
        return tau

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
    def composite(self) -> list[Inertia]:
        """Inertia of the subtree of every link, locked."""
        return composite_inertias(self.tree, self.pose)

    @cached_property
    def total_inertia(self) -> Inertia:
        """Inertia of the mechanism about the world origin."""
        return recursion.total_inertia(self.tree, self.pose, self.composite)

    @cached_property
    def factor(self) -> Factor:
        """M = L^T D L; a coordinate that carries no inertia is refused."""
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
    def constraints(self) -> Constraints:
        """Loops and other constraints."""
        return Constraints(self)

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

    @cached_property
    def forward(self) -> ForwardDynamics:
        """a = M^-1 (tau - c) by the method that takes fewer operations.

        With constraints M a + c = tau + G^T lambda, G a + g = 0.
        """
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
        return articulated.respond(self.tree, self.still, self.pose, tau, held)

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

    @cached_property
    def effective(self) -> Factor | Elimination:
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
        found = self.reacted(self.forward.acceleration, multipliers)
        return GeneralizedForces(
            [a + b for a, b in zip(applied.free, found.free, strict=True)],
            [a + b for a, b in zip(applied.prescribed, found.prescribed, strict=True)],
        )

    @cached_property
    def center_of_mass(self) -> Vector:
        """Of the moving bodies, in the world."""
        return self.total_inertia.center

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of all bodies, deformable ones too."""
        return tuple(self.model.bodies)

    def frame(self, name: str) -> FixedFrame:
        """The declared frame `name`, or the frame of the body `name`."""
        if name in self.model.frames:
            declared = self.model.frames[name]
            link, rotation, origin = self.tree.pose_of[declared.body]
            inner = Rotation([self.scalars.rotation(declared.placement.matrix)])
            at = origin + rotation.to_parent(self.scalars.vector(declared.placement.xyz))
            return FixedFrame(link, rotation @ inner, at)
        if name in self.tree.pose_of:
            return FixedFrame(*self.tree.pose_of[name])
        known = ", ".join([*self.model.frames, *self.model.bodies])
        raise ModelError(
            f"model {self.model.name!r} has no frame or body {name!r}; there are {known}"
        )
