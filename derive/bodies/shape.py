"""A form that works out its own equations on the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from eomc.derive.bodies.body import Body
from eomc.derive.geometry import Inertia
from eomc.derive.graph import Expression
from eomc.derive.motions.motion import Motion

__all__ = ["DeformedShape", "Read"]

Read = Callable[[Any], Expression]
"""A scalar of the declaration as an expression of the graph."""


class DeformedShape(Protocol):
    """A deformable body on the graph, as the tree needs it."""

    def body(self, rigid: Inertia, xi: Sequence[Expression]) -> Body:
        """At internal coordinates xi, with an inertia fixed to the body's frame."""

    def place(self, station: Any) -> Motion | None:
        """The motion of a station, a function of xi; None if the form tells it by an attachment."""
