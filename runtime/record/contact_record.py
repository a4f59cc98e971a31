"""Rigid contacts in a record: impacts, modes and times of events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class ContactRecord(Protocol):
    """Impacts in order (`eomc.runtime.impact.Impact`), times of events by ``contact.what``, and
    the modes of contacts during a time."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def impacts(self) -> Sequence[Any]: ...
    @property
    def starts(self) -> Sequence[float]: ...
    @property
    def times(self) -> Mapping[str, Sequence[float]]: ...
    def during(self, t: float) -> Any: ...
