"""How a picture shows a joint: a few marks along its axes."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BALL", "HINGE", "PLANE", "SECOND_HINGE", "SLIDE", "THREAD", "Mark"]


@dataclass(frozen=True)
class Mark:
    """A shape at the joint, along the direction that an argument of the declaration gives."""

    shape: str
    along: str = ""


HINGE = Mark("hinge", "axis")
SECOND_HINGE = Mark("hinge", "axis2")
SLIDE = Mark("slide", "axis")
THREAD = Mark("thread", "axis")
PLANE = Mark("plane", "axis")
BALL = Mark("ball")
