"""Wheels of gears: what pictures show of two joints that a constraint couples.

Where both turn about parallel axes on one body, at a distance d, their pitch circles roll on one
another: r1 + r2 = d if they turn against each other, |r1 - r2| = d if they turn alike, r2/r1 being
the turns of the first for one of the second. Other gears have wheels of the size of hinges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot
from typing import Any

from eomc.derive.drawing.mark import HINGE
from eomc.derive.elements.element import Element
from eomc.derive.joints.joint import Joint
from eomc.derive.language.naming import WORLD
from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model
from eomc.derive.picture.numbers import numbers, rounded, turned_to, unit
from eomc.derive.picture.outline import Outline
from eomc.derive.placement.rotation import rotate

__all__ = ["wheels"]

Values = Mapping[str, float]

# In radii of the picture: wheels of which no size is known; thickness; width of the rim.
_PLAIN, _THICK, _RIM = 3.2, 1.2, 0.8
_PARALLEL = 1e-6


def wheels(
    model: Model, element: Element, found: Outline, values: Values
) -> Iterator[dict[str, Any]]:
    """One on the child of each joint that turns."""
    coupled = element.drawn_wheels()
    if coupled is None:
        return
    first, second, ratio = coupled
    owner = {name: joint for joint in model.tree() for name in joint.coordinates}
    joints = [owner.get(first), owner.get(second)]
    turning = [j for j in joints if j is not None and HINGE in j.declaration.drawn]
    plain = _PLAIN * found.radius
    radii = [plain, plain]
    if len(turning) == 2:
        radii = _rolling(turning, value_of(ratio, values), values) or radii
    for joint, radius in zip(turning, radii, strict=False):
        if joint.child == WORLD:
            continue
        axis = numbers(rotate(joint.child_placement.matrix, joint.direction), values)
        at = {
            "xyz": list(numbers(joint.child_placement.xyz, values)),
            "quaternion": turned_to(axis),
        }
        inner = max(radius - _RIM * found.radius, 0.6 * radius)
        sizes = {"radius": radius, "inner": inner, "length": _THICK * found.radius}
        rounds = {word: rounded(size) for word, size in sizes.items()}
        yield {"body": joint.child, "kind": "tube", "placement": at, **rounds, "joint": joint.name}


def _rolling(joints: list[Joint], ratio: float, values: Values) -> list[float] | None:
    """Radii of the pitch circles, if the joints are parallel and on one body."""
    a, b = joints
    if a.parent != b.parent or not ratio:
        return None
    axes = [unit(numbers(rotate(j.placement.matrix, j.direction), values)) for j in joints]
    along = sum(x * y for x, y in zip(*axes, strict=True))
    if abs(abs(along) - 1) > _PARALLEL:
        return None
    way = [y - x for x, y in zip(*(numbers(j.placement.xyz, values) for j in joints), strict=True)]
    height = sum(x * y for x, y in zip(way, axes[0], strict=True))
    distance = hypot(*(x - height * e for x, e in zip(way, axes[0], strict=True)))
    share = ratio * (1 if along > 0 else -1)  # of turns about the same axis
    if distance <= 0 or share == 1:
        return None
    first = distance / abs(1 - share)
    return [first, abs(share) * first]
