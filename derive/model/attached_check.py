"""Points of deformable bodies: they move with the body's coordinates, as attachments tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eomc.derive.elements.element import Element
from eomc.derive.fields.field import Fields
from eomc.derive.joints.joint import Joint
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import is_zero
from eomc.derive.placement.placement import Placement, Point

if TYPE_CHECKING:
    from eomc.derive.model.model import Model


def check_attached(model: Model, element: Any) -> None:
    """Raise `ModelError` for coordinates of a point that would stay where the undeformed body has
    it; the origin is the place that carries the body."""
    if not model.deformables:
        return
    for body, xyz in _places(model, element):
        if body in model.deformables and not all(is_zero(x) for x in xyz):
            told = ", ".join(map(str, xyz))
            raise ModelError(
                f"({told}) of the deformable body {body!r} does not move with its coordinates; "
                f"give the point by an attachment: model.attachment('place', body={body!r}, "
                "at=...), or a table [[attachment]], and name 'place' here"
            )


def _places(model: Model, element: Any) -> list[tuple[str, Any]]:
    """Bodies and coordinates in them. The joint that carries a deformable body holds its root,
    at any distance."""
    if isinstance(element, Joint):
        found = [] if element.declaration.rides else [(element.parent, element.placement.xyz)]
        if not any(joint is element for joint in model.tree()):
            found.append((element.child, element.child_placement.xyz))
        return found
    if not isinstance(element, Element) or element.word == "visual":
        return []
    places: list[tuple[str, Any]] = []
    for _, kind, value in element.given():
        if isinstance(value, Placement):
            places += [(body, value.xyz) for body in element.bodies()[:1]]
        points = kind.points(value)
        if isinstance(value, tuple):  # stations of a cable
            points += tuple(p for part in value if isinstance(part, Fields) for p in _points(part))
        places += [(point.body, point.xyz) for point in points]
    return places


def _points(part: Fields) -> list[Point]:
    return [point for _, kind, value in part.given() for point in kind.points(value)]
