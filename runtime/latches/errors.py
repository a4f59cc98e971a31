"""The error that ends a run in which a latch cannot do what it is to do."""

from __future__ import annotations

from eomc.runtime.model.errors import LawError


class LatchError(LawError):
    """A latch that is to close beyond its limits or on a redundant loop, or to open while it is
    open; the message names it, the time and the state."""
