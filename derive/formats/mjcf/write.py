"""A model as the text of an MJCF file: bodies, joints, sites, shapes; what acts on them stands in
`write_elements.py`.

MuJoCo demands mass of what moves: a massless body between two joints becomes a body with the joints
of both. Its free joints are in world axes and hang on the world.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.formats.format import Written
from eomc.derive.formats.mjcf.write_elements import write_elements
from eomc.derive.formats.numeric_model import (
    Freedom,
    NumericBody,
    NumericJoint,
    NumericModel,
    homogeneous,
    inverse,
)
from eomc.derive.formats.numeric_pose import quaternion_of
from eomc.derive.formats.xml_writer import Element, child, xml_text
from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import WORLD
from eomc.derive.model.model import Model

__all__ = ["MjcfTree", "mjcf_text"]

_TYPES = {"turn": "hinge", "slide": "slide", "ball": "ball", "free": "free"}
_SIZES = {
    "sphere": ("radius",),
    "capsule": ("radius", "length"),
    "cylinder": ("radius", "length"),
    "box": ("size",),
    "ellipsoid": ("radii",),
}
#: MuJoCo's mjMINVAL is 1e-15: moments below it are refused.
_SMALLEST = 2e-15
#: Moments that break the triangle inequality by less are rounding.
_ROUNDING = 1e-9
_UNBOUNDED = 1e10
#: Coefficients of friction against spin [m] and rolling [m] where none are said.
_FRICTION = (0.005, 0.0001)


def mjcf_text(model: Model) -> Written:
    """The document, and what it does not say. Raises `ModelError` for joints that MJCF lacks."""
    numbers = NumericModel(model, "MJCF")
    numbers.refuse(tuple(_TYPES))
    root = Element("mujoco", model=model.name)
    child(root, "compiler", angle="radian", inertiafromgeom="false")
    child(root, "option", gravity=numbers.gravity)
    tree = MjcfTree(numbers, child(root, "worldbody"))
    write_elements(root, tree)
    return Written(xml_text(root), numbers.unsaid())


class MjcfTree:
    """Elements <body> by name, nested as the joints are, and the sites in them."""

    def __init__(self, numbers: NumericModel, world: Element) -> None:
        self.numbers, self.bodies = numbers, {WORLD: world}
        self.springs = numbers.joint_springs()
        self._sites: set[str] = set()
        self._inner: dict[str, list[NumericJoint]] = {}
        for joint in numbers.tree:
            self._inner.setdefault(joint.parent, []).append(joint)
        for joint in numbers.tree:
            if joint.parent in self.bodies:
                self._branch(joint)
        for name, frame in numbers.model.frames.items():
            body, place = numbers.frame(frame)
            self.site(name, body, place)
            numbers.take("frame", name)
        for name, visual in numbers.model.visuals.items():
            self._visual(name, visual)
        self._collisions()

    def site(self, name: str, body: str, place: Array) -> str:
        """A new site at a pose (4, 4) in a body; its name."""
        while name in self._sites:
            name += "_"
        self._sites.add(name)
        attributes = _placed(place)
        child(self.bodies[body], "site", name=name, **attributes)
        return name

    def _branch(self, joint: NumericJoint) -> None:
        """The body of a joint; joints to massless bodies with one further joint are put into it."""
        parent, place, freedoms = joint.parent, np.eye(4), list[Freedom]()
        while True:
            step = joint.place @ joint.back
            place = place @ step
            freedoms = [freedom.moved(inverse(step)) for freedom in freedoms]
            freedoms += [freedom.moved(inverse(joint.back)) for freedom in joint.freedoms]
            following = self._inner.get(joint.child, [])
            if not self._is_passed(joint, following):
                break
            joint = following[0]
        whole = any(freedom.motion in ("ball", "free") for freedom in freedoms)
        if whole and not np.array_equal(joint.back, np.eye(4)):
            outer = f"{joint.child}_{joint.name}"
            place = place @ inverse(joint.back)
            freedoms = [freedom.moved(joint.back) for freedom in freedoms]
            self._body(parent, outer, place, freedoms, None)
            parent, place, freedoms = outer, joint.back, []
        self._body(parent, joint.child, place, freedoms, self.numbers.bodies[joint.child])

    def _is_passed(self, joint: NumericJoint, following: list[NumericJoint]) -> bool:
        """True for a joint that moves a massless body which only carries another joint."""
        body, frames = self.numbers.bodies[joint.child], self.numbers.model.frames.values()
        return (
            body.is_massless
            and bool(joint.freedoms)
            and len(following) == 1
            and all(frame.body != joint.child for frame in frames)
        )

    def _body(
        self,
        parent: str,
        name: str,
        place: Array,
        freedoms: list[Freedom],
        body: NumericBody | None,
    ) -> None:
        element = child(self.bodies[parent], "body", name=name, **_placed(place))
        self.bodies[name] = element
        for freedom in freedoms:
            self._joint(element, freedom, parent, place)
        if body is not None and not body.is_massless:
            child(element, "inertial", **_inertial(body))

    def _joint(self, element: Element, freedom: Freedom, parent: str, place: Array) -> None:
        numbers, shown = self.numbers, f"joint {freedom.name!r}"
        stiffness, damping, rest = self.springs.get(freedom.name, (0.0, 0.0, 0.0))
        given: dict[str, Any] = {"name": freedom.name, "type": _TYPES[freedom.motion]}
        if freedom.motion == "free":
            if parent != WORLD:
                raise ModelError(f"{shown}: free joints of MJCF hang on the world, not {parent!r}")
            if not np.array_equal(place, np.eye(4)):
                numbers.leave_out(
                    f"the placement of {shown}", "MuJoCo's free coordinates are those of the world"
                )
        else:
            given["pos"] = freedom.anchor
        if freedom.motion in ("turn", "slide"):
            given |= {"axis": freedom.axis, "armature": freedom.armature or None}
            given |= _limits(freedom)
            if stiffness:
                given |= {"stiffness": stiffness, "springref": rest}
        losses = {"damping": freedom.damping, "frictionloss": freedom.friction}
        for word, values in losses.items():
            total = (values[0] if values else 0.0) + (damping if word == "damping" else 0.0)
            if len(set(values)) > 1:
                numbers.lacks(word, freedom.name, "MJCF has one number for all its speeds")
            elif total:
                given[word] = total
        if np.isfinite(freedom.speed):
            numbers.lacks("velocity_limit", freedom.name, "MJCF has none")
        child(element, "joint", **given)

    def _visual(self, name: str, visual: Any) -> None:
        if visual.shape.word not in _SIZES or visual.body not in self.bodies:
            return
        shape = {"kind": visual.shape.word} | visual.shape.numbers(self.numbers.values)
        given = {"rgba": self.numbers.rgba(visual), "contype": 0, "conaffinity": 0, "group": 1}
        self._geom(name, visual.body, shape, self.numbers.pose(visual.placement), **given)
        self.numbers.take("visual", name)

    def _geom(
        self, name: str, body: str, shape: Mapping[str, Any], place: Array, **given: Any
    ) -> None:
        """A shape without mass, in the words of pictures."""
        kind = shape["kind"]
        size = np.ravel([shape[word] for word in _SIZES[kind]])
        half = np.array([1.0 if word in ("radius", "radii") else 0.5 for word in _SIZES[kind]])
        given |= {"type": kind, "size": size * (half if len(half) > 1 else half[0])}
        child(self.bodies[body], "geom", name=name, mass=0, **given, **_placed(place))

    def _collisions(self) -> None:
        """Shapes that collide with all others but those of the parent, in MuJoCo's group 3. Where
        contacts are declared, their pairs stand in place of these."""
        numbers = self.numbers
        for body in self.bodies:
            for collision, shape, place in numbers.collisions(body, _SIZES):
                mu = collision.friction
                friction = {} if mu is None else {"friction": [mu, *_FRICTION]}
                if not numbers.model.contacts:
                    name = f"{collision.name}_collision"
                    self._geom(name, body, shape, place, group=3, **friction)


def _placed(place: Array) -> dict[str, Any]:
    turned = not np.array_equal(place[:3, :3], np.eye(3))
    return {"pos": place[:3, 3], "quat": quaternion_of(place[:3, :3]) if turned else None}


def _limits(freedom: Freedom) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if np.isfinite([freedom.lower, freedom.upper]).any():
        given["range"] = np.clip([freedom.lower, freedom.upper], -_UNBOUNDED, _UNBOUNDED)
    if np.isfinite(freedom.effort):
        given["actuatorfrcrange"] = [-freedom.effort, freedom.effort]
    return given


def _inertial(body: NumericBody) -> dict[str, Any]:
    """Principal moments that MuJoCo takes: above its least, and none above the sum of the others.

    What has to be changed for that is rounding. Raises `ModelError` for more.
    """
    moments, axes = np.diag(body.inertia).copy(), np.eye(3)
    if np.any(body.inertia != np.diag(moments)):
        moments, axes = np.linalg.eigh(body.inertia)
        axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    largest, excess = moments.max(), 2 * moments.max() - moments.sum()
    rounding = max(_ROUNDING * largest, _SMALLEST)
    if excess > rounding or moments.min() < -rounding:
        raise ModelError(
            f"body {body.name!r}: principal moments of inertia "
            f"{', '.join(f'{x:.4g}' for x in moments)} are those of no body; MuJoCo refuses them"
        )
    moments = np.where(moments < largest, moments + max(excess, 0.0), moments)
    moments = np.maximum(moments, _SMALLEST)
    given: dict[str, Any] = {"pos": body.com, "mass": max(body.mass, _SMALLEST)}
    turned = homogeneous(np.zeros(3), axes)
    return given | {"quat": _placed(turned)["quat"], "diaginertia": moments}
