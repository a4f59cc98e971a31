"""A model in numbers, at the default values of its parameters, for files of other programs.

A joint is a product of exponentials: the child frame stands in the parent at

    T(q) = P exp(s_1 q_1) ... exp(s_n q_n) B,

with P the joint frame at zero, B the child body in the joint frame, and the twists s_k in the axes
of the joint frame at zero. Every joint whose motions are turns, slides and screws has this form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.contacts.collision import Collision, pictured_shape
from eomc.derive.elements.frame import Frame
from eomc.derive.elements.visual import Visual
from eomc.derive.joints.joint import Joint, Mimic
from eomc.derive.joints.numeric import numeric_joint
from eomc.derive.joints.pose import motions, neutral, pose, pose_and_subspace
from eomc.derive.language.errors import ModelError
from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model
from eomc.derive.motions.about_axis import ScrewMotion, Slide, Turn, TurnAbout
from eomc.derive.motions.ball import BallMotion
from eomc.derive.motions.free import Free
from eomc.derive.placement.placement import Placement, Point
from eomc.derive.topology.tree import resolved_joint

__all__ = [
    "Freedom",
    "NumericBody",
    "NumericJoint",
    "NumericModel",
    "homogeneous",
    "inverse",
    "split",
]

#: Words of joints that any format may have, with those of its own.
ELEMENTARY = {Turn: "turn", TurnAbout: "turn", Slide: "slide", ScrewMotion: "screw"}
WHOLE = {BallMotion: "ball", Free: "free"}


@dataclass(frozen=True)
class NumericBody:
    """Mass [kg], centre of mass (3,) [m] and inertia about it (3, 3) [kg m^2], in body axes."""

    name: str
    mass: float
    com: Array
    inertia: Array

    @property
    def is_massless(self) -> bool:
        """True without mass and inertia."""
        return not self.mass and not self.inertia.any()


@dataclass(frozen=True)
class Freedom:
    """One motion of a joint: "turn", "slide" or "screw" about an axis through an anchor, "ball" or
    "free". `name` is that of the coordinate; of a ball or a free joint it is the joint's.

    `lower`, `upper`, `speed`, `effort` are limits, +-inf for none; `mimic` is (leader, multiplier,
    offset).
    """

    name: str
    motion: str
    axis: Array
    anchor: Array
    pitch: float = 0.0
    damping: tuple[float, ...] = ()
    friction: tuple[float, ...] = ()
    armature: float = 0.0
    lower: float = -np.inf
    upper: float = np.inf
    speed: float = np.inf
    effort: float = np.inf
    mimic: tuple[str, float, float] | None = None

    def moved(self, place: Array) -> Freedom:
        """The same in a frame in which its own stands at `place` (4, 4)."""
        axis = place[:3, :3] @ self.axis
        return replace(self, axis=axis, anchor=place[:3, :3] @ self.anchor + place[:3, 3])


@dataclass(frozen=True)
class NumericJoint:
    """A joint from `parent` to `child`: `place` and `back` (4, 4) are P and B of the module, `axis`
    (3,) that of kinds that have one."""

    name: str
    kind: str
    parent: str
    child: str
    place: Array
    back: Array
    axis: Array | None
    freedoms: tuple[Freedom, ...]


def split(joint: NumericJoint) -> list[NumericJoint]:
    """The same as joints of one motion each, about axes through their own frames; the links between
    have no mass and are called by child and coordinate."""
    found, parent, place = [], joint.parent, joint.place
    for k, freedom in enumerate(joint.freedoms):
        there = homogeneous(freedom.anchor)
        away, last = inverse(there), k == len(joint.freedoms) - 1
        link = joint.child if last else f"{joint.child}_{freedom.name}"
        back = away @ joint.back if last else np.eye(4)
        moving = (replace(freedom, anchor=np.zeros(3)),)
        at = place @ there
        found.append(NumericJoint(freedom.name, joint.kind, parent, link, at, back, None, moving))
        parent, place = link, away
    return found or [joint]


class NumericModel:
    """Bodies, the joints of the tree outwards from the world, and those that close loops.

    Elements that a file says are marked by `take`; `unsaid` lists all others.
    """

    def __init__(self, model: Model, format_name: str) -> None:
        model.validate()
        if model.deformables:
            first = next(iter(model.deformables.values()))
            raise ModelError(
                f"deformable {first.name!r}: {format_name} has rigid bodies only; rigidify it "
                "(model.rigidified) or write TOML"
            )
        self.model, self.format_name = model, format_name
        self.values = model.defaults()
        self.gravity = self.vector(model.gravity)
        self.left_out: list[str] = []
        self._lacking: dict[tuple[str, str], list[str]] = {}
        self._taken: set[tuple[str, str]] = set()
        self.bodies = {name: self._body(name) for name in model.bodies}
        outwards = {joint.name: joint for joint in model.tree()}
        everything = {**model.joints, **outwards}
        self.tree = [self._joint(resolved_joint(name, everything)) for name in outwards]
        self.cuts = [self._joint(joint) for joint in model.cuts()]

    def value(self, value: Any) -> float:
        """Of a number or an expression of parameters."""
        return value_of(value, self.values)

    def constant(self, value: Any) -> float | None:
        """The value, or None if it changes with the motion, inputs or time."""
        try:
            return self.value(value)
        except ModelError:
            return None

    def vector(self, entries: Any) -> Array:
        """Of numbers or expressions of parameters."""
        return np.array([self.value(entry) for entry in entries])

    def pose(self, place: Placement) -> Array:
        """As a homogeneous matrix (4, 4)."""
        return homogeneous(self.vector(place.xyz), [self.vector(row) for row in place.matrix])

    def point(self, point: Point) -> tuple[str, Array]:
        """Body and place (3,) in its axes of a point, which may be one of a declared frame."""
        body, place = self.frame(self.model.frame_of(point.body))
        return body, (place @ [*self.vector(point.xyz), 1.0])[:3]

    def frame(self, frame: Frame) -> tuple[str, Array]:
        """Body and pose (4, 4) of a declared frame, which may stand on another one."""
        place, body = self.pose(frame.placement), frame.body
        while body in self.model.frames:
            above = self.model.frames[body]
            place, body = self.pose(above.placement) @ place, above.body
        return body, place

    def rgba(self, visual: Visual) -> list[float]:
        """Colour and opacity, from 0 to 1; grey where none is given."""
        text = visual.color or "#808080"
        rgb = [int(text[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        return [*rgb, self.value(visual.opacity)]

    def collisions(
        self, body: str, words: Mapping[str, tuple[str, ...]]
    ) -> Iterator[tuple[Collision, dict[str, Any], Array]]:
        """Collision shapes of a body of the kinds `words`, which have these sizes: each with its
        shape in the words of pictures and its pose (4, 4). They count as said."""
        for collision in self.model.collisions:
            shape = pictured_shape(collision.shape)
            known = words.get(shape["kind"])
            if collision.link == body and known is not None and {*known} <= shape.keys():
                self.take("collision", collision.name)
                yield collision, shape, self.pose(collision.placement)

    def take(self, word: str, name: str) -> None:
        """Mark an element as said."""
        self._taken.add((word, name))

    def leave_out(self, what: str, why: str) -> None:
        """Told before the file is written."""
        self.left_out.append(f"{what} is left out: {why}")

    def lacks(self, what: str, joint: str, why: str) -> None:
        """The same of a joint; joints with the same sentence are told together."""
        self._lacking.setdefault((what, why), []).append(joint)

    def unsaid(self) -> tuple[str, ...]:
        """Sentences about all that the file does not say, with what was left out."""
        sentences = list(self.left_out)
        for (what, why), joints in self._lacking.items():
            sentences.append(f"{what} of joint {_shown(joints)} is left out: {why}")
        shapes = {"collision": {collision.name: collision for collision in self.model.collisions}}
        for word, table in {**self.model.tables(), **shapes}.items():
            names = [name for name in table if (word, name) not in self._taken]
            if not names or word in ("parameter", "input", "body", "joint", "initial_guess"):
                continue
            verb = "is" if len(names) == 1 else "are"
            why = f"{self.format_name} has no element for it"
            sentences.append(f"{word} {_shown(names)} {verb} left out: {why}")
        tunable = [name for name, entry in self.model.parameters.items() if entry.tunable]
        if tunable:
            sentences.append(f"tunable parameters {', '.join(tunable)} become numbers")
        return tuple(sentences)

    def joint_springs(self) -> dict[str, tuple[float, float, float]]:
        """Stiffness, damping and rest of the linear springs by coordinate; they count as said."""
        found: dict[str, tuple[float, float, float]] = {}
        for name, spring in self.model.joint_springs.items():
            given = [
                self.constant(x) for x in (spring.stiffness, spring.damping, spring.free_angle)
            ]
            if spring.law is not None or None in given:
                continue
            k, d, rest = (float(entry or 0) for entry in given)
            stiffness, damping, middle = found.get(spring.joint, (0.0, 0.0, 0.0))
            mean = (stiffness * middle + k * rest) / (stiffness + k) if stiffness else rest
            found[spring.joint] = (stiffness + k, damping + d, mean)
            self.take("joint_spring", name)
        return found

    def refuse(self, freedoms: tuple[str, ...]) -> None:
        """Raise `ModelError` that names every joint with a motion that is none of `freedoms`."""
        lacking = [
            f"{joint.name!r} ({joint.kind})"
            for joint in self.tree
            if {freedom.motion for freedom in joint.freedoms} - set(freedoms)
        ]
        if lacking:
            raise ModelError(f"{self.format_name} has no such joint: {', '.join(lacking)}")

    def _body(self, name: str) -> NumericBody:
        body = self.model.bodies[name]
        xx, yy, zz, xy, xz, yz = map(self.value, body.inertia_com)
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return NumericBody(name, self.value(body.mass), self.vector(body.com), inertia)

    def _joint(self, given: Joint) -> NumericJoint:
        joint = numeric_joint(given, self.values)
        place, back = self.pose(joint.placement), self.pose(joint.child_placement.inverse())
        freedoms: tuple[Freedom, ...] = ()
        if joint.is_fixed:
            locked = tuple(map(self.value, joint.locked or ()))
            place = place @ self.pose(pose(joint, locked))
        else:
            moved, freedoms = self._freedoms(joint)
            place = place @ moved
        axis = None if joint.axis is None else np.array(joint.axis, dtype=float)
        ends = (joint.parent, joint.child)
        return NumericJoint(joint.name, joint.kind, *ends, place, back, axis, freedoms)

    def _freedoms(self, joint: Joint) -> tuple[Array, tuple[Freedom, ...]]:
        """The pose at zero, and one motion a coordinate."""
        still, kind = np.zeros(3), joint.declaration
        kinds = () if kind.rides else tuple(map(type, motions(joint)))
        if len(kinds) == 1 and kinds[0] in WHOLE:
            losses = (self._losses(joint.damping), self._losses(joint.friction))
            whole = Freedom(joint.name, WHOLE[kinds[0]], still, still, 0.0, *losses)
            return np.eye(4), (whole,)
        if not set(kinds) <= set(ELEMENTARY) or not kinds:
            return np.eye(4), (Freedom(joint.name, kind.name, still, still),)
        zero, twists = pose_and_subspace(joint, neutral(joint))
        found = [
            self._freedom(joint, k, ELEMENTARY[made], np.array(twist, dtype=float))
            for k, (made, twist) in enumerate(zip(kinds, twists, strict=True))
        ]
        return self.pose(zero), tuple(found)

    def _freedom(self, joint: Joint, k: int, motion: str, twist: Array) -> Freedom:
        """Of a twist (v, w): v = -w x anchor + pitch w for turns and screws."""
        v, w = twist[:3], twist[3:]
        slides = motion == "slide"
        rule = joint.mimic
        limits = {
            word: self.value(given[k])
            for word, given in (
                ("lower", joint.lower),
                ("upper", joint.upper),
                ("speed", joint.velocity_limit),
                ("effort", joint.effort_limit),
            )
            if given
        }
        return Freedom(
            joint.coordinates[k],
            motion,
            axis=v if slides else w,
            anchor=np.zeros(3) if slides else np.cross(w, v),
            pitch=0.0 if slides else float(w @ v),
            damping=self._losses(joint.damping)[k : k + 1],
            friction=self._losses(joint.friction)[k : k + 1],
            armature=self.value(joint.rotor_inertia) * self.value(joint.gear_ratio) ** 2,
            mimic=None if rule is None else self._rule(rule),
            **limits,
        )

    def _rule(self, rule: Mimic) -> tuple[str, float, float]:
        return rule.joint, self.value(rule.multiplier), self.value(rule.offset)

    def _losses(self, given: tuple[Any, ...]) -> tuple[float, ...]:
        return tuple(map(self.value, given))


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return ", ".join(map(repr, names[:6])) + more


def inverse(place: Array) -> Array:
    """Of a frame (4, 4)."""
    back = place[:3, :3].T
    return homogeneous(-back @ place[:3, 3], back)


def homogeneous(xyz: Any, rotation: Any = ((1, 0, 0), (0, 1, 0), (0, 0, 1))) -> Array:
    """A frame at `xyz` (3,) with the axes `rotation` (3, 3), as (4, 4)."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, xyz
    return matrix
