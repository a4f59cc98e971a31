"""Poses of the links, joints and frames of a model, each relative to another one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.formats.numeric_pose import quaternion_matrix, rpy_matrix
from eomc.derive.formats.sdf.element import SdfElement
from eomc.derive.formats.xml_file import finite_numbers
from eomc.derive.language.naming import WORLD
from eomc.derive.language.near_names import near_names

__all__ = ["MODEL", "Poses", "SdfPose", "not_relative", "pose_of"]


#: What the specification calls the frame of the model.
MODEL = "__model__"


@dataclass(frozen=True)
class SdfPose:
    """Position (3,) [m] and axes (3, 3) in another frame."""

    xyz: Array
    axes: Array

    def __matmul__(self, other: SdfPose) -> SdfPose:
        return SdfPose(self.xyz + self.axes @ other.xyz, self.axes @ other.axes)

    def inverse(self) -> SdfPose:
        """Of the other frame in this one."""
        return SdfPose(-self.axes.T @ self.xyz, self.axes.T)


HERE = SdfPose(np.zeros(3), np.eye(3))


def pose_of(holder: SdfElement) -> SdfPose:
    """The <pose> of an element: x y z roll pitch yaw, or a quaternion x y z w."""
    given = holder.child("pose")
    if given is None or not given.text:
        return HERE
    given.only_attributes()
    style = given.attribute("rotation_format", "euler_rpy")
    if style == "quat_xyzw":
        numbers = finite_numbers(given.text, 7, given.shown, given.source)
        if np.linalg.norm(numbers[3:]) < 1e-100:
            raise given.error("its quaternion has zero length")
        x, y, z, w = numbers[3:]
        return SdfPose(np.array(numbers[:3]), quaternion_matrix([w, x, y, z]))
    if style != "euler_rpy":
        raise given.error(f"rotation_format is {style[:80]!r}; valid: 'euler_rpy', 'quat_xyzw'")
    numbers = finite_numbers(given.text, 6, given.shown, given.source)
    degrees = given.truth("degrees")
    roll, pitch, yaw = np.radians(numbers[3:]) if degrees else numbers[3:]
    return SdfPose(np.array(numbers[:3]), rpy_matrix(roll, pitch, yaw))


def not_relative(holder: SdfElement, *frames: str) -> SdfElement:
    """The element, whose pose may be relative to nothing but these frames."""
    given = holder.child("pose")
    if given is not None and given.attribute("relative_to") not in ("", *frames):
        raise given.error("relative_to is not read here; give the pose in the frame it stands in")
    return holder


class Poses:
    """Poses of all named things of a model in the model's frame."""

    def __init__(self, model: SdfElement, canonical: str) -> None:
        self._things = {
            element.name: element
            for tag in ("link", "joint", "frame")
            for element in model.children(tag)
        }
        self._canonical = canonical
        self._model = pose_of(not_relative(model, WORLD))
        self._known: dict[str, SdfPose] = {MODEL: HERE, WORLD: self._model.inverse()}

    @property
    def model(self) -> SdfPose:
        """Of the model in the world."""
        return self._model

    def of(self, name: str, asker: SdfElement) -> SdfPose:
        """Of `name` in the model's frame. Raises `ModelError` for unknown names and circles."""
        way: list[str] = []
        while name not in self._known:
            if name in way:
                raise asker.error(f"its pose leads in a circle: {' -> '.join([*way, name][:8])}")
            way.append(name)
            name = self._reference(self._thing(name, asker))
        for inner in reversed(way):
            element = self._things[inner]
            base = self._known[self._reference(element)]
            self._known[inner] = base @ pose_of(element)
        return self._known[way[0] if way else name]

    def within(self, link: str, part: SdfElement) -> SdfPose:
        """Of what stands in a link, in its frame, or relative to another one."""
        given = part.child("pose")
        frame = given.attribute("relative_to") if given is not None else ""
        if not frame or frame == link:
            return pose_of(part)
        return self.of(link, part).inverse() @ self.of(frame, part) @ pose_of(part)

    def link(self, name: str, asker: SdfElement) -> str:
        """The link, or the world, to which the frame `name` is attached."""
        way: list[str] = []
        while name != WORLD:
            if name in way:
                raise asker.error(f"its frame is attached in a circle: {' -> '.join(way[:8])}")
            way.append(name)
            if name == MODEL:
                name = self._canonical
                continue
            thing = self._thing(name, asker)
            if thing.tag == "link":
                return name
            if thing.tag == "joint":
                child = thing.child("child")
                name = child.text if child is not None else MODEL
            else:
                name = thing.attribute("attached_to") or MODEL
        return WORLD

    def _thing(self, name: str, asker: SdfElement) -> SdfElement:
        if name not in self._things:
            known = near_names(name[:80], [*self._things, MODEL, WORLD])
            raise asker.error(f"unknown frame {name[:80]!r}; {known}")
        return self._things[name]

    def _reference(self, element: SdfElement) -> str:
        """To what its pose is relative."""
        given = element.child("pose")
        name = given.attribute("relative_to") if given is not None else ""
        if name:
            return name
        if element.tag == "joint":
            child = element.child("child")
            return child.text if child is not None else MODEL
        return element.attribute("attached_to") or MODEL
