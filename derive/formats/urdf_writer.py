"""A model as the text of a URDF file.

A joint of several turns and slides becomes a chain of joints with massless links between. Joints
that close loops are elements <loop_joint> as of Isaac Sim, with an axis besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.formats.format import Written
from eomc.derive.formats.numeric_model import Freedom, NumericJoint, NumericModel, inverse, split
from eomc.derive.formats.numeric_pose import rpy_of
from eomc.derive.formats.urdf_parts import LOOP_TYPES
from eomc.derive.formats.xml_writer import Element, child, xml_text
from eomc.derive.language.naming import WORLD
from eomc.derive.model.model import Model

__all__ = ["urdf_text"]

_TYPES = {"turn": "revolute", "slide": "prismatic", "free": "floating"}
_SHAPES = {
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "capsule": ("radius", "length"),
    "mesh": ("file", "scale"),
}
#: Where a number is demanded and there is no limit.
_UNBOUNDED = 1e9
_EARTH = np.array([0.0, 0.0, -9.81])


def urdf_text(model: Model) -> Written:
    """The document, and what it does not say. Raises `ModelError` for joints that URDF lacks."""
    numbers = NumericModel(model, "URDF")
    numbers.refuse(tuple(_TYPES))
    robot = Element("robot", name=model.name)
    child(robot, "link", name=WORLD)
    friction: dict[str, float] = {}
    for body in numbers.bodies.values():
        link = child(robot, "link", name=body.name)
        if not body.is_massless:
            inertial = child(link, "inertial")
            child(inertial, "origin", xyz=body.com)
            child(inertial, "mass", value=body.mass)
            (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
            child(inertial, "inertia", ixx=xx, iyy=yy, izz=zz, ixy=xy, ixz=xz, iyz=yz)
        _visuals(link, numbers, body.name)
        for collision, shape, place in numbers.collisions(body.name, _SHAPES):
            _shape(link, "collision", collision.shape["kind"], shape, place)
            if collision.friction is not None:
                friction[body.name] = collision.friction
    for name, mu in friction.items():  # as Gazebo reads it
        child(child(robot, "gazebo", reference=name), "mu1", value=mu)
    for joint in numbers.tree:
        _joint(robot, joint, numbers)
    for cut in numbers.cuts:
        _loop(robot, cut, numbers)
    for name, frame in model.frames.items():
        carrier, place = numbers.frame(frame)
        child(robot, "link", name=name)
        _fixed(robot, f"{name}_frame", carrier, name, place)
        numbers.take("frame", name)
    if not np.array_equal(numbers.gravity, _EARTH):
        numbers.leave_out(f"gravity {tuple(map(float, numbers.gravity))}", "URDF has none")
    return Written(xml_text(robot), numbers.unsaid())


def _joint(robot: Element, joint: NumericJoint, numbers: NumericModel) -> None:
    """One joint a freedom, and a fixed one where the link's frame is not the joint's."""
    if not joint.freedoms:
        _fixed(robot, joint.name, joint.parent, joint.child, joint.place @ joint.back)
        return
    for part in split(joint):
        (freedom,) = part.freedoms
        direct = np.array_equal(part.back, np.eye(4))
        link = part.child if direct else f"{part.child}_{part.name}"
        if link not in numbers.bodies:
            child(robot, "link", name=link)
        element = _moving(robot, freedom, part.parent, link, part.place)
        if freedom.armature:
            numbers.lacks("rotor_inertia", joint.name, "URDF has none")
        if freedom.motion == "free" and any(freedom.damping + freedom.friction):
            numbers.lacks("damping", joint.name, "it has more than one speed")
        elif any(freedom.damping + freedom.friction):
            child(element, "dynamics", damping=freedom.damping, friction=freedom.friction)
        if not direct:
            _fixed(robot, f"{joint.name}_back", link, part.child, part.back)


def _moving(robot: Element, freedom: Freedom, parent: str, link: str, place: Array) -> Element:
    bounded = np.isfinite([freedom.lower, freedom.upper]).any()
    kind = _TYPES[freedom.motion]
    kind = "continuous" if kind == "revolute" and not bounded else kind
    element = _between(robot, "joint", freedom.name, kind, parent, link, place)
    if kind == "floating":
        return element
    child(element, "axis", xyz=freedom.axis)
    # The specification demands speed and effort in <limit>, and all four numbers of a slide.
    limits = {"velocity": freedom.speed, "effort": freedom.effort}
    if kind != "continuous":
        limits = {"lower": freedom.lower, "upper": freedom.upper} | limits
    if kind != "continuous" or np.isfinite([*limits.values()]).any():
        given = {word: np.clip(value, -_UNBOUNDED, _UNBOUNDED) for word, value in limits.items()}
        child(element, "limit", **given)
    if freedom.mimic is not None:
        leader, multiplier, offset = freedom.mimic
        child(element, "mimic", joint=leader, multiplier=multiplier, offset=offset)
    return element


def _fixed(robot: Element, name: str, parent: str, link: str, place: Array) -> None:
    _between(robot, "joint", name, "fixed", parent, link, place)


def _between(
    robot: Element, tag: str, name: str, kind: str, parent: str, link: str, place: Array
) -> Element:
    element = child(robot, tag, name=name, type=kind)
    child(element, "parent", link=parent)
    child(element, "child", link=link)
    child(element, "origin", xyz=place[:3, 3], rpy=rpy_of(place[:3, :3]))
    return element


def _loop(robot: Element, cut: NumericJoint, numbers: NumericModel) -> None:
    if cut.kind not in LOOP_TYPES:
        numbers.leave_out(f"loop joint {cut.name!r}", f"it is {cut.kind}")
        return
    numbers.left_out.append(f"joint {cut.name!r} becomes <loop_joint>, which few programs read")
    element = child(robot, "loop_joint", name=cut.name, type=cut.kind)
    for tag, link, place in (
        ("link1", cut.parent, cut.place),
        ("link2", cut.child, inverse(cut.back)),
    ):
        child(element, tag, link=link, xyz=place[:3, 3], rpy=rpy_of(place[:3, :3]))
    if cut.axis is not None:
        child(element, "axis", xyz=cut.axis)


def _visuals(link: Element, numbers: NumericModel, body: str) -> None:
    for name, visual in numbers.model.visuals.items():
        shape = visual.shape.numbers(numbers.values)
        if visual.body != body or visual.shape.word not in _SHAPES:
            continue
        numbers.take("visual", name)
        place = numbers.pose(visual.placement)
        element = _shape(link, "visual", visual.shape.word, shape, place)
        if visual.color:
            child(
                child(element, "material", name=f"{name}_color"), "color", rgba=numbers.rgba(visual)
            )


def _shape(link: Element, tag: str, kind: str, shape: Mapping[str, Any], place: Array) -> Element:
    """An element <visual> or <collision> at the pose `place` (4, 4) in its link."""
    element = child(link, tag)
    child(element, "origin", xyz=place[:3, 3], rpy=rpy_of(place[:3, :3]))
    sizes = {word: shape[word] for word in _SHAPES[kind]}
    if "file" in sizes:
        sizes = {"filename": sizes["file"], "scale": sizes["scale"]}
    child(child(element, "geometry"), kind, **sizes)
    return element
