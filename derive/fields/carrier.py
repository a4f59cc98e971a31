"""Puts values of fields in terms of the bodies and coordinates that are left when bodies merge."""

from __future__ import annotations

from typing import Any, Protocol

from eomc.derive.language.scalar import Vector3
from eomc.derive.placement.placement import Placement, Point

__all__ = ["FieldCarrier"]


class FieldCarrier(Protocol):
    """The part of `eomc.derive.elements.carrier.Carrier` that fields use."""

    def place(self, body: str) -> tuple[str, Placement]: ...
    def at(self, point: Point) -> Point: ...
    def turned(self, direction: Vector3, body: str) -> Vector3: ...
    def within(self, value: Any) -> Any: ...
