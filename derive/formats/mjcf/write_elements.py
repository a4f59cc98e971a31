"""Elements that act on bodies, for MJCF: equalities, tendons, actuators and pairs of geoms.

An input becomes a motor: a generalized force, or a wrench at a site. What is not linear in the
inputs alone, with constant factors, has no element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.derive.constraints.points import Coincident
from eomc.derive.forces.applied import PointForce
from eomc.derive.formats.numeric_model import NumericJoint, NumericModel, homogeneous, inverse
from eomc.derive.formats.xml_writer import Element, child
from eomc.derive.language.naming import WORLD
from eomc.derive.picture.numbers import turned_to

if TYPE_CHECKING:
    from eomc.derive.formats.mjcf.write import MjcfTree

__all__ = ["write_elements"]

#: Points that stand for the axis of a hinge lie so far apart [m].
_APART = 0.1
#: Where an input acts: a joint, or a site with axes in those of its body or of the world.
_Target = tuple[str, str, tuple[float, ...]]


def write_elements(root: Element, tree: MjcfTree) -> None:
    """In sections that are left out if they are empty."""
    for tag, fill in (
        ("equality", _equalities),
        ("tendon", _tendons),
        ("actuator", _actuators),
        ("contact", _contacts),
    ):
        section = child(root, tag)
        fill(section, tree)
        if not len(section):
            root.remove(section)


def _equalities(section: Element, tree: MjcfTree) -> None:
    """Mimic rules, joints that close loops, points that are one."""
    numbers = tree.numbers
    for joint in numbers.tree:
        for freedom in joint.freedoms:
            if freedom.mimic is not None:
                leader, multiplier, offset = freedom.mimic
                law = [offset, multiplier, 0, 0, 0]
                child(section, "joint", joint1=freedom.name, joint2=leader, polycoef=law)
    for cut in numbers.cuts:
        _loop(section, tree, cut)
    for name, constraint in numbers.model.constraints.items():
        if not isinstance(constraint, Coincident):
            continue
        ends = [numbers.point(end) for end in (constraint.a, constraint.b)]
        if all(body in tree.bodies for body, _ in ends):
            sites = [
                tree.site(f"{name}_{word}", body, homogeneous(xyz))
                for word, (body, xyz) in zip("ab", ends, strict=True)
            ]
            child(section, "connect", name=name, site1=sites[0], site2=sites[1])
            numbers.take("constraint", name)


def _loop(section: Element, tree: MjcfTree, cut: NumericJoint) -> None:
    """A weld, a point, or two points on the axis of a hinge; the second holds one row too many."""
    ends = {cut.parent: cut.place, cut.child: inverse(cut.back)}
    along = np.zeros(3) if cut.axis is None else cut.axis
    points = {"fixed": (0.0,), "spherical": (0.0,), "revolute": (0.0, _APART)}.get(cut.kind, ())
    if not points or not tree.bodies.keys() >= ends.keys():
        tree.numbers.leave_out(f"loop joint {cut.name!r}", f"it is {cut.kind}")
        return
    for k, distance in enumerate(points, 1):
        name = cut.name if k == 1 else f"{cut.name}_{k}"
        there = homogeneous(distance * along)
        sites = [
            tree.site(f"{name}_{word}", body, place @ there)
            for word, (body, place) in zip("ab", ends.items(), strict=True)
        ]
        tag = "weld" if cut.kind == "fixed" else "connect"
        child(section, tag, name=name, site1=sites[0], site2=sites[1])


def _tendons(section: Element, tree: MjcfTree) -> None:
    """Springs along lines, and cables through points that pull by their strain alone."""
    from eomc.derive.cables.eyelet import Eyelet

    numbers = tree.numbers
    for name, spring in numbers.model.springs.items():
        given = [
            numbers.constant(x) for x in (spring.stiffness, spring.damping, spring.free_length)
        ]
        if spring.law is None and None not in given:
            k, d, length = (float(entry or 0) for entry in given)
            _tendon(section, tree, "spring", name, (spring.a, spring.b), (k, d), (length, length))
    for name, cable in numbers.model.cables.items():
        given = [numbers.constant(x) for x in (cable.modulus, cable.area, cable.length)]
        plain = cable.law is None and not any(
            numbers.constant(x) != 0 for x in (cable.viscosity, cable.width)
        )
        through = all(
            isinstance(station, Eyelet) and numbers.constant(station.friction) == 0
            for station in cable.route
        )
        if plain and through and None not in given:
            modulus, area, length = (float(entry or 0) for entry in given)
            points = tuple(station.at for station in cable.route)
            stiffness = modulus * area / length
            _tendon(section, tree, "cable", name, points, (stiffness, 0.0), (0.0, length))


def _tendon(
    section: Element,
    tree: MjcfTree,
    word: str,
    name: str,
    points: tuple[Any, ...],
    law: tuple[float, float],
    rest: tuple[float, float],
) -> None:
    ends = [tree.numbers.point(point) for point in points]
    if not all(body in tree.bodies for body, _ in ends):
        return
    stiffness, damping = law
    element = child(
        section, "spatial", name=name, stiffness=stiffness, damping=damping, springlength=rest
    )
    for k, (body, xyz) in enumerate(ends, 1):
        child(element, "site", site=tree.site(f"{name}_{k}", body, homogeneous(xyz)))
    tree.numbers.take(word, name)


def _actuators(section: Element, tree: MjcfTree) -> None:
    """One motor for each input and place at which it acts."""
    numbers = tree.numbers
    acting: dict[str, dict[_Target, Array]] = {name: {} for name in numbers.model.inputs}
    for word, name, terms in _linear(numbers):
        speeds = {freedom.name for joint in numbers.tree for freedom in joint.freedoms}
        if not all(where in tree.bodies or where in speeds for _, (_, where, _), _ in terms):
            continue
        for signal, target, gear in terms:
            moved = acting[signal]
            moved[target] = moved.get(target, np.zeros(6)) + gear
        numbers.take(word, name)
    for signal, targets in acting.items():
        for k, ((kind, where, at), gear) in enumerate(_joined(targets).items(), 1):
            name = signal if k == 1 else f"{signal}_{k}"
            if kind == "joint":
                child(section, "motor", name=name, joint=where, gear=gear[0])
                continue
            frame = (
                {"refsite": tree.site(f"{name}_axes", WORLD, np.eye(4))} if kind == "world" else {}
            )
            site = tree.site(f"{name}_site", where, homogeneous(at))
            child(section, "motor", name=name, site=site, gear=gear, **frame)
        if len(targets) > 1 and len(_joined(targets)) > 1:
            numbers.left_out.append(
                f"input {signal!r} becomes {len(_joined(targets))} motors, one for each place"
            )


def _joined(targets: dict[_Target, Array]) -> dict[_Target, Array]:
    """With torques in body axes put to a force on the same body, if there is one."""
    found = dict(targets)
    for target, gear in targets.items():
        kind, where, _ = target
        others = [
            t for t in found if t[:2] == (kind, where) and t is not target and found[t][:3].any()
        ]
        if kind != "joint" and not gear[:3].any() and others:
            found[others[0]] = found[others[0]] + found.pop(target)
    return found


def _linear(numbers: NumericModel) -> Any:
    """Word, name and terms (input, target, gear (6,)) of forces that are linear in the inputs."""
    model = numbers.model
    for name, force in model.generalized_forces.items():
        terms = _terms(numbers, force.expression)
        if terms is not None:
            axis = np.eye(6)[0]
            yield (
                "generalized_force",
                name,
                [(signal, ("joint", force.speed, ()), factor * axis) for signal, factor in terms],
            )
    for word, table in (("force", model.forces), ("torque", model.torques)):
        for name, element in table.items():
            terms = _terms(numbers, element.magnitude)
            entries = [numbers.constant(entry) for entry in element.direction]
            if terms is None or None in entries:
                continue
            body, xyz = (
                numbers.point(element.at)
                if isinstance(element, PointForce)
                else (element.body, np.zeros(3))
            )
            wrench = np.zeros(6)
            wrench[slice(0, 3) if word == "force" else slice(3, 6)] = entries
            target = (element.frame, body, tuple(xyz))
            yield word, name, [(signal, target, factor * wrench) for signal, factor in terms]


def _terms(numbers: NumericModel, expression: Any) -> list[tuple[str, float]] | None:
    """Inputs and constant factors of a sum, or None for any other expression."""
    signals = sympy.symbols(list(numbers.model.inputs))
    whole = sympy.expand(sympy.sympify(expression))
    factors = {signal: whole.coeff(signal) for signal in signals}
    rest = whole - sum(factor * signal for signal, factor in factors.items())
    used = {
        str(signal): numbers.constant(factor) for signal, factor in factors.items() if factor != 0
    }
    if sympy.expand(rest) != 0 or not used or None in used.values():
        return None
    return [(signal, float(factor or 0)) for signal, factor in used.items()]


def _contacts(section: Element, tree: MjcfTree) -> None:
    """Pairs of geoms for spheres and capsules on planes of the world: shape and friction, while the
    normal force is MuJoCo's."""
    from eomc.derive.contacts.shapes.round_shapes import Capsule, Sphere
    from eomc.derive.contacts.surfaces.plane import Plane

    numbers = tree.numbers
    for name, contact in numbers.model.contacts.items():
        shape, surface = contact.shape, contact.surface
        if not isinstance(shape, Sphere | Capsule) or not isinstance(surface, Plane):
            continue
        body, xyz = numbers.point(shape.at)
        ground, origin = numbers.point(surface.at)
        if ground != WORLD or body not in tree.bodies:
            continue
        size, quat = [numbers.value(shape.radius)], None
        if isinstance(shape, Capsule):
            size.append(numbers.value(shape.half_length))
            quat = turned_to(numbers.vector(shape.axis).tolist())
        plane = turned_to(numbers.vector(surface.normal).tolist())
        off = {"contype": 0, "conaffinity": 0, "mass": 0}
        first, second = f"{name}_shape", f"{name}_plane"
        child(
            tree.bodies[body],
            "geom",
            name=first,
            type=shape.word,
            size=size,
            pos=xyz,
            quat=quat,
            **off,
        )
        child(
            tree.bodies[WORLD],
            "geom",
            name=second,
            type="plane",
            size=[0, 0, 1],
            pos=origin,
            quat=plane,
            **off,
        )
        mu = getattr(contact.friction, "coefficient", None)
        friction = None if mu is None else [numbers.value(mu)] * 2 + [0.0, 0.0, 0.0]
        child(section, "pair", name=name, geom1=first, geom2=second, friction=friction)
        numbers.take("contact", name)
        numbers.left_out.append(f"contact {name!r}: the normal force is MuJoCo's, by its solref")
