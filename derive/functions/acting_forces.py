"""Forces that act in a model, one by one, and their places: for pictures with arrows.

Each row is of one force: the place where it acts, the force and the moment, world axes. What acts
on a speed alone, such as tau or the drive of a joint, is the moment along the axis about which the
speed turns, or the force along which it slides, on the child of the joint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from eomc.derive.functions.reactions import MultiplierKind, reaction_names, world_reactions
from eomc.derive.functions.registry import KINDS, function, matrix
from eomc.derive.geometry import SpatialForce, Vector
from eomc.derive.geometry.spatial import summed
from eomc.derive.graph import Argument, Expression
from eomc.derive.scene.loads import AllLoads, BodyPoint, Loads
from eomc.derive.system import System
from eomc.derive.tree.link import WORLD, LinkCoordinate

Row = tuple[Vector, SpatialForce]
"""Place, and the wrench about it."""


@dataclass
class OneByOne(Loads):
    """Loads that are summed only where they act at the same place."""

    system: System = field(kw_only=True)
    rows: dict[tuple[int, ...], Row] = field(default_factory=dict)

    def add_force(self, point: BodyPoint, force: Vector) -> None:
        """At the point; on the ground nothing happens."""
        if point.link != WORLD:
            self._add((point.position, SpatialForce(linear=force, angular=self._zero)))

    def add_wrench(self, link: int, wrench: SpatialForce) -> None:
        """At the origin of the link."""
        if link != WORLD:
            axes, origin = self.system.world[link]
            force = axes.to_parent(wrench.linear)
            moment = axes.to_parent(wrench.angular)
            self._add((origin, SpatialForce(linear=force, angular=moment)))

    def add_generalized(self, speed: LinkCoordinate | None, force: Expression) -> None:
        """Along the speed, if a joint has it; amplitudes of what bends have no place."""
        if speed is None or force.is_zero:
            return
        for row in on_speed(self.system, speed, force):
            self._add(row)

    def _add(self, row: Row) -> None:
        place, wrench = row
        key = tuple(entry.node for entry in place)
        _, known = self.rows.get(key, (place, SpatialForce.zero(self._zero)))
        self.rows[key] = place, summed(known, wrench)

    @property
    def _zero(self) -> Vector:
        return self.system.tree.zero_vector()


def on_speed(system: System, speed: LinkCoordinate, force: Expression) -> list[Row]:
    """The one row of a force on a speed; none if no joint owns it."""
    known = {joint.name: joint for joint in system.model.tree()}
    zero = system.tree.zero_vector()
    for k, (link, pose) in enumerate(zip(system.tree.links, system.pose, strict=True)):
        for own, s in zip(link.speeds, pose.columns, strict=False):
            same = (own.index, own.prescribed) == (speed.index, speed.prescribed)
            if not same or own.factor is not None or link.name not in known:
                continue
            joint = known[link.name]
            at = system.scene.point(joint.child, joint.child_placement.xyz).position
            turns = not s.angular.is_zero
            along = system.world[k][0].to_parent(s.angular if turns else s.linear) * force
            if turns:
                return [(at, SpatialForce(linear=zero, angular=along))]
            return [(at, SpatialForce(linear=along, angular=zero))]
    return []


def _named(system: System) -> Iterator[tuple[str, Row]]:
    elements = [e for table in system.model.acting().values() for e in table.values()]
    for element in elements:
        if element.weighs:
            continue
        one = OneByOne(system.zero, system=system)
        element.loads(system.scene, AllLoads(one, one))
        for row in one.rows.values():
            yield element.name, row
    for name, tau in zip(system.speed_names, system.tau, strict=True):
        for row in on_speed(system, system.tree.speed_of[name], tau):
            yield f"tau({name})", row


@function(
    "acting_forces",
    ("q", "u", "tau"),
    "Forces of elements and tau, one by one: where each acts, force, moment, world axes.",
    sees_forces=True,
    needs=("bodies",),
)
def acting_forces(system: System) -> list[Argument]:
    """(forces, 9)"""
    found = list(_named(system))
    count: Counter[str] = Counter()
    names = []
    for name, _ in found:
        count[name] += 1
        names.append(name if count[name] == 1 else f"{name}_{count[name]}")
    rows = [[*place, *wrench.entries] for _, (place, wrench) in found]
    return [matrix("forces", rows, 9, "place, force, moment", "m, N, N m", names)]


def joint_forces(system: System) -> list[Argument]:
    """(joints, 9)"""
    rows = [[*place, *wrench.entries] for place, wrench in world_reactions(system)]
    meaning = "place, force and moment of parent on child"
    return [matrix("forces", rows, 9, meaning, "m, N, N m", reaction_names(system))]


KINDS["joint_forces"] = MultiplierKind(
    "joint_forces",
    ("q", "u", "a"),
    "Forces and moments of joint_reactions in world axes, each after the place where it acts.",
    joint_forces,
    sees_forces=True,
    needs=("bodies",),
)
