"""Bodies joined by fixed and locked joints become one; what is left are joints that move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import sympy

from eomc.derive.model.body import Body, Inertia, steiner
from eomc.derive.model.constraint import Constraint
from eomc.derive.model.errors import ModelError
from eomc.derive.model.expression_grammar import speed_symbol
from eomc.derive.model.frame import Frame
from eomc.derive.model.joint import Joint
from eomc.derive.model.model import WORLD, Model
from eomc.derive.model.placement import Placement, Point
from eomc.derive.model.rotation import add, rotate, rotate_inertia, scale
from eomc.derive.model.scalar import Scalar, Vector3, is_zero, scalar
from eomc.derive.model.tree import resolved_joint

__all__ = ["merged"]

Element = TypeVar("Element")

#: Body name -> the body that it became part of, and its frame in that body's frame.
Places = dict[str, tuple[str, Placement]]


def merged(model: Model) -> Model:
    """An equal mechanism without fixed and locked joints.

    Of each cluster of immovable bodies the one nearest the world survives with its frame; mass,
    centre of mass and inertia of the others are added to it (what is welded to the world drops
    out), each merged body's name lives on as a frame, and points, forces and frames are carried
    over, as are joints that close loops and other constraints. Mimic rules end at a joint that
    moves by itself; a joint that mimics a locked one is locked. In expressions, locked coordinates
    take their values (their speeds 0) and mimicking ones their rule.

    >>> model = Model("hammer")
    >>> model.body("shaft", mass=1, com=(0, 0, 1))
    >>> model.joint("grip", "revolute", parent="world", child="shaft", axis=(0, 1, 0))
    >>> model.body("head", mass=3)
    >>> model.joint("wedge", "fixed", parent="shaft", child="head", placement=(0, 0, 2))
    >>> merged(model).bodies["shaft"].com
    (0, 0, 1.75)

    Raises `ModelError` for unconnected bodies and kinds that cannot be locked.
    """
    # From the world outwards: a joint that closes a loop may have turned others round.
    outwards = {joint.name: joint for joint in model.tree()}
    joints = {name: resolved_joint(name, {**model.joints, **outwards}) for name in outwards}
    places: Places = {WORLD: (WORLD, Placement())}
    parts: dict[str, list[tuple[Body, Placement]]] = {}
    kept: dict[str, Joint] = {}
    for joint in joints.values():
        survivor, above = places[joint.parent]
        if joint.is_fixed and joint.child not in model.deformables:
            place = above @ joint.placement @ _pose(joint) @ joint.child_placement.inverse()
            places[joint.child] = (survivor, place)
            parts.setdefault(survivor, []).append((model.bodies[joint.child], place))
        else:
            places[joint.child] = (joint.child, Placement())
            parts[joint.child] = [(model.bodies[joint.child], Placement())]
            kept[joint.name] = replace(joint, parent=survivor, placement=above @ joint.placement)
    result = model.copy()
    result.bodies = {
        name: merged_body(body, parts[name])
        for name, body in model.bodies.items()
        if places[name][0] == name
    }
    result.joints = kept  # in depth-first order, so that coordinates keep theirs
    for joint in model.cuts():
        if places[joint.parent][0] != places[joint.child][0]:  # else it holds nothing that moves
            result.joints[joint.name] = _carried_cut(joint, places)
    _carry_frames(model, result, places)
    _carry_forces(model, result, places, joints)
    _carry_constraints(model, result, places, _given_coordinates(joints))
    return result


def _carried_cut(joint: Joint, places: Places) -> Joint:
    """A joint that closes a loop between what its two bodies became part of."""
    (parent, above), (child, below) = places[joint.parent], places[joint.child]
    return replace(
        joint,
        cut=True,
        parent=parent,
        child=child,
        placement=above @ joint.placement,
        child_placement=below @ joint.child_placement,
    )


def _pose(joint: Joint) -> Placement:
    if joint.kind == "fixed":
        return Placement()
    pose = joint.declaration.pose
    if pose is None or joint.locked is None:
        raise ModelError(
            f"joint {joint.name!r}: kind {joint.kind!r} cannot be locked", joint.source
        )
    return pose(joint, joint.locked)


def merged_body(body: Body, parts: list[tuple[Body, Placement]]) -> Body:
    """One rigid body out of `parts`, each with its frame's placement in the frame of `body`."""
    moved = [_moved(part, place) for part, place in parts if not part.is_massless]
    if len(moved) <= 1:
        only = moved[0] if moved else Body("", inertia_about=body.inertia_about)
        return replace(only, name=body.name, source=body.source)
    mass: Scalar = _total([part.mass for part in moved])
    com: Vector3 = (0, 0, 0)
    for part in moved:
        com = add(com, part.first_moment)
    if not is_zero(mass):
        x, y, z = (0 if is_zero(entry) else _simple(entry / mass) for entry in com)
        com = (x, y, z)
    numeric = all(
        isinstance(entry, int | float)
        for part in moved
        for entry in (part.mass, *part.com, *part.inertia)
    )
    if numeric:
        # About the common centre of mass each part adds its own inertia and its offset: no
        # cancellation.
        offset = scale(-1, com)
        about_com = [
            steiner(Body("", part.mass, add(part.com, offset), part.inertia_com), 1)
            for part in moved
        ]
        return Body(body.name, mass, com, _total_inertia(about_com), "com", body.source)
    total = _total_inertia([part.inertia_origin for part in moved])
    return Body(body.name, mass, com, total, "origin", body.source)


def _moved(body: Body, place: Placement) -> Body:
    """`body` in the axes of the frame in which its own frame stands at `place`."""
    if place.is_identity:
        return body
    inertia = body.inertia_com
    x, y, z = (_simple(entry) for entry in place.point(body.com))
    turned = tuple(_simple(entry) for entry in rotate_inertia(place.matrix, inertia))
    return Body(body.name, body.mass, (x, y, z), turned, "com", body.source)  # type: ignore[arg-type]


def _simple(value: Any) -> Scalar:
    return scalar(value) if isinstance(value, sympy.Basic) else value


def _total(values: list[Scalar]) -> Scalar:
    total: Scalar = 0
    for value in values:
        if not is_zero(value):
            total = value if is_zero(total) else total + value
    return _simple(total)


def _total_inertia(inertias: list[Inertia]) -> Inertia:
    xx, yy, zz, xy, xz, yz = (_total(list(entries)) for entries in zip(*inertias, strict=True))
    return (xx, yy, zz, xy, xz, yz)


def _carry_frames(model: Model, result: Model, places: Places) -> None:
    frames: dict[str, Frame] = {}
    for frame in model.frames.values():
        if frame.body not in places:
            raise ModelError(f"frame {frame.name!r}: unknown body {frame.body!r}", frame.source)
        body, place = places[frame.body]
        frames[frame.name] = replace(frame, body=body, placement=place @ frame.placement)
    for name, (body, place) in places.items():
        if body != name:
            frames[name] = Frame(name, body, place, model.bodies[name].source)
    result.frames = frames


@dataclass(frozen=True)
class _Carrier:
    """Puts places, directions and values in terms of the bodies and coordinates that are left."""

    places: Places
    values: dict[sympy.Symbol, sympy.Expr]

    def at(self, point: Point) -> Point:
        """The same point of a body that is left."""
        if point.body not in self.places:
            raise ModelError(f"unknown body {point.body!r}")
        body, place = self.places[point.body]
        return Point(body, place.point(point.xyz)) if body != point.body else point

    def within(self, value: Any) -> Any:
        """A value, or a tuple of them, without coordinates that are given."""
        if isinstance(value, tuple):
            return tuple(self.within(entry) for entry in value)
        if not self.values or not isinstance(value, sympy.Basic):
            return value
        return scalar(value.xreplace(self.values))

    def turned(self, direction: Vector3, frame: str, body: str) -> Vector3:
        """A direction in world or body axes."""
        if frame == "body" and body in self.places:
            direction = rotate(self.places[body][1].matrix, direction)
        x, y, z = (self.within(entry) for entry in direction)
        return (x, y, z)


def _carry_forces(model: Model, result: Model, places: Places, joints: dict[str, Joint]) -> None:
    carrier = _Carrier(places, _given_coordinates(joints))
    at, within, turned = carrier.at, carrier.within, carrier.turned
    result.springs = {
        name: replace(spring, a=at(spring.a), b=at(spring.b), law=within(spring.law))
        for name, spring in model.springs.items()
    }
    result.forces = {
        name: replace(
            force,
            at=at(force.at),
            direction=turned(force.direction, force.frame, force.at.body),
            magnitude=within(force.magnitude),
        )
        for name, force in model.forces.items()
    }
    result.torques = {
        name: replace(
            torque,
            body=at(Point(torque.body)).body,
            direction=turned(torque.direction, torque.frame, torque.body),
            magnitude=within(torque.magnitude),
        )
        for name, torque in model.torques.items()
    }
    result.potentials = {
        name: replace(potential, expression=within(potential.expression))
        for name, potential in model.potentials.items()
    }
    result.central_gravities = {
        name: replace(element, about=at(Point(element.about)).body)
        if element.about in places
        else element
        for name, element in model.central_gravities.items()
    }
    _carry_joint_forces(model, result, carrier, joints)


def _carry_joint_forces(
    model: Model, result: Model, carrier: _Carrier, joints: dict[str, Joint]
) -> None:
    """Forces on coordinates that do not move drop out, those on mimicking ones go to the leader."""
    frozen = {
        name
        for joint in joints.values()
        if joint.is_fixed
        for name in (joint.name, *joint.coordinates, *joint.speeds)
    }
    result.joint_springs = {
        name: replace(spring, law=carrier.within(spring.law))
        for name, spring in model.joint_springs.items()
        if spring.joint not in frozen
    }
    result.generalized_forces = {}
    for name, force in model.generalized_forces.items():
        if force.speed in frozen:
            continue
        rule = joints[force.speed].mimic if force.speed in joints else None
        factor = carrier.within(force.expression)
        if rule is not None:
            # Power is force times rate, and the rate of a mimicking joint is multiplier times its
            # leader's.
            factor, force = scalar(rule.multiplier * factor), replace(force, speed=rule.joint)
        result.generalized_forces[name] = replace(force, expression=factor)


def _carry_constraints(
    model: Model, result: Model, places: Places, values: dict[sympy.Symbol, sympy.Expr]
) -> None:
    """Points and directions go to the bodies that are left; coordinates that are given, out."""
    result.constraints = {}
    for name, element in model.constraints.items():
        changes: dict[str, Any] = {}
        for side, axis in (("a", "axis_a"), ("b", "axis_b")):
            point, direction = getattr(element, side), getattr(element, axis)
            if point is None:
                continue
            if point.body not in places:
                raise ModelError(
                    f"constraint {name!r}: unknown body {point.body!r}", element.source
                )
            body, place = places[point.body]
            changes[side] = Point(body, place.point(point.xyz))
            if direction is not None:
                changes[axis] = rotate(place.matrix, direction)
        carried = replace(element, **changes)
        if carried.first is not None and values:
            carried = _as_expression(carried)
        if isinstance(carried.expression, sympy.Basic):
            carried = replace(carried, expression=scalar(carried.expression.xreplace(values)))
        result.constraints[name] = carried


def _as_expression(element: Constraint) -> Constraint:
    """A coupling or a driver written out: first - ratio second - offset, first - f."""
    residual = sympy.Symbol(str(element.first)) - sympy.sympify(element.expression or 0)
    if element.second is not None:
        residual -= element.ratio * sympy.Symbol(element.second) + (element.offset or 0)
    return Constraint(element.name, "expression", expression=residual, source=element.source)


def _given_coordinates(joints: dict[str, Joint]) -> dict[sympy.Symbol, sympy.Expr]:
    """What stands for the coordinates and speeds of locked and mimicking joints in expressions."""
    values: dict[sympy.Symbol, sympy.Expr] = {}
    for joint in joints.values():
        if joint.locked is not None:
            values.update(
                {sympy.Symbol(name): sympy.sympify(value)
                 for name, value in zip(joint.coordinates, joint.locked, strict=True)}
            )  # fmt: skip
            values.update({speed_symbol(name): sympy.Integer(0) for name in joint.speeds})
        elif joint.mimic is not None:
            leader, (name,) = joint.mimic.joint, joint.coordinates
            multiplier = sympy.sympify(joint.mimic.multiplier)
            values[sympy.Symbol(name)] = multiplier * sympy.Symbol(leader) + joint.mimic.offset
            values[speed_symbol(name)] = multiplier * speed_symbol(leader)
    return values
