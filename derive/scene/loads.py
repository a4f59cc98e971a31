"""The scene that force elements look at, and the loads that they act with.

A force element adds its share to `Loads`: wrenches on links, generalized forces on speeds,
potential energy. Conservative shares (those with a potential) are
kept apart from the others, so that energy and power balance: d/dt (T + V) = power.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from eomc.derive.dynamics.kinematics import KinematicState, twists, world_poses
from eomc.derive.geometry import LinkPose, Rotation, SpatialForce, SpatialMotion, Vector
from eomc.derive.geometry.spatial import summed
from eomc.derive.graph.ends import law_of, remember_law
from eomc.derive.graph.node import ZERO
from eomc.derive.tree.finite import finite
from eomc.derive.tree.link import WORLD, LinkCoordinate, LinkTree

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable
    from eomc.derive.bodies.mass_properties import MassProperties
    from eomc.derive.graph import Expression
    from eomc.derive.joints.joint import Joint
    from eomc.derive.language.scalar import Vector3
    from eomc.derive.tree.scalars import Scalars


class ActingElement(Protocol):
    """A declared element that acts."""

    @property
    def plural(self) -> str: ...
    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """Add its share."""


@dataclass(frozen=True)
class Scene:
    """Declared parts, tree and state that acting elements look at; kinematics are made when asked
    for.

    `elements` holds the acting ones by the word of their kind and their name, `cuts` the joints
    that close loops. `variables` maps the names that may stand in expressions (coordinates,
    ``speed(...)``, inputs, ``t``) to expressions of the graph.
    """

    bodies: Mapping[str, MassProperties]
    deformables: Mapping[str, Deformable]
    joints: Mapping[str, Joint]
    cuts: Sequence[Joint]
    elements: Mapping[str, Mapping[str, ActingElement]]
    tree: LinkTree
    scalars: Scalars
    state: KinematicState
    pose: Sequence[LinkPose]
    variables: Mapping[str, Expression]
    directions: Callable[[], Sequence[Mapping[int, int]]]

    @cached_property
    def passing(self) -> dict[int, int]:
        """Rates of the coordinates in the motion itself (node -> node), prescribed ones first."""
        state, graph = self.state, self.tree.zero.graph
        along = {s.node: r.node for s, r in zip(state.s, state.s_rate, strict=True)}
        for u, column in zip(state.u, self.directions(), strict=True):
            for coordinate, rate in column.items():
                share = graph.mul(rate, u.node)
                along[coordinate] = graph.add(along.get(coordinate, ZERO), share)
        return along

    def scalar(self, value: object, extra: Mapping[str, Expression] | None = None) -> Expression:
        """A scalar of the model, with coordinates, speeds, inputs and time in it resolved."""
        if not extra:
            return self.scalars(value, self.variables)
        own = {f"law({name})": entry for name, entry in extra.items()}
        return self.scalars(value, {**self.variables, **extra, **own})

    @cached_property
    def world(self) -> list[tuple[Rotation, Vector]]:
        """(R_world_link, origin) of every link."""
        return world_poses(self.tree, self.pose)

    @cached_property
    def twists(self) -> list[SpatialMotion]:
        """Velocity of every link at its origin, in link axes."""
        return twists(self.tree, self.state, self.pose)

    def point(self, body: str, xyz: Sequence[object]) -> BodyPoint:
        """A point given in the frame of a body."""
        link, rotation, origin = self.tree.pose_of[body]
        r = origin + rotation.to_parent(Vector(*(self.scalar(entry) for entry in xyz)))
        if link == WORLD:
            return BodyPoint(WORLD, r, Rotation(), r, self.tree.zero_vector())
        axes, place = self.world[link]
        twist, position = self.twists[link], place + axes.to_parent(r)
        velocity = axes.to_parent(twist.linear + twist.angular.cross(r))
        return BodyPoint(link, r, axes, position, velocity)

    def along(self, body: str, station: object, offset: Vector | None = None) -> Vector:
        """Position in the world of a station of a body that tells its places on the graph, or of an
        offset in the axes that it has there."""
        deformable = self.deformables[body]
        motion = deformable.on_graph(self.scalars).place(station)
        assert motion is not None
        turned, at = motion.pose([self.variables[name] for name in deformable.coordinates])
        link, rotation, origin = self.tree.pose_of[body]
        local = at if offset is None else at + turned.to_parent(offset)
        axes, place = self.world[link] if link != WORLD else (Rotation(), self.tree.zero_vector())
        return place + axes.to_parent(origin + rotation.to_parent(local))

    def direction(self, body: str, xyz: Vector3) -> Vector:
        """A direction given in the axes of a body, in world axes."""
        link, rotation, _ = self.tree.pose_of[body]
        local = rotation.to_parent(self.scalars.vector(xyz))
        return local if link == WORLD else self.world[link][0].to_parent(local)


@dataclass(frozen=True)
class BodyPoint:
    """A point of a link: `local` in link coordinates, position and velocity in the world frame."""

    link: int
    local: Vector
    axes: Rotation
    position: Vector
    velocity: Vector


@dataclass
class Loads:
    """Wrenches on links (about the link origin, in link axes), generalized forces, potential
    energy."""

    zero: Expression
    wrenches: dict[int, SpatialForce] = field(default_factory=dict)
    generalized: dict[int, Expression] = field(default_factory=dict)
    on_prescribed: dict[int, Expression] = field(default_factory=dict)
    potential: Expression = field(init=False)

    def __post_init__(self) -> None:
        self.potential = self.zero

    def add_wrench(self, link: int, wrench: SpatialForce) -> None:
        """Act on a link; on the ground nothing happens."""
        if link == WORLD:
            return
        known = self.wrenches.get(link)
        self.wrenches[link] = wrench if known is None else summed(known, wrench)

    def add_force(self, point: BodyPoint, force: Vector) -> None:
        """Act at a point with a force in world axes."""
        local = point.axes.to_child(force)
        self.add_wrench(point.link, SpatialForce(linear=local, angular=point.local.cross(local)))

    def add_generalized(self, speed: LinkCoordinate | None, force: Expression) -> None:
        """Act on a speed, free or prescribed; the force on a mimic joint acts on its leader, that
        on a locked one, of which the tree knows no speed, on nothing."""
        if speed is None:
            return
        if speed.factor is not None:
            force = speed.factor * force
        if force.is_zero:
            return
        forces = self.on_prescribed if speed.prescribed else self.generalized
        known = forces.get(speed.index)
        forces[speed.index] = force if known is None else known + force


@dataclass
class AllLoads:
    """Loads with a potential, and loads without."""

    conservative: Loads
    other: Loads


OwnLoads = Callable[[Scene, AllLoads], None]
_PACKAGE = __name__.partition(".")[0] + "."
_OWN: dict[str, OwnLoads] = {}


def register(name: str) -> Callable[[OwnLoads], OwnLoads]:
    """Decorator: the function adds loads that bodies and joints have by themselves."""

    def remember(function: OwnLoads) -> OwnLoads:
        _OWN[name] = function
        return function

    return remember


def all_loads(scene: Scene, without: Collection[str] = ()) -> AllLoads:
    """Loads that bodies and joints have by themselves, then those of elements that act in `scene`,
    but for those named."""
    zero = scene.tree.zero
    loads = AllLoads(Loads(zero), Loads(zero))
    for name, add in _OWN.items():
        if name not in without:
            add(scene, loads)
    for word, table in scene.elements.items():
        for name, acting in table.items():
            if acting.plural not in without:
                source = getattr(acting, "source", None)
                with finite(f"{word} {name!r}", source), law_of(scene.tree.graph, name):
                    first = len(scene.tree.graph)
                    acting.loads(scene, loads)
                    if not type(acting).__module__.startswith(_PACKAGE):
                        # a law that its author wrote on the graph, not in the words of expressions
                        remember_law(scene.tree.graph, first, name)
    return loads
