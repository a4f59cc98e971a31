"""Marks by which a picture shows joints and elements; their sizes are in radii of the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = [
    "ARROW",
    "BALL",
    "COIL",
    "DAMPER",
    "HINGE",
    "LINE",
    "NOTHING",
    "PLATE",
    "RAIL",
    "SECOND_HINGE",
    "SLIDE",
    "SLOT",
    "THREAD",
    "TURN",
    "Mark",
]

Sizes = Mapping[str, float | tuple[float, ...] | tuple[tuple[float, float, float], ...]]


@dataclass(frozen=True)
class Mark:
    """A shape, or a line between points, of one of the kinds that pictures know.

    `sizes` are lengths in radii of the picture, which follow the size of the model. One that
    `spans` is a line ("rod", "spring", "damper") from point to point: of a joint, from the origin
    of one of its frames to that of the other. Any other one stands at one point, with its z axis
    along the direction that the argument `along` of the declaration gives: of a joint, at the
    child's joint frame ("cylinder", "box", "sphere", or "line" with `points`); of an element
    ("arrow", "turn"), along the direction that is among its fields. One that is `seated` is a shape
    of the body in whose axes that direction is, at the point of the element on it.
    """

    kind: str
    sizes: Sizes = field(default_factory=dict, hash=False)
    along: str = ""
    spans: bool = False
    seated: bool = False


HINGE = Mark("cylinder", {"radius": 1.45, "length": 3.6}, "axis")
SECOND_HINGE = Mark("cylinder", {"radius": 1.45, "length": 3.6}, "axis_2")
SLIDE = Mark("box", {"size": (3.0, 3.0, 4.6)}, "axis")
THREAD = Mark("cylinder", {"radius": 1.0, "length": 7.0}, "axis")
BALL = Mark("sphere", {"radius": 1.7})
NOTHING = Mark("")
LINE = Mark("rod", {"radius": 0.3}, spans=True)
RAIL = Mark("rod", {"radius": 0.5}, spans=True)
COIL = Mark("spring", {"radius": 1.3}, spans=True)
DAMPER = Mark("damper", {"radius": 1.1}, spans=True)
ARROW = Mark("arrow", {"radius": 0.45, "length": 9.0})
TURN = Mark("turn", {"radius": 3.5, "length": 5.0})
SLOT = Mark(
    "line",
    {
        "points": (
            (-1.5, 0, -11),
            (-1.5, 0, 11),
            (0, 0, 12),
            (1.5, 0, 11),
            (1.5, 0, -11),
            (0, 0, -12),
            (-1.5, 0, -11),
        ),
        "radius": 0.3,
    },
    seated=True,
)
PLATE = Mark("box", {"size": (16.0, 16.0, 0.3)}, seated=True)
