"""Collision shapes of robot files: what contacts may be made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eomc.derive.language.errors import Source
from eomc.derive.placement.placement import Placement

__all__ = ["Collision", "contact_shape", "numbered", "pictured_shape"]


@dataclass(frozen=True)
class Collision:
    """A collision shape of a link: in the words of a contact's shape, without its place.

    A mesh has the kind "mesh" and its `file` and `scale`, or its `points` (n, 3). A plane has its
    normal along z.
    """

    name: str
    link: str
    shape: Mapping[str, Any]
    placement: Placement
    source: Source
    friction: float | None = None


def numbered(link: str, collisions: list[Collision]) -> str:
    """Name of the next shape of a link."""
    return f"{link}_{1 + sum(other.link == link for other in collisions)}"


def contact_shape(visual: Mapping[str, Any]) -> dict[str, Any]:
    """A shape in the words of pictures in those of contacts.

    >>> contact_shape({"kind": "cylinder", "radius": 0.1, "length": 0.4})
    {'kind': 'cylinder', 'radius': 0.1, 'half_length': 0.2, 'points': 3}
    """
    kind = visual["kind"]
    if kind == "box":
        return {"kind": kind, "half_sizes": [size / 2 for size in visual["size"]]}
    if kind == "ellipsoid":
        return {"kind": kind, "semi_axes": visual["radii"]}
    if kind == "sphere":
        return {"kind": kind, "radius": visual["radius"]}
    if kind in ("capsule", "cylinder"):
        points = {"points": 3} if kind == "cylinder" else {}
        sizes = {"radius": visual["radius"], "half_length": visual["length"] / 2}
        return {"kind": kind, **sizes, **points}
    return dict(visual)


def pictured_shape(shape: Mapping[str, Any]) -> dict[str, Any]:
    """A shape in the words of contacts in those of pictures, the inverse of `contact_shape`.

    >>> pictured_shape({"kind": "cylinder", "radius": 0.1, "half_length": 0.2, "points": 3})
    {'kind': 'cylinder', 'radius': 0.1, 'length': 0.4}
    """
    kind = shape["kind"]
    if kind == "box":
        return {"kind": kind, "size": [2 * half for half in shape["half_sizes"]]}
    if kind == "ellipsoid":
        return {"kind": kind, "radii": shape["semi_axes"]}
    if kind in ("capsule", "cylinder"):
        return {"kind": kind, "radius": shape["radius"], "length": 2 * shape["half_length"]}
    return dict(shape)
