"""Joints of SDF files: a record of each type, axes, limits, losses and springs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from eomc.derive.formats.numeric_pose import exact_zero, numeric_placement
from eomc.derive.formats.sdf.element import SdfElement
from eomc.derive.formats.sdf.poses import Poses
from eomc.derive.joints.joint import Mimic
from eomc.derive.language.near_names import near_names
from eomc.derive.model.model import Model

__all__ = ["declare_joint"]

#: SDF writes +-1e16 for no limit.
_NO_LIMIT = 1e15


def _screw(joint: SdfElement) -> dict[str, Any]:
    """m/turn, to m/rad."""
    if joint.child("screw_thread_pitch") is None:
        raise joint.error("give <screw_thread_pitch> in metres a turn")
    return {"pitch": joint.number("screw_thread_pitch", 0.0) / (2 * math.pi)}


def _nothing(joint: SdfElement) -> dict[str, Any]:
    return {}


#: The kind that a type is, how many axes it has, and further arguments.
_TYPES: dict[str, tuple[str, int, Callable[[SdfElement], dict[str, Any]]]] = {
    "revolute": ("revolute", 1, _nothing),
    "continuous": ("revolute", 1, _nothing),
    "prismatic": ("prismatic", 1, _nothing),
    "screw": ("screw", 1, _screw),
    "universal": ("universal", 2, _nothing),
    "ball": ("spherical", 0, _nothing),
    "fixed": ("fixed", 0, _nothing),
}
_AXES = {"axis": "axis", "axis_2": "axis2"}
"""Elements of a file by the arguments of a joint."""

_PARTS = (
    *("parent", "child", "pose", "axis", "axis2", "screw_thread_pitch", "thread_pitch"),
    *("physics", "sensor"),
)


def declare_joint(model: Model, joint: SdfElement, poses: Poses, snap: float) -> None:
    """The joint, between the links to which its frames are attached."""
    joint.only(*_PARTS)
    word = joint.attribute("type")
    if word not in _TYPES:
        raise joint.error(f"type {word[:80]!r} is not read; {near_names(word[:80], _TYPES)}")
    kind, count, more = _TYPES[word]
    ends = {}
    for end in ("parent", "child"):
        element = joint.child(end)
        if element is None or not element.text:
            raise joint.error(f"names no {end} link")
        ends[end] = poses.link(element.text, joint)
    there = poses.of(joint.name, joint)
    given = more(joint)
    axes = [joint.child(tag) for tag in _AXES.values()][:count]
    parts = []
    for (key, tag), axis in zip(_AXES.items(), axes, strict=False):
        if axis is None:
            raise joint.error(f"has no <{tag}>")
        axis.only("xyz", "limit", "dynamics", "initial_position", "mimic")
        given[key] = _direction(axis, poses, there.axes, joint, snap)
        parts.append(_of_axis(axis, word))
    for name in {name for part in parts for name in part}:
        given[name] = tuple(part.get(name, _NEUTRAL[name]) for part in parts)
    if len(axes) == 1 and axes[0] is not None and (mimic := axes[0].child("mimic")) is not None:
        given["mimic"] = _mimic(mimic)
    for axis in axes if len(axes) > 1 else ():
        if axis is not None and (mimic := axis.child("mimic")) is not None:
            raise mimic.error(f"<mimic> of a {word} joint is not read")
    places = {end: poses.of(body, joint).inverse() @ there for end, body in ends.items()}
    model.joint(
        joint.name,
        kind,
        parent=ends["parent"],
        child=ends["child"],
        placement=numeric_placement(places["parent"].xyz, places["parent"].axes, snap),
        child_placement=numeric_placement(places["child"].xyz, places["child"].axes, snap),
        source=joint.source,
        **given,
    )
    for axis, coordinate in zip(axes, model.joints[joint.name].coordinates, strict=False):
        if axis is not None:
            _spring(model, axis, coordinate, joint)


_NEUTRAL = {
    "damping": 0,
    "friction": 0,
    "lower": -math.inf,
    "upper": math.inf,
    "velocity_limit": math.inf,
    "effort_limit": math.inf,
}


def _direction(
    axis: SdfElement, poses: Poses, axes: Any, joint: SdfElement, snap: float
) -> tuple[Any, ...]:
    """In the joint's frame."""
    xyz = axis.child("xyz")
    if xyz is not None:
        xyz.only_attributes()
    vector = np.array([0.0, 0.0, 1.0] if xyz is None else xyz.numbers(3))
    frame = xyz.attribute("expressed_in") if xyz is not None else ""
    if frame:
        vector = axes.T @ poses.of(frame, joint).axes @ vector
    length = np.abs(vector).max()
    if not length:
        raise axis.error("has zero length; give a nonzero 3-vector")
    return tuple(exact_zero(entry) if abs(entry) > snap * length else 0 for entry in vector)


def _of_axis(axis: SdfElement, word: str) -> dict[str, Any]:
    """Limits and losses."""
    found: dict[str, Any] = {}
    dynamics, limit = axis.child("dynamics"), axis.child("limit")
    if dynamics is not None:
        dynamics.only("damping", "friction", "spring_reference", "spring_stiffness")
        found["damping"] = exact_zero(dynamics.number("damping", 0.0))
        found["friction"] = exact_zero(dynamics.number("friction", 0.0))
    if limit is not None:
        limit.only("lower", "upper", "effort", "velocity", "stiffness", "dissipation")
        if word != "continuous":
            found["lower"] = _limit(limit.number("lower", -math.inf))
            found["upper"] = _limit(limit.number("upper", math.inf))
        for tag, name in (("velocity", "velocity_limit"), ("effort", "effort_limit")):
            value = limit.number(tag, math.inf)
            found[name] = math.inf if value < 0 else _limit(value)  # -1 is "none"
    return found


def _limit(value: float) -> float:
    return math.copysign(math.inf, value) if abs(value) >= _NO_LIMIT else value


def _mimic(mimic: SdfElement) -> Mimic:
    """follower = multiplier * (leader - reference) + offset."""
    mimic.only("multiplier", "offset", "reference")
    leader = mimic.attribute("joint")
    if not leader:
        raise mimic.error("<mimic> names no joint")
    if mimic.attribute("axis", "axis") != "axis":
        raise mimic.error("<mimic> of a second axis is not read")
    multiplier = mimic.number("multiplier", 1.0)
    offset = mimic.number("offset", 0.0) - multiplier * mimic.number("reference", 0.0)
    return Mimic(leader, exact_zero(multiplier), exact_zero(offset))


def _spring(model: Model, axis: SdfElement, coordinate: str, joint: SdfElement) -> None:
    dynamics = axis.child("dynamics")
    stiffness = dynamics.number("spring_stiffness", 0.0) if dynamics is not None else 0.0
    if dynamics is not None and stiffness:
        model.joint_spring(
            f"{coordinate}_spring",
            joint=coordinate,
            stiffness=stiffness,
            free_angle=exact_zero(dynamics.number("spring_reference", 0.0)),
            source=joint.source,
        )
