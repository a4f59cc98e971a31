"""A model as the text of an SDF file: a world with its gravity, and one model in it.

Links are drawn at zero coordinates: each in the frame of the joint that moves it, and that one in
its parent link.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.formats.format import Written
from eomc.derive.formats.numeric_model import Freedom, NumericJoint, NumericModel, inverse, split
from eomc.derive.formats.sdf.poses import MODEL
from eomc.derive.formats.xml_writer import Element, child, pose_text, xml_text
from eomc.derive.language.naming import WORLD
from eomc.derive.model.model import Model

__all__ = ["sdf_text"]

_TYPES = {"turn": "revolute", "slide": "prismatic", "screw": "screw", "ball": "ball"}
_SHAPES = {
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "capsule": ("radius", "length"),
    "ellipsoid": ("radii",),
    "mesh": ("file", "scale"),
}
_CLOSED = 1e-9


def sdf_text(model: Model) -> Written:
    """The document, and what it does not say. Raises `ModelError` for joints that SDF lacks."""
    numbers = NumericModel(model, "SDF")
    numbers.refuse((*_TYPES, "free"))
    root = Element("sdf", version="1.11")
    world = child(root, "world", name="surroundings")
    child(world, "gravity", numbers.gravity)
    holder = child(world, "model", name=model.name)
    names = _rename(numbers)
    springs = {names.get(name, name): given for name, given in numbers.joint_springs().items()}
    drawn: dict[str, Array] = {WORLD: np.eye(4)}
    welded = {WORLD}
    for joint in numbers.tree:
        for part in [joint] if _is_universal(joint) else split(joint):
            drawn[part.child] = drawn[part.parent] @ part.place @ part.back
            if _is_frame(part, numbers):
                _frame(holder, part.child, part.parent, part.place @ part.back)
                welded |= {part.child} if part.parent in welded else set()
                continue
            _link(holder, part, numbers)
            _joint(holder, part, numbers, springs, welded)
    for cut in numbers.cuts:
        ends = [drawn[cut.parent] @ cut.place, drawn[cut.child] @ inverse(cut.back)]
        known = len(cut.freedoms) < 2 and {f.motion for f in cut.freedoms} <= set(_TYPES)
        if not known or np.abs(ends[0] - ends[1]).max() > _CLOSED:
            why = "its ends are apart at zero" if known else f"it is {cut.kind}"
            numbers.leave_out(f"loop joint {cut.name!r}", why)
        else:
            _joint(holder, cut, numbers, {}, welded)
    for name, frame in model.frames.items():
        body, place = numbers.frame(frame)
        _frame(holder, name, body, place)
        numbers.take("frame", name)
    return Written(xml_text(root), numbers.unsaid())


def _rename(numbers: NumericModel) -> dict[str, str]:
    """New names of joints by the old: in a model of SDF no joint is called as a link or a frame."""
    taken = {*numbers.bodies, *numbers.model.frames}
    new: dict[str, str] = {}
    for name in [
        *(p.name for j in numbers.tree for p in split(j)),
        *(c.name for c in numbers.cuts),
    ]:
        new[name] = name
        while new[name] in taken:
            new[name] += "_joint"
        taken.add(new[name])
        if new[name] != name:
            numbers.left_out.append(
                f"joint {name!r} is called {new[name]!r}: SDF has each name once"
            )

    def renamed(joint: NumericJoint) -> NumericJoint:
        freedoms = tuple(
            replace(
                f,
                name=new.get(f.name, f.name),
                mimic=f.mimic and (new.get(f.mimic[0], f.mimic[0]), *f.mimic[1:]),
            )
            for f in joint.freedoms
        )
        return replace(joint, name=new.get(joint.name, joint.name), freedoms=freedoms)

    numbers.tree = [renamed(joint) for joint in numbers.tree]
    numbers.cuts = [renamed(joint) for joint in numbers.cuts]
    return new


def _is_universal(joint: NumericJoint) -> bool:
    """Two turns about crossing axes."""
    turns = [freedom.motion for freedom in joint.freedoms] == ["turn", "turn"]
    return turns and np.array_equal(joint.freedoms[0].anchor, joint.freedoms[1].anchor)


def _is_frame(joint: NumericJoint, numbers: NumericModel) -> bool:
    """A massless body that is fixed to another and carries no shape."""
    body = numbers.bodies.get(joint.child)
    shown = any(visual.body == joint.child for visual in numbers.model.visuals.values())
    shown |= any(collision.link == joint.child for collision in numbers.model.collisions)
    return not joint.freedoms and body is not None and body.is_massless and not shown


def _frame(holder: Element, name: str, body: str, place: Array) -> None:
    element = child(holder, "frame", name=name, attached_to=_of(body))
    child(element, "pose", pose_text(place))


def _of(body: str) -> str:
    return MODEL if body == WORLD else body


def _link(holder: Element, joint: NumericJoint, numbers: NumericModel) -> None:
    link = child(holder, "link", name=joint.child)
    if [freedom.motion for freedom in joint.freedoms] == ["free"]:
        child(link, "pose", pose_text(joint.place @ joint.back))
    else:
        child(link, "pose", pose_text(joint.back), relative_to=joint.name)
    inertial = child(link, "inertial")
    body = numbers.bodies.get(joint.child)
    if body is None or body.is_massless:
        numbers.left_out.append(f"link {joint.child!r} has no mass, which Gazebo refuses")
    if body is not None:
        child(inertial, "pose", [*body.com, 0, 0, 0])
    child(inertial, "mass", 0 if body is None else body.mass)
    moments = child(inertial, "inertia")
    inertia = np.zeros((3, 3)) if body is None else body.inertia
    for word in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"):
        child(moments, word, inertia["xyz".index(word[1]), "xyz".index(word[2])])
    _visuals(link, numbers, joint.child)


def _joint(
    holder: Element,
    joint: NumericJoint,
    numbers: NumericModel,
    springs: dict[str, Any],
    welded: set[str],
) -> None:
    """Nothing for a body that floats, which is what SDF does with a body that no joint holds.

    Frames that are `welded` to the world move with the first link in SDF: joints on them are joints
    on the world.
    """
    motions = [freedom.motion for freedom in joint.freedoms]
    if motions == ["free"]:
        apart = not np.array_equal(joint.back, np.eye(4)) or joint.parent != WORLD
        if apart or any(joint.freedoms[0].damping + joint.freedoms[0].friction):
            what = f"the frames, parent and damping of joint {joint.name!r}"
            numbers.leave_out(what, "a body of SDF floats in the world by its own frame")
        return
    kind = "fixed" if not motions else "universal" if len(motions) == 2 else _TYPES[motions[0]]
    if kind == "revolute" and not _bounds(joint.freedoms[0]):
        kind = "continuous"
    element = child(holder, "joint", name=joint.name, type=kind)
    child(element, "pose", pose_text(joint.place), relative_to=_of(joint.parent))
    child(element, "parent", WORLD if joint.parent in welded else joint.parent)
    child(element, "child", joint.child)
    if kind == "screw":
        child(element, "screw_thread_pitch", 2 * math.pi * joint.freedoms[0].pitch)
    if kind == "ball" and any(joint.freedoms[0].damping + joint.freedoms[0].friction):
        numbers.lacks("damping", joint.name, "a ball of SDF has none")
    for tag, freedom in zip(
        ("axis", "axis2"), joint.freedoms if kind != "ball" else (), strict=False
    ):
        if freedom.armature:
            numbers.lacks("rotor_inertia", joint.name, "SDF has none")
        _axis(child(element, tag), freedom, springs.get(freedom.name, (0.0, 0.0, 0.0)))


def _bounds(freedom: Freedom) -> dict[str, float]:
    limits = {"lower": freedom.lower, "upper": freedom.upper}
    return {word: value for word, value in limits.items() if math.isfinite(value)}


def _axis(axis: Element, freedom: Freedom, spring: tuple[float, float, float]) -> None:
    child(axis, "xyz", freedom.axis)
    limits = _bounds(freedom) | {"effort": freedom.effort, "velocity": freedom.speed}
    given = {word: value for word, value in limits.items() if math.isfinite(value)}
    if given:
        element = child(axis, "limit")
        for word, value in given.items():
            child(element, word, value)
    stiffness, damping, rest = spring
    losses = {
        "damping": sum(freedom.damping) + damping,
        "friction": sum(freedom.friction),
        "spring_reference": rest if stiffness else 0.0,
        "spring_stiffness": stiffness,
    }
    if any(losses.values()):
        element = child(axis, "dynamics")
        for word, value in losses.items():
            child(element, word, value)
    if freedom.mimic is not None:
        leader, multiplier, offset = freedom.mimic
        element = child(axis, "mimic", joint=leader)
        for word, value in {"multiplier": multiplier, "offset": offset, "reference": 0}.items():
            child(element, word, value)


def _visuals(link: Element, numbers: NumericModel, body: str) -> None:
    for name, visual in numbers.model.visuals.items():
        if visual.body != body or visual.shape.word not in _SHAPES:
            continue
        numbers.take("visual", name)
        shape = {"kind": visual.shape.word} | visual.shape.numbers(numbers.values)
        element = _shape(link, "visual", name, shape, numbers.pose(visual.placement))
        child(child(element, "material"), "diffuse", numbers.rgba(visual))
    for collision, shape, place in numbers.collisions(body, _SHAPES):
        element = _shape(link, "collision", f"{collision.name}_collision", shape, place)
        if collision.friction is not None:
            friction = child(child(child(element, "surface"), "friction"), "ode")
            child(friction, "mu", collision.friction)


def _shape(link: Element, tag: str, name: str, shape: Mapping[str, Any], place: Array) -> Element:
    """An element <visual> or <collision> at the pose `place` (4, 4) in its link."""
    element = child(link, tag, name=name)
    child(element, "pose", pose_text(place))
    kind = child(child(element, "geometry"), shape["kind"])
    for word in _SHAPES[shape["kind"]]:
        child(kind, "uri" if word == "file" else word, shape[word])
    return element
