"""Points of bodies between which pictures draw them, and how large all of it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import hypot

from eomc.derive.drawing.mark import HINGE
from eomc.derive.elements.element import Element
from eomc.derive.joints.joint import Joint
from eomc.derive.joints.pose import neutral, pose
from eomc.derive.language.naming import WORLD
from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model
from eomc.derive.picture.numbers import Numbers, apart, numbers

__all__ = ["Outline", "hinge_axis", "outline"]

# Points closer than this [m] are one.
_SAME = 1e-9
# Deformable bodies are slender.
_SLENDER = 0.4
# Radius of links of plane mechanisms, at most, in lengths of the shortest.
_CRANK = 0.12


@dataclass
class Outline:
    """Of each body, distinct points in its own axes [m]: that of the joint that carries it first.

    `radius` is that of links, `reach` how far the mechanism goes from the world.
    """

    points: dict[str, list[Numbers]]
    free: set[str] = field(default_factory=set)
    radius: float = 0.01
    reach: float = 0.0

    def add(self, body: str, point: Numbers) -> None:
        """A point of a body, unless it is known."""
        known = self.points.setdefault(body, [])
        if all(apart(point, other) > _SAME for other in known):
            known.append(point)


def outline(model: Model, values: Mapping[str, float]) -> Outline:
    """Ends of joints, frames, and points at which elements act.

    A joint that leaves every motion free is no point of its bodies, nor is the station of a
    deformable body, which has a line of its own.
    """
    found = Outline({name: [] for name in model.bodies})
    tree = model.tree()
    for joint in [*tree, *model.cuts()]:
        if is_loose(joint):
            if joint in tree:
                found.free.add(joint.child)
            continue
        found.add(joint.child, numbers(joint.child_placement.xyz, values))
    for joint in [*tree, *model.cuts()]:
        if not is_loose(joint) and not joint.declaration.rides:
            found.add(joint.parent, numbers(joint.placement.xyz, values))
    for frame in model.frames.values():
        found.add(frame.body, numbers(frame.placement.xyz, values))
    for element in _between(model):
        for point in element.drawn_at():
            found.add(point.body, numbers(point.xyz, values))
    found.points.pop(WORLD, None)
    _measure(found, model, tree, values)
    return found


def is_loose(joint: Joint) -> bool:
    """True if nothing that can be drawn holds its bodies together."""
    kind = joint.declaration
    if kind.is_immobile or kind.rides:
        return False
    parts = any(variable.unit == "m" for variable in kind.coordinates)
    return kind.is_free or not kind.drawn or (parts and not spans(joint))


def spans(joint: Joint) -> bool:
    """True if a line of the joint goes from one of its frames to the other."""
    return any(mark.spans for mark in joint.declaration.drawn)


def _between(model: Model) -> list[Element]:
    """Elements that act between points."""
    return [element for element in model.elements() if element.word != "visual"]


def _measure(found: Outline, model: Model, tree: list[Joint], values: Mapping[str, float]) -> None:
    """Links as thick as pleases with their lengths, and never hair of a large model."""
    far: dict[str, float] = {WORLD: 0.0}
    for joint in tree:
        way = joint.placement.xyz, joint.child_placement.xyz
        steps = [hypot(*numbers(xyz, values)) for xyz in way if joint.parent != WORLD]
        moved = hypot(*(value_of(x, values) for x in _moved(joint)))
        far[joint.child] = far[joint.parent] + sum(steps) + moved
        found.reach = max(found.reach, far[joint.child])
    lengths = [_SLENDER * length for length in _deformable_lengths(model, values)]
    lengths += [
        length
        for points in found.points.values()
        for other in points[1:]
        if (length := apart(points[0], other)) > _SAME
    ]
    arms = [
        length
        for body in model.bodies.values()
        if (length := hypot(*numbers(body.com, values))) > _SAME
    ]
    sizes = [2 * size for body in model.bodies.values() if (size := _gyration(body, values)) > 0]
    typical = _upper_quartile(lengths or arms or sizes or [1.0])
    found.reach = max([found.reach, *lengths, *arms, *sizes, typical])
    found.radius = min(max(0.07 * typical, 0.025 * found.reach), 0.15 * typical)
    if hinge_axis(model, values) is not None and lengths:
        # A short crank is seen between its pins.
        found.radius = max(min(found.radius, _CRANK * min(lengths)), 0.5 * found.radius)


def hinge_axis(model: Model, values: Mapping[str, float]) -> int | None:
    """The axis 0, 1 or 2 along which all hinges of a model are, if they are along one."""
    axes = {
        axis
        for joint in model.joints.values()
        if joint.axis is not None and HINGE in joint.declaration.drawn
        for axis in [tuple(abs(x) > 1e-9 for x in numbers(joint.axis, values))]
    }
    flags = next(iter(axes)) if len(axes) == 1 else ()
    return flags.index(True) if sum(flags) == 1 else None


def _upper_quartile(lengths: list[float]) -> float:
    """Of robots, whose many short offsets would make hair of their links by the median."""
    return sorted(lengths)[3 * len(lengths) // 4]


def _moved(joint: Joint) -> tuple[float, ...]:
    """Displacement by which the joint parts its frames in the neutral position [m]."""
    try:
        return tuple(value_of(x) for x in pose(joint, neutral(joint)).xyz)
    except Exception:  # of parameters, or of a station: no matter for a size
        return (0.0,)


def _gyration(body: object, values: Mapping[str, float]) -> float:
    mass = value_of(getattr(body, "mass"), values)  # noqa: B009
    inertia = numbers(getattr(body, "inertia_com"), values)  # noqa: B009
    return (max(inertia[:3]) / mass) ** 0.5 if mass > 0 and max(inertia[:3]) > 0 else 0.0


def _deformable_lengths(model: Model, values: Mapping[str, float]) -> list[float]:
    lines = [body.form.line for body in model.deformables.values()]
    return [value_of(line.length, values) for line in lines if line is not None]
