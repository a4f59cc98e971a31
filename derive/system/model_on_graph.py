"""A model on its graph: input arrays, the motion of its links, and the loads on them.

Everything is made when first asked for and kept, so that two functions of one model share nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from eomc.derive.dynamics.frames import FixedFrame
from eomc.derive.dynamics.kinematics import (
    KinematicState,
    accelerations,
    poses,
    twists,
    world_poses,
)
from eomc.derive.elements.servo_constraint import driven_speeds
from eomc.derive.forces import AllLoads, Scene, all_loads
from eomc.derive.geometry import Acceleration, LinkPose, Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression, Graph, nodes, symbol, symbols
from eomc.derive.graph.ends import law_of
from eomc.derive.language.errors import ModelError
from eomc.derive.model.elastic_amplitudes import elastic_amplitudes
from eomc.derive.model.model import Model
from eomc.derive.system import manifold, unknowns
from eomc.derive.system.build import build_tree
from eomc.derive.system.expression_names import TIME, expression_names
from eomc.derive.system.transport import Rows, transport
from eomc.derive.tree.scalars import Scalars


class ModelOnGraph:
    """Motion and loads of one model; parameters named in `symbolic` stay symbols, others are
    numbers."""

    def __init__(self, model: Model, symbolic: Collection[str] = ()) -> None:
        self.model = model = model.snapshot().on_bodies
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
    def configuration(self) -> list[Expression]:
        """q with its quaternions at unit length, of which all else is made."""
        return manifold.normalized(self.tree, self.q)

    @cached_property
    def state(self) -> KinematicState:
        """The full motion: q, u, a and the prescribed one."""
        return KinematicState(
            self.configuration, self.u, self.a, self.s, self.s_rate, self.s_acceleration
        )

    @cached_property
    def coasting(self) -> KinematicState:
        """The motion without free acceleration."""
        rest = [self.tree.zero] * self.tree.nu
        return KinematicState(
            self.configuration, self.u, rest, self.s, self.s_rate, self.s_acceleration
        )

    @cached_property
    def still(self) -> KinematicState:
        """The configuration at rest."""
        rest, s_rest = [self.tree.zero] * self.tree.nu, [self.tree.zero] * len(self.s)
        return KinematicState(self.configuration, rest, rest, self.s, s_rest, s_rest)

    @cached_property
    def pose(self) -> list[LinkPose]:
        """Pose of every link in its parent."""
        return poses(self.tree, self.state)

    @cached_property
    def world(self) -> list[tuple[Rotation, Vector]]:
        """Pose of every link in the world."""
        return world_poses(self.tree, self.pose)

    @cached_property
    def twist(self) -> list[SpatialMotion]:
        """Velocity of every link at its origin, in its own axes."""
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
                    with law_of(self.graph, element.name):
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
        return manifold.coordinate_rates(self.tree, replace(self.state, q=self.q))

    @property
    def configuration_rates(self) -> dict[int, int]:
        """The rate of each entry of the configuration (node -> node)."""
        rates = manifold.coordinate_rates(self.tree, self.state)
        return dict(zip(nodes(self.configuration), nodes(rates), strict=True))

    def passing(self, _: Sequence[Expression] = ()) -> dict[int, int]:
        """Direction of the motion itself: q' = G(q) u, t' = 1, prescribed coordinates likewise."""
        along = dict(self.configuration_rates)
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
