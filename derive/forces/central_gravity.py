"""Attraction of all bodies by a point mass: force, gravity-gradient moment, potential energy.

Positions are carried down the tree in the axes of each link, from the attracting mass on: with
polar coordinates the radius enters as it is, and no position in the world, whose digits an orbit
would use up, is ever made.

A deformable body is pulled as a rigid one of its present shape. The energy is linear in the moments
of mass, so that the force on an internal coordinate xi is

    Q = -dV/dxi = -V(0, dh/dxi, dS/dxi).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from eomc.derive.bodies.declared import declared_inertia
from eomc.derive.bodies.deformable import OnGraph, rigid_part
from eomc.derive.dynamics.kinematics import Pose
from eomc.derive.forces.loads import AllLoads, Scene, register
from eomc.derive.forces.point_mass_field import (
    Direction,
    point_pull,
    potential,
    pull,
    rod_pull,
    third_order,
)
from eomc.derive.geometry import Inertia, Rotation, Symmetric, Vector
from eomc.derive.graph import Expression, ForwardSweep
from eomc.derive.model.central_gravity import BODY, EXACT, CentralGravity
from eomc.derive.model.deformable import Deformable
from eomc.derive.model.errors import ModelError
from eomc.derive.tree.link import WORLD, Coordinate, Tree


@dataclass(frozen=True)
class Carried:
    """A body on its link: its frame's axes and origin there, its inertia about that origin in link
    axes; `slopes` are the derivatives of that inertia by the internal coordinates."""

    name: str
    link: int
    axes: Rotation
    origin: Vector
    inertia: Inertia
    slopes: tuple[tuple[Coordinate, Inertia], ...] = ()


@register("central gravity")
def central_gravity(scene: Scene, loads: AllLoads) -> None:
    """Add the attraction of every declared point mass."""
    for element in scene.model.central_gravities.values():
        if element.expansion == EXACT:
            _exact(scene, loads, element)
        elif element.about == BODY:
            _about_each_body(scene, loads, element)
        else:
            _about_one_body(scene, loads, element)


def bodies(scene: Scene) -> Iterator[Carried]:
    """Every body with mass that is not welded to the ground."""
    for name, declared in scene.model.bodies.items():
        link, axes, origin = scene.tree.pose_of[name]
        inertia = declared_inertia(declared, scene.scalars)
        slopes: tuple[tuple[Coordinate, Inertia], ...] = ()
        if name in scene.model.deformables:
            deformable = scene.model.deformables[name]
            inertia = inertia + _deformed(scene, deformable)
            slopes = tuple(
                (speed, slope.rotated(axes)) for speed, slope in _slopes(scene, deformable, inertia)
            )
        if link != WORLD and not inertia.is_zero:
            yield Carried(name, link, axes, origin, inertia.rotated(axes), slopes)


def _deformed(scene: Scene, body: Deformable) -> Inertia:
    """Mass, first and second moment of a form at its internal coordinates."""
    form = body.invariants
    mass = scene.scalar(form.mass)
    first = tuple(scene.scalar(entry) for entry in form.first)
    inertia = tuple(scene.scalar(entry) for entry in form.inertia)
    return rigid_part(OnGraph(mass, first, inertia))


def _slopes(
    scene: Scene, body: Deformable, inertia: Inertia
) -> Iterator[tuple[Coordinate, Inertia]]:
    """Derivative of the moments of mass by each internal coordinate; the mass has none."""
    graph, zero = scene.tree.graph, scene.tree.zero
    entries = [*inertia.first, *inertia.second.entries]
    sweep = ForwardSweep(graph, [entry.node for entry in entries])
    for name in body.coordinates:
        nodes = sweep({scene.variables[name].node: (zero + 1).node})
        first, second = nodes[:3], nodes[3:]
        yield (
            scene.tree.speed_of[name],
            Inertia(
                zero,
                Vector(*(Expression(graph, node) for node in first)),
                Symmetric(*(Expression(graph, node) for node in second)),
            ),
        )


def positions(scene: Scene, center: Vector) -> list[Vector]:
    """From `center` to the origin of every link, in link axes."""
    result: list[Vector] = []
    for link, at in zip(scene.tree.links, scene.pose, strict=True):
        above = -center if link.parent == WORLD else result[link.parent]
        result.append(at.rotation.to_child(above + at.origin).named(f"{link.name}.from_center"))
    return result


def _exact(scene: Scene, loads: AllLoads, element: CentralGravity) -> None:
    mu, center = scene.scalar(element.mu), scene.scalars.vector(element.center)
    origins, rods, share = positions(scene, center), dict(element.rods), loads.conservative
    for body in bodies(scene):
        mass = body.inertia.mass
        middle = body.origin + body.inertia.first * (1 / mass)
        at = origins[body.link] + middle
        if body.name in rods:
            half = body.axes.to_parent(scene.scalars.vector(rods[body.name]))
            force, moment, energy = rod_pull(mass, at, half)
        else:
            force, energy = point_pull(mass, at)
            moment = scene.tree.zero_vector()
        force, moment = force * mu, moment * mu
        share.add_wrench(body.link, force, moment + middle.cross(force))
        share.potential = share.potential + energy * mu


def _about_each_body(scene: Scene, loads: AllLoads, element: CentralGravity) -> None:
    mu, center = scene.scalar(element.mu), scene.scalars.vector(element.center)
    origins, share = positions(scene, center), loads.conservative
    for body in bodies(scene):
        at = Direction.of(origins[body.link] + body.origin)
        force, moment = pull(at, body.inertia, None)
        force = (force + third_order(at, body.inertia)) * mu
        share.add_wrench(body.link, force, moment * mu + body.origin.cross(force))
        share.potential = share.potential + potential(at, body.inertia) * mu
        for speed, slope in body.slopes:
            share.add_generalized(speed, -(potential(at, slope) * mu))


def _about_one_body(scene: Scene, loads: AllLoads, element: CentralGravity) -> None:
    mu, center = scene.scalar(element.mu), scene.scalars.vector(element.center)
    link, _, origin = scene.tree.pose_of[element.about]
    if link == WORLD:
        raise ModelError(
            f"central_gravity {element.name!r}: body {element.about!r} is fixed to the world; "
            "expand about a body that moves",
            element.source,
        )
    share = loads.conservative
    view = _View(scene, link, Direction.of(positions(scene, center)[link] + origin), origin)
    rest: dict[int, Vector] = {}
    for body in bodies(scene):
        at, offset = view.direction(body.link), view.offset(body.link) + body.origin
        force, moment = (part * mu for part in pull(at, body.inertia, offset))
        share.add_wrench(body.link, force, moment + body.origin.cross(force))
        moved = body.inertia.shifted(offset)
        share.potential = share.potential + potential(at, moved) * mu
        for speed, slope in body.slopes:
            share.add_generalized(speed, -(potential(at, slope.shifted(offset)) * mu))
        left = third_order(at, moved) * mu
        rest[body.link] = rest[body.link] + left if body.link in rest else left
    force = view.gathered(rest)
    share.add_wrench(link, force, origin.cross(force))


class _View:
    """The tree as seen from one point of one link: steps outwards from it, up and down."""

    def __init__(self, scene: Scene, link: int, at: Direction, origin: Vector) -> None:
        self.tree: Tree = scene.tree
        self.pose: list[Pose] = list(scene.pose)
        self.inverse = at.inverse
        self._steps: list[tuple[int, int]] = []
        self._unit: dict[int, Vector] = {link: at.d}
        self._offset: dict[int, Vector] = {link: -origin}
        self._walk(link)

    def _walk(self, start: int) -> None:
        neighbours: dict[int, list[int]] = {WORLD: []}
        for index, link in enumerate(self.tree.links):
            neighbours[index] = [link.parent]
            neighbours[link.parent].append(index)
        order = [start]
        for here in order:
            for there in neighbours[here]:
                if there not in self._unit:
                    self._unit[there], self._offset[there] = self._seen(here, there)
                    self._steps.append((here, there))
                    order.append(there)

    def _seen(self, here: int, there: int) -> tuple[Vector, Vector]:
        """Unit vector and origin of link `there`, in its own axes, from those of link `here`."""
        d, p = self._unit[here], self._offset[here]
        if self._is_child(here, there):
            at = self.pose[there]
            return at.rotation.to_child(d), at.rotation.to_child(p + at.origin)
        at = self.pose[here]
        return at.rotation.to_parent(d), at.rotation.to_parent(p) - at.origin

    def _is_child(self, here: int, there: int) -> bool:
        return there != WORLD and self.tree.links[there].parent == here

    def direction(self, link: int) -> Direction:
        """Of the point of expansion, in the axes of `link`."""
        return Direction(self._unit[link], self.inverse)

    def offset(self, link: int) -> Vector:
        """From the point of expansion to the origin of `link`, in its axes."""
        return self._offset[link]

    def gathered(self, vectors: Mapping[int, Vector]) -> Vector:
        """The sum of vectors, each in the axes of its link, in those of the first link."""
        total = dict(vectors)
        for here, there in reversed(self._steps):
            if there in total:
                moved = self._turned(total[there], here, there)
                total[here] = total[here] + moved if here in total else moved
        first = self._steps[0][0] if self._steps else next(iter(total), None)
        return total[first] if first in total else self.tree.zero_vector()

    def _turned(self, vector: Vector, here: int, there: int) -> Vector:
        """From the axes of `there` to those of `here`."""
        if self._is_child(here, there):
            return self.pose[there].rotation.to_parent(vector)
        return self.pose[here].rotation.to_child(vector)
