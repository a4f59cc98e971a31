"""Rigid contacts in a record: impacts, modes and times of events."""

from __future__ import annotations

from typing import Any, Protocol


class ContactRecord(Protocol):
    """Of a run from event to event `impacts` in order (`eomc.runtime.impact.Impact`), times of
    events by ``contact.what``, and the modes of contacts during a time; of one in steps `impulses`,
    see `eomc.runtime.impact.contact_steps.SteppedContacts`."""

    @property
    def names(self) -> tuple[str, ...]: ...
    def __getattr__(self, name: str) -> Any: ...
