"""The marks of a model as plain values, for a manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from eomc.derive.drawing.mark import LINE, Mark, Outline
from eomc.derive.elements.element import Element
from eomc.derive.joints.joint import Joint
from eomc.derive.language.scalar import symbols_of
from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model
from eomc.derive.placement.placement import Point
from eomc.derive.placement.rotation import rotate

__all__ = ["drawing"]

#: Word and name of what is shown, its mark, points at which it stands, body and direction.
_Shown = tuple[str, str, Mark, Sequence[Point], tuple[str, Sequence[Any]] | None]


def drawing(model: Model) -> dict[str, Any]:
    """Marks with the points [m] and directions in bodies at which they stand, all parameters at
    their defaults, and outlines as text, x y z of one point after the other.

    A direction that changes with the motion is not drawn. `lines` are those of the function
    `element_lines`, each of so many points.
    """
    values = model.defaults()
    shown = [
        *(mark for joint in model.joints.values() for mark in _of_joint(joint)),
        *(mark for element in model.elements() for mark in _of_element(element, values)),
    ]
    outlines = list(dict.fromkeys(mark.outline for _, _, mark, _, _ in shown))

    def place(body: str, vector: Sequence[Any]) -> dict[str, Any]:
        return {"body": body, "at": [value_of(entry, values) for entry in vector]}

    marks = [
        {
            "element": word,
            "name": name,
            "outline": outlines.index(mark.outline),
            "spans": mark.spans,
            "points": [place(point.body, point.xyz) for point in points],
            **({} if along is None else {"along": place(*along)}),
        }
        for word, name, mark, points, along in shown
    ]
    lines = [
        {"element": element.word, "name": element.name, "points": list(sizes)}
        for element in model.elements()
        if (sizes := element.drawn_lines())
    ]
    found = {"outlines": list(map(_text, outlines)), "marks": marks} if marks else {}
    return found | ({"lines": lines} if lines else {})


def _of_joint(joint: Joint) -> Iterator[_Shown]:
    ends = [Point(joint.parent, joint.placement.xyz), Point(joint.child, joint.child_placement.xyz)]
    for mark in joint.declaration.drawn:
        along = None
        if mark.along:
            axis = dict(joint.own).get(mark.along) or getattr(joint, mark.along)
            along = joint.child, rotate(joint.child_placement.matrix, axis)
        yield "joint", joint.name, mark, ends if mark.spans else ends[1:], along


def _of_element(element: Element, values: Mapping[str, float]) -> Iterator[_Shown]:
    points, along, mark = element.drawn_at(), element.drawn_along(), element.drawn
    if mark is None and len(points) > 1:
        mark = LINE
    if mark is None or not points:
        return
    if along is None or all(name in values for name in symbols_of(*along[1])):
        yield element.word, element.name, mark, points, along


def _text(outline: Outline) -> str:
    return " ".join(f"{entry:g}" for point in outline for entry in point)
