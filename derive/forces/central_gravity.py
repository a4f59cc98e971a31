"""Attraction of all bodies by a point mass: force, gravity-gradient moment, potential energy.

Positions are carried down the tree in the axes of each link, from the attracting mass on: with
polar coordinates the radius enters as it is, and no position in the world, whose digits an orbit
would use up, is ever made.

A deformable body is pulled as a rigid one of its present shape. The energy is linear in the moments
of mass, so that the force on an internal coordinate xi is

    Q = -dV/dxi = -V(0, dh/dxi, dS/dxi).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.derive.bodies.declared_deformable import Deformable
from eomc.derive.bodies.deformable import FormOnGraph, rigid_part
from eomc.derive.bodies.mass_properties import MassProperties
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.fields import field as fields
from eomc.derive.fields.field import FieldKind, Given, Number, Position
from eomc.derive.forces.point_mass_field import (
    Direction,
    point_pull,
    potential,
    pull,
    rod_pull,
    third_order,
)
from eomc.derive.geometry import Inertia, LinkPose, Rotation, SpatialForce, Symmetric, Vector
from eomc.derive.graph import Expression, ForwardSweep
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Vector3, vector3
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import AllLoads, Scene
from eomc.derive.tree.draft import declared_inertia
from eomc.derive.tree.link import WORLD, LinkCoordinate, LinkTree

EXACT, SECOND_ORDER = "exact", "second_order"
BODY = "body"
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Carried:
    """A body on its link: its frame's axes and origin there, its inertia about that origin in link
    axes; `slopes` are the derivatives of that inertia by the internal coordinates."""

    name: str
    link: int
    axes: Rotation
    origin: Vector
    inertia: Inertia
    slopes: tuple[tuple[LinkCoordinate, Inertia], ...] = ()


@dataclass(frozen=True)
class _Rods(FieldKind):
    """Names of bodies with vectors from the middle to one end, as a mapping or pairs."""

    def schema(self) -> dict[str, Any]:
        """A vector for each body."""
        return {"type": ["object", "array"]}

    def read(self, value: Any, word: str) -> tuple[tuple[str, Vector3], ...]:
        """Pairs of names and half lengths."""
        pairs = list(value.items()) if isinstance(value, Mapping) else value or ()
        shapes = []
        for pair in pairs if isinstance(pairs, Iterable) else (pairs,):
            if not (isinstance(pair, Sequence) and len(pair) == 2 and isinstance(pair[0], str)):
                raise ModelError(
                    "rods: give names of bodies with the half length (x, y, z) of each"
                )
            shapes.append((pair[0], vector3(pair[1], f"rods: {pair[0]}")))
        return tuple(shapes)


@kind("central_gravity", plural="central gravities")
class CentralGravity(ForceElement):
    """The attraction of all bodies by a mass at `center` (world axes) with mu = G M [m^3/s^2].

    It adds to the uniform `gravity` of the model, which is best (0, 0, 0) then.

    expansion : "second_order" takes each body's mass, first and second moments of mass (the force
        and the gravity-gradient torque; terms beyond the square of size over distance dropped),
        "exact" drops nothing and takes bodies of known shape: points, and the uniform slender
        `rods`, given by the vector from the middle to one end, body axes [m].
    about : where the second-order expansion is made: "body" for the origin of each body's own
        frame, or the name of one body for the origin of its frame.
    """

    weighs = True

    mu: Number = fields.number("m^3/s^2")
    center: Position = fields.position("m", "where the mass is", default=(0, 0, 0))
    expansion: str = fields.choice(EXACT, SECOND_ORDER, default=SECOND_ORDER)
    about: str = fields.body("about which it expands", words=(BODY,), default=BODY)
    rods: Given[Any, tuple[tuple[str, Vector3], ...]] = fields.of_kind(_Rods(), default=())

    def check(self) -> None:
        """Only what is expanded has a point of expansion, only exact shapes are told."""
        if self.expansion == EXACT and self.about != BODY:
            raise ModelError(f"about is {self.about!r}, but nothing is expanded; leave it out")
        if self.rods and self.expansion != EXACT:
            raise ModelError(f"rods matter only where expansion is {EXACT!r}; leave them out")

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """It names bodies, and takes none for what it is not."""
        named = [name for name, _ in self.rods]
        for name in named:
            if name not in model.bodies:
                raise ModelError(f"unknown body {name!r}; {near_names(name, model.bodies)}")
        if len(set(named)) != len(named):
            raise ModelError("rods: a body is named twice; give each one half length")
        if value_of(self.mu, values) < 0:
            raise ModelError("mu is negative; give G M in m^3/s^2, at least 0")
        if self.expansion == EXACT:
            for name in model.deformables:
                raise ModelError(f"body {name!r} deforms; take expansion {SECOND_ORDER!r}")
            rods = dict(self.rods)
            for mass in model.bodies.values():
                _check_shape(mass, rods.get(mass.name), values)

    def distance(self, values: Mapping[str, float]) -> float:
        """Of circles that take a radian a second: so far that motions of that pace are orbits, and
        so near that the size of what orbits still counts."""
        return float(f"{value_of(self.mu, values) ** (1 / 3):.6g}")

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """Pull every body."""
        if self.expansion == EXACT:
            _exact(scene, loads, self)
        elif self.about == BODY:
            _about_each_body(scene, loads, self)
        else:
            _about_one_body(scene, loads, self)


def _check_shape(body: MassProperties, rod: Vector3 | None, values: Mapping[str, float]) -> None:
    """A point has no inertia about its centre of mass; a rod of half length a has
    m (a.a 1 - a a^T)/3."""
    mass = value_of(body.mass, values)
    half = np.array([value_of(entry, values) for entry in rod or (0, 0, 0)])
    xx, yy, zz, xy, xz, yz = (value_of(entry, values) for entry in body.inertia_com)
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    shape = mass * (half @ half * np.eye(3) - np.outer(half, half)) / 3
    if np.abs(inertia - shape).max() <= _ROUNDING * np.abs(shape).max(initial=mass * 1e-3):
        return
    if rod is not None:
        raise ModelError(
            f"rods: the inertia of body {body.name!r} is not that of a uniform slender rod of half "
            f"length {tuple(half.tolist())} m; give its mass, centre and inertia so"
        )
    raise ModelError(
        f"body {body.name!r} is extended and its shape is not known; name it among rods, compose "
        f"it of point masses by fixed joints, or take expansion {SECOND_ORDER!r}"
    )


def bodies(scene: Scene) -> Iterator[Carried]:
    """Every body with mass that is not welded to the ground."""
    for name, declared in scene.bodies.items():
        link, axes, origin = scene.tree.pose_of[name]
        inertia = declared_inertia(declared, scene.scalars)
        slopes: tuple[tuple[LinkCoordinate, Inertia], ...] = ()
        if name in scene.deformables:
            deformable = scene.deformables[name]
            inertia = inertia + _deformed(scene, deformable)
            slopes = tuple(
                (speed, slope.rotated(axes)) for speed, slope in _slopes(scene, deformable, inertia)
            )
        if link != WORLD and not inertia.is_zero:
            yield Carried(name, link, axes, origin, inertia.rotated(axes), slopes)


def _deformed(scene: Scene, body: Deformable) -> Inertia:
    """Mass, first and second moment of a form at its internal coordinates."""
    if not body.is_expanded:
        xi = [scene.variables[name] for name in body.coordinates]
        return body.on_graph(scene.scalars).body(Inertia.zero(scene.tree.zero), xi).inertia
    form = body.invariants
    mass = scene.scalar(form.mass)
    first = tuple(scene.scalar(entry) for entry in form.first)
    inertia = tuple(scene.scalar(entry) for entry in form.inertia)
    return rigid_part(FormOnGraph(mass, first, inertia))


def _slopes(
    scene: Scene, body: Deformable, inertia: Inertia
) -> Iterator[tuple[LinkCoordinate, Inertia]]:
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
        _check_apart(at, body.name, element)
        if body.name in rods:
            half = body.axes.to_parent(scene.scalars.vector(rods[body.name]))
            force, moment, energy = rod_pull(mass, at, half)
        else:
            force, energy = point_pull(mass, at)
            moment = scene.tree.zero_vector()
        force, moment = force * mu, moment * mu
        about = moment + middle.cross(force)
        share.add_wrench(body.link, SpatialForce(linear=force, angular=about))
        share.potential = share.potential + energy * mu


def _about_each_body(scene: Scene, loads: AllLoads, element: CentralGravity) -> None:
    mu, center = scene.scalar(element.mu), scene.scalars.vector(element.center)
    origins, share = positions(scene, center), loads.conservative
    for body in bodies(scene):
        place = origins[body.link] + body.origin
        _check_apart(place, body.name, element)
        at = Direction.of(place)
        force, moment = pull(at, body.inertia, None)
        force = (force + third_order(at, body.inertia)) * mu
        about = moment * mu + body.origin.cross(force)
        share.add_wrench(body.link, SpatialForce(linear=force, angular=about))
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
    place = positions(scene, center)[link] + origin
    _check_apart(place, element.about, element)
    view = _View(scene, link, Direction.of(place), origin)
    rest: dict[int, Vector] = {}
    for body in bodies(scene):
        at, offset = view.direction(body.link), view.offset(body.link) + body.origin
        force, moment = (part * mu for part in pull(at, body.inertia, offset))
        about = moment + body.origin.cross(force)
        share.add_wrench(body.link, SpatialForce(linear=force, angular=about))
        moved = body.inertia.shifted(offset)
        share.potential = share.potential + potential(at, moved) * mu
        for speed, slope in body.slopes:
            share.add_generalized(speed, -(potential(at, slope.shifted(offset)) * mu))
        left = third_order(at, moved) * mu
        rest[body.link] = rest[body.link] + left if body.link in rest else left
    force = view.gathered(rest)
    share.add_wrench(link, SpatialForce(linear=force, angular=origin.cross(force)))


def _check_apart(place: Vector, body: str, element: CentralGravity) -> None:
    """Raise `ModelError` for a body whose point of expansion never leaves the attracting mass."""
    if all(entry.is_zero for entry in place):
        raise ModelError(
            f"{element.title}: body {body!r} stays at the centre of attraction; place it elsewhere",
            element.source,
        )


class _View:
    """The tree as seen from one point of one link: steps outwards from it, up and down."""

    def __init__(self, scene: Scene, link: int, at: Direction, origin: Vector) -> None:
        self.tree: LinkTree = scene.tree
        self.pose: list[LinkPose] = list(scene.pose)
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
