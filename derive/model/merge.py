"""Bodies joined by fixed and locked joints become one; what is left are joints that move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import sympy

from eomc.derive.bodies.mass_properties import Inertia, MassProperties, steiner
from eomc.derive.elements.carrier import Carrier
from eomc.derive.elements.element import Element
from eomc.derive.elements.frame import Frame
from eomc.derive.elements.kinds import element_words
from eomc.derive.joints.joint import Joint
from eomc.derive.joints.pose import pose
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, Vector3, is_zero, scalar
from eomc.derive.model.model import WORLD, Model
from eomc.derive.placement.placement import Placement
from eomc.derive.placement.rotation import add, rotate_inertia, scale
from eomc.derive.topology.tree import resolved_joint

__all__ = ["carry_elements", "merged"]

Kind = TypeVar("Kind", bound=Element)

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

    Raises `ModelError` for unconnected bodies.
    """
    # From the world outwards: a joint that closes a loop may have turned others round.
    outwards = {joint.name: joint for joint in model.tree()}
    joints = {name: resolved_joint(name, {**model.joints, **outwards}) for name in outwards}
    places: Places = {WORLD: (WORLD, Placement())}
    parts: dict[str, list[tuple[MassProperties, Placement]]] = {}
    kept: dict[str, Joint] = {}
    for joint in joints.values():
        survivor, above = places[joint.parent]
        if joint.is_fixed and joint.child not in model.deformables:
            moved = pose(joint, joint.locked or ())
            place = above @ joint.placement @ moved @ joint.child_placement.inverse()
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
    carry_elements(result, Carrier(places, joints))
    for name, (survivor, place) in places.items():
        if survivor != name:
            frame = Frame(name, survivor, place, source=model.bodies[name].source)
            result.frames[name] = frame
    return result


def carry_elements(model: Model, carrier: Carrier) -> None:
    """Put all elements of a model on the bodies of `carrier`; what acts on nothing there goes."""
    for word in element_words():
        table = model.table(word)
        carried = dict(_carried(table.values(), carrier))
        table.clear()
        table.update(carried)


def _carried(elements: Iterable[Kind], carrier: Carrier) -> Iterator[tuple[str, Any]]:
    for element in elements:
        try:
            carried = element.transformed(carrier)
        except ModelError as error:
            raise error.within(element.title, element.source) from None
        if carried is not None:
            yield element.name, carried


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


def merged_body(
    body: MassProperties, parts: list[tuple[MassProperties, Placement]]
) -> MassProperties:
    """One rigid body out of `parts`, each with its frame's placement in the frame of `body`."""
    moved = [_moved(part, place) for part, place in parts if not part.is_massless]
    if len(moved) <= 1:
        only = moved[0] if moved else MassProperties("", inertia_about=body.inertia_about)
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
            steiner(MassProperties("", part.mass, add(part.com, offset), part.inertia_com), 1)
            for part in moved
        ]
        return MassProperties(body.name, mass, com, _total_inertia(about_com), "com", body.source)
    total = _total_inertia([part.inertia_origin for part in moved])
    return MassProperties(body.name, mass, com, total, "origin", body.source)


def _moved(body: MassProperties, place: Placement) -> MassProperties:
    """`body` in the axes of the frame in which its own frame stands at `place`."""
    if place.is_identity:
        return body
    inertia = body.inertia_com
    x, y, z = (_simple(entry) for entry in place.point(body.com))
    turned = tuple(_simple(entry) for entry in rotate_inertia(place.matrix, inertia))
    return MassProperties(body.name, body.mass, (x, y, z), turned, "com", body.source)  # type: ignore[arg-type]


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
