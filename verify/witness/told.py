"""Outputs of elements in one state of a mechanism, and gaps that cannot become negative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.verify.witness import springs, stops
from eomc.verify.witness.involute import strings

if TYPE_CHECKING:
    from eomc.verify.witness.contact import Closed
    from eomc.verify.witness.newton_euler import NewtonEuler


def told(state: NewtonEuler) -> dict[str, float]:
    """Outputs of all elements, by their names."""
    mechanism = state.mechanism
    own = mechanism.own
    found = {} if own is None else own.outputs(state.motions, state.named)
    for spring in mechanism.springs:
        apart, x, v, _ = springs.stretched(state, spring)
        found[f"{spring.name}.length"] = float(np.linalg.norm(apart))
        found[f"{spring.name}.tension"] = springs.tension(state, spring, x, v)
    for unknown in mechanism.unknowns:
        found[f"{unknown.name}.value"] = state.named[unknown.name]
    for tether in state.tethers:
        name = tether.cable.name
        found |= {f"{name}.length": tether.length, f"{name}.slack": tether.rest - tether.length}
    for name, value in mechanism.quantities.items():
        found[f"{name}.value"] = value(state.named)
    found |= stops.told(state)
    elements: list[Any] = [*state.cables, *state.contacts, *strings(state)]
    for telling in elements:
        found |= telling.told()
    return found


def closings(state: NewtonEuler) -> dict[str, Closed]:
    """Gaps that cannot become negative, by name."""
    found = stops.closings(state)
    for contact in state.contacts:
        found |= contact.closing()
    return found
