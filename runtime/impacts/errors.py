"""The error that ends a run with rigid contacts, where friction leaves no motion or several."""

from __future__ import annotations

from eomc.runtime.model.errors import SimulationError


class PainleveError(SimulationError):
    """A sliding contact whose pressing force does not part it: with this friction no motion, or
    more than one, goes on from the state (Painleve)."""
