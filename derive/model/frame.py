"""Frames whose pose, velocity, acceleration and Jacobian the model gives out."""

from __future__ import annotations

from dataclasses import dataclass, field

from eomc.derive.model.errors import Source
from eomc.derive.model.placement import Placement

__all__ = ["Frame"]


@dataclass(frozen=True)
class Frame:
    """A frame fixed in `body` (or "world") at `placement`, in the body's axes."""

    name: str
    body: str
    placement: Placement = Placement()  # noqa: RUF009  (immutable)
    source: Source | None = field(default=None, compare=False, repr=False)
