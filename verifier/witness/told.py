"""Outputs of elements in one state of a mechanism, and gaps that cannot become negative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.verifier.witness import springs, stops
from eomc.verifier.witness.involute import strings

if TYPE_CHECKING:
    from eomc.verifier.witness.contact import Closed
    from eomc.verifier.witness.newton_euler import NewtonEuler


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


def kinked(state: NewtonEuler) -> dict[str, float]:
    """Forces that end at a kink and are zero beyond, by the name of what changes sign there."""
    found, values = dict[str, float](), told(state)
    mechanism = state.mechanism
    cables: list[Any] = [*mechanism.cables, *mechanism.lines, *mechanism.unwinding]
    for cable in cables:
        if getattr(cable, "width", 1) == 0 and getattr(cable, "law", None) is None:
            found[f"{cable.name}.taut"] = values[f"{cable.name}.tension"]
    for contact in mechanism.contacts:
        if contact.rigid is None and contact.width == 0:
            for name, force in values.items():
                if name.startswith(f"{contact.name}.normal_force"):
                    found[name.replace(".normal_force", ".touch")] = force
    for stop in mechanism.stops:
        if stop.rigid is None and stop.width == 0:
            for word, *_ in stop.ends:
                found[f"{stop.name}.touch_{word}"] = values[f"{stop.name}.{word}_normal_force"]
    return found


def closings(state: NewtonEuler) -> dict[str, Closed]:
    """Gaps that cannot become negative, by name."""
    found = stops.closings(state)
    for contact in state.contacts:
        found |= contact.closing()
    return found
