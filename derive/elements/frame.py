"""Frames whose pose, velocity, acceleration and Jacobian the model gives out."""

from __future__ import annotations

from eomc.derive.elements.element import Element
from eomc.derive.fields.field import Placed, body, placement
from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import WORLD
from eomc.derive.language.registry import kind
from eomc.derive.placement.placement import Placement

__all__ = ["Frame"]


@kind("frame")
class Frame(Element):
    """A frame fixed in `body` (or "world") at `placement`, in the body's axes.

    Its kinematics can be asked for.
    """

    body: str = body("in which it is fixed")
    placement: Placed = placement("in the body's frame", of="body", default=Placement())

    def check(self) -> None:
        """The world is a frame by itself."""
        if self.name == WORLD and not (self.body == WORLD and self.placement.is_identity):
            raise ModelError("'world' is the base; choose another name")
