"""A model on its graph: input arrays and the quantities that the functions share.

Everything is made when first asked for and kept, so that two functions of one model share nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from eomc.derive.bodies.body import Acceleration
from eomc.derive.constraints.system import Constraints
from eomc.derive.dynamics import articulated
from eomc.derive.dynamics.factor import Factor, factor
from eomc.derive.dynamics.forward import (
    ARTICULATED,
    FACTORED,
    ForwardDynamics,
    factored_at_least,
)
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
from eomc.derive.dynamics.mass_matrix import Lower, mass_matrix
from eomc.derive.forces import AllLoads, Loads, Scene, all_loads
from eomc.derive.geometry import Rotation, Vector
from eomc.derive.graph import Expression, Graph, constant, symbol, symbols
from eomc.derive.model.errors import ModelError
from eomc.derive.model.model import Model
from eomc.derive.tree.build import build_tree
from eomc.derive.tree.scalars import Scalars

TIME = "t"


class System:
    """Derivation of one model; parameters named in `symbolic` stay symbols, others are numbers."""

    def __init__(self, model: Model, symbolic: Collection[str] = ()) -> None:
        self.model = model
        self.symbolic = tuple(name for name in model.parameters if name in symbolic)
        self.graph = Graph()
        self.scalars = Scalars(self.graph, model, symbolic)
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
        """Names that may stand in expressions: coordinates, speeds, inputs, time."""
        tree, state = self.tree, self.state
        names: dict[str, Expression] = {TIME: self.time}
        for name, coordinate in tree.coordinate_of.items():
            names[name] = coordinate.value(state.s if coordinate.prescribed else state.q)
        for name, speed in tree.speed_of.items():
            names[f"speed({name})"] = speed.rate(state.s_rate if speed.prescribed else state.u)
        for joint in self.model.joints.values():
            if joint.locked is not None:
                values = zip(joint.coordinates, joint.locked, strict=True)
                names.update((name, self.scalars(value)) for name, value in values)
                rest = constant(self.graph, 0)
                names.update((f"speed({name})", rest) for name in joint.speeds)
        names.update(zip(self.model.inputs, self.r, strict=True))
        return names

    @cached_property
    def scene(self) -> Scene:
        """What force elements and constraints look at."""
        return Scene(
            self.model,
            self.tree,
            self.scalars,
            self.state,
            self.pose,
            self.variables,
            self.directions,
        )

    @cached_property
    def loads(self) -> AllLoads:
        """All forces that act, but gravity and the generalized forces tau."""
        return all_loads(self.scene)

    def directions(self) -> list[dict[int, int]]:
        """For each speed, the rates of the coordinates (node -> node) at unit speed: columns of
        G(q)."""
        columns: list[dict[int, int]] = [{} for _ in range(self.tree.nu)]
        for link in self.tree.links:
            if not link.owns_coordinates:
                continue
            q = self.state.coordinates(link)
            one, zero = self.tree.zero + 1, self.tree.zero
            for k, speed in enumerate(link.speeds):
                unit = [one if i == k else zero for i in range(len(link.speeds))]
                rates = link.motion.rates(q, unit)
                for coordinate, rate in zip(link.coordinates, rates, strict=True):
                    if not rate.is_zero:
                        columns[speed.index][self.q[coordinate.index].node] = rate.node
        return columns

    def coordinate_rates(self) -> list[Expression]:
        """q' = G(q) u"""
        rates = [self.tree.zero] * self.tree.nq
        for link in self.tree.links:
            if not link.owns_coordinates:
                continue
            link_rates = link.motion.rates(self.state.coordinates(link), self.state.speeds(link))
            for coordinate, rate in zip(link.coordinates, link_rates, strict=True):
                rates[coordinate.index] = rate
        return rates

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

    def forces_for(self, state: State) -> GeneralizedForces:
        """Generalized forces that the motion `state` takes against gravity and all loads."""
        tau = inverse_dynamics(
            self.tree,
            state,
            self.pose,
            base=-self.tree.gravity,
            external=self.external_wrenches,
        )
        for share in (self.loads.conservative, self.loads.other):
            for speed, load in share.generalized.items():
                tau.free[speed] = tau.free[speed] - load
            for index, load in share.on_prescribed.items():
                tau.prescribed[index] = tau.prescribed[index] - load
        return tau

    def generalized(self, loads: Loads) -> list[Expression]:
        """Generalized forces of `loads` on the free speeds."""
        zero = self.tree.zero_vector()
        wrenches = [loads.wrenches.get(i, (zero, zero)) for i in range(len(self.tree.links))]
        tau = GeneralizedForces([self.tree.zero] * self.tree.nu, [self.tree.zero] * len(self.s))
        project_wrenches(self.tree, self.pose, wrenches, tau)
        for speed, force in loads.generalized.items():
            tau.free[speed] = tau.free[speed] + force
        return tau.free

    @cached_property
    def acting_loads(self) -> list[Expression]:
        """Generalized forces of everything that acts but gravity and tau."""
        conservative = self.generalized(self.loads.conservative)
        other = self.generalized(self.loads.other)
        return [a + b for a, b in zip(conservative, other, strict=True)]

    @cached_property
    def inverse(self) -> GeneralizedForces:
        """tau = M a + c"""
        return self.forces_for(self.state)

    @cached_property
    def bias(self) -> GeneralizedForces:
        """c(q, u): the forces of motion without free acceleration."""
        return self.forces_for(self.coasting)

    @cached_property
    def gravity(self) -> list[Expression]:
        """Generalized forces that hold the mechanism at rest against its weight."""
        base = -self.tree.gravity
        return inverse_dynamics(self.tree, self.still, self.pose, base=base).free

    @cached_property
    def mass(self) -> Lower:
        """Lower triangle of M(q)."""
        return mass_matrix(self.tree, self.pose)

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
    def held(self) -> articulated.Held:
        """What constraints ask of the accelerations: G a + g = 0."""
        if not self.is_constrained:
            return articulated.Held()
        linear = self.constraints.linear
        return articulated.Held(linear.jacobian, linear.bias)

    @cached_property
    def forward(self) -> ForwardDynamics:
        """a = M^-1 (tau - c) by the method that takes fewer operations.

        With constraints M a + c = tau + G^T lambda, G a + g = 0.
        """
        if self.is_constrained:
            return self.forward_articulated
        if factored_at_least(self.tree) > self.forward_articulated.operations:
            return self.forward_articulated
        methods = (self.forward_factored, self.forward_articulated)
        return min(methods, key=lambda method: method.operations)

    @cached_property
    def forward_factored(self) -> ForwardDynamics:
        """Through M = L^T D L."""
        right = [tau - c for tau, c in zip(self.tau, self.bias.free, strict=True)]
        return ForwardDynamics(FACTORED, self.factor.solve(right), list(self.factor.pivots))

    @cached_property
    def forward_articulated(self) -> ForwardDynamics:
        """Through articulated bodies, in O(N)."""
        solution = self.solution
        return ForwardDynamics(ARTICULATED, solution.acceleration, solution.pivots)

    @cached_property
    def solution(self) -> articulated.ArticulatedSolution:
        """Accelerations and multipliers of the constrained motion under tau."""
        return self.articulated(self.held)

    def articulated(self, held: articulated.Held) -> articulated.ArticulatedSolution:
        """Accelerations and multipliers with the accelerations held as told."""
        generalized = [*self.loads.conservative.generalized.items()]
        generalized += self.loads.other.generalized.items()
        tau = list(self.tau)
        for speed, load in generalized:
            tau[speed] = tau[speed] + load
        return articulated.forward_dynamics(
            self.tree,
            self.coasting,
            self.pose,
            tau,
            base=-self.tree.gravity,
            external=self.external_wrenches,
            held=held,
        )

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
