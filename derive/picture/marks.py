"""Marks of joints and elements in pictures: shapes on bodies, and lines between points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any

from eomc.derive.drawing.mark import LINE, SLIDE, Mark
from eomc.derive.elements.element import Element
from eomc.derive.joints.joint import Joint
from eomc.derive.language.naming import WORLD
from eomc.derive.language.scalar import symbols_of
from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model
from eomc.derive.picture.numbers import numbers, rounded, turned_to, unit
from eomc.derive.picture.outline import Outline, is_loose, spans
from eomc.derive.picture.wheels import wheels
from eomc.derive.placement.placement import Point
from eomc.derive.placement.rotation import rotate

if TYPE_CHECKING:
    from eomc.derive.elements.visual import Visual

__all__ = ["element_marks", "grounds", "joint_marks", "slide_range"]

Values = Mapping[str, float]
Shown = tuple[str, dict[str, Any]]
"""The list to which a record belongs, "shapes" or "lines", and the record."""

#: Colours of bodies, in turn.
BODY_COLORS = 7

# Of a bearing on the world, in radii: across, and along the axis.
_BEARING = (4.2, 4.2, 2.2)


def body_material(k: int) -> str:
    """The name of the material of the k-th body."""
    return f"body{k % BODY_COLORS}"


def given_shapes(model: Model) -> dict[str, list[Visual]]:
    """Visual shapes by body."""
    found: dict[str, list[Visual]] = {}
    for visual in model.visuals.values():
        found.setdefault(visual.body, []).append(visual)
    return found


def instead(given: Sequence[Visual]) -> dict[str, Any] | None:
    """Entry of a shape with the meshes that it stands for where they are missing, if there are any;
    None if a body has shapes that are there, so that nothing stands for them."""
    if any(visual.shape.word != "mesh" for visual in given):
        return None
    return {"instead": [visual.name for visual in given]} if given else {}


def joint_marks(model: Model, found: Outline, values: Values) -> Iterator[Shown]:
    """Hinges, sliders, rails, ... as the kinds of joints say."""
    given = given_shapes(model)
    for joint in [*model.tree(), *model.cuts()]:
        spare = instead(given.get(joint.child, ()))
        for mark in joint.declaration.drawn if spare is not None else ():
            tags = {"joint": joint.name, "material": "joint"}
            if mark is SLIDE and not mark.spans and joint.child != WORLD:
                tags["material"] = body_material(list(model.bodies).index(joint.child))
            if mark.spans:
                ends = [
                    [joint.parent, list(numbers(joint.placement.xyz, values))],
                    [joint.child, list(numbers(joint.child_placement.xyz, values))],
                ]
                yield "lines", {"kind": mark.kind, "ends": ends, **_sizes(mark, found), **tags}
                continue
            place: dict[str, Any] = {"xyz": list(numbers(joint.child_placement.xyz, values))}
            if mark.along:
                axis: Any = dict(joint.own).get(mark.along) or getattr(joint, mark.along)
                along = numbers(rotate(joint.child_placement.matrix, axis), values)
                place["quaternion"] = turned_to(along)
            on = None if joint.child == WORLD else joint.child
            shape = {"body": on, "kind": mark.kind, "placement": place}
            yield "shapes", {**shape, **_sizes(mark, found), **tags, **(spare or {}), "auto": True}


def grounds(model: Model, found: Outline, values: Values) -> Iterator[Shown]:
    """A bearing where a joint is on the world."""
    given = given_shapes(model)
    for joint in [*model.tree(), *model.cuts()]:
        spare = instead(given.get(joint.child, ()))
        if joint.parent != WORLD or is_loose(joint) or WORLD in given or spare is None:
            continue
        at: dict[str, Any] = {"xyz": list(numbers(joint.placement.xyz, values))}
        if joint.axis is not None:
            along = numbers(rotate(joint.placement.matrix, joint.axis), values)
            at["quaternion"] = turned_to(along)
        size = [rounded(share * found.radius) for share in _BEARING]
        if spans(joint):
            size = _rail(joint, found, values)
            at["xyz"] = _rail_middle(model, joint, values)
        tags = {"joint": joint.name, "material": "ground", "auto": True, **spare}
        tags |= {"owner": joint.child} if spare else {}
        yield "shapes", {"body": None, "kind": "box", "placement": at, "size": size, **tags}


def slide_range(joint: Joint, values: Values) -> tuple[float, float] | None:
    """Least and largest coordinate of a slider, if both ends are told."""
    ends = [None if limit is None else limit[0] for limit in (joint.lower, joint.upper)]
    found = [value_of(end, values) for end in ends if end is not None and is_finite(end)]
    return (found[0], found[1]) if len(found) == 2 else None


def is_finite(end: Any) -> bool:
    """True if a limit is finite, or an expression."""
    return not isinstance(end, float) or isfinite(end)


def _rail(joint: Joint, found: Outline, values: Values) -> list[float]:
    """Size of the rail on the world of a slider."""
    limits = slide_range(joint, values)
    length = 24 * found.radius if limits is None else limits[1] - limits[0] + 5 * found.radius
    return [rounded(size) for size in (1.2 * found.radius, 1.2 * found.radius, length)]


def _rail_middle(model: Model, joint: Joint, values: Values) -> list[float]:
    """Between the limits of a slider, or where its loop is said to close."""
    limits = slide_range(joint, values)
    guess = model.initial_guesses.get(joint.name)
    near = value_of(guess.value, values) if guess and not joint.cut else 0.0
    along = numbers(rotate(joint.placement.matrix, joint.direction), values)
    middle = near if limits is None else sum(limits) / 2
    at = numbers(joint.placement.xyz, values)
    return [x + middle * e for x, e in zip(at, along, strict=True)]


def element_marks(model: Model, found: Outline, values: Values) -> Iterator[Shown]:
    """Springs, cables, arrows, ... as the kinds of elements say.

    A direction that changes with the motion is not drawn.
    """
    first = 0
    for element in model.elements():
        tags = {"element": element.word, "name": element.name}
        radius = rounded(0.3 * found.radius)
        for size in element.drawn_lines():
            points = {"function": "element_lines", "first": first, "count": size}
            first += size
            yield (
                "lines",
                {"kind": "cable", "points": points, "radius": radius, "material": "cable", **tags},
            )
        for record in _of_element(element, found, values):
            yield "lines", {**record, **tags}
        for record in (*_seated(element, found, values), *wheels(model, element, found, values)):
            yield "shapes", {**record, **tags, "material": "joint", "auto": True}


def _seated(element: Element, found: Outline, values: Values) -> Iterator[dict[str, Any]]:
    """A slot or a plate, on the body whose axes tell how it lies."""
    mark, along = element.mark(), element.drawn_along()
    if mark is None or not mark.seated or along is None:
        return
    body, direction = along
    if any(name not in values for name in symbols_of(*direction)):
        return
    for point in element.drawn_at():
        if point.body == body:
            turned = turned_to(numbers(direction, values))
            at = {"xyz": list(numbers(point.xyz, values)), "quaternion": turned}
            on = None if body == WORLD else body
            yield {"body": on, "kind": mark.kind, "placement": at, **_sizes(mark, found)}


def _of_element(element: Element, found: Outline, values: Values) -> Iterator[dict[str, Any]]:
    points, along, mark = element.drawn_at(), element.drawn_along(), element.mark()
    if mark is None and len(points) > 1 and not element.drawn_lines():
        mark = LINE
    if mark is None or not (mark.kind and points) or mark.seated:
        return
    sizes = _sizes(mark, found)
    if mark.spans:
        for a, b in pairwise(points):
            ends = [_place(point, values) for point in (a, b)]
            yield {"kind": mark.kind, "ends": ends, **sizes, "material": mark.kind}
        return
    if along is not None and all(name in values for name in symbols_of(*along[1])):
        direction = [along[0], list(unit(numbers(along[1], values)))]
        for point in points:
            at = _place(point, values)
            yield {
                "kind": mark.kind,
                "at": at,
                "direction": direction,
                **sizes,
                "material": "arrow",
            }


def _place(point: Point, values: Values) -> list[Any]:
    return [point.body, list(numbers(point.xyz, values))]


def _sizes(mark: Mark, found: Outline) -> dict[str, Any]:
    def scaled(value: Any) -> Any:
        if isinstance(value, Sequence):
            return [scaled(entry) for entry in value]
        return rounded(value * found.radius)

    return {word: scaled(value) for word, value in mark.sizes.items()}
