"""Ends of ways of coordinates in one state of a mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.contact import Closed
from eomc.verifier.witness.contact_laws import Pressing, depth
from eomc.verifier.witness.mechanism import WitnessStop

if TYPE_CHECKING:
    from eomc.verifier.witness.newton_euler import NewtonEuler


def _ends(
    state: NewtonEuler, stop: WitnessStop
) -> Iterator[tuple[str, int, float, float, Pressing]]:
    """Word, sign, gap, its rate and what presses."""
    q, v = stop.coordinate.value(state.values), stop.speed.value(state.values)
    for word, end, sign in stop.ends:
        gap, rate = sign * (q - end), sign * v
        at = depth(gap, rate, stop.width, stop.smoothing)
        yield word, sign, gap, rate, stop.pressing(at, state.named)


def at_ends(state: NewtonEuler, kept: Array, other: Array) -> float:
    """Add the forces with and without a potential on unit speeds; the energy of the former."""
    energy = 0.0
    for stop in state.mechanism.stops:
        for _, sign, _, _, found in _ends(state, stop):
            energy += found.energy
            if stop.speed.array:
                place, factor = state.direction(stop.speed), sign * stop.speed.factor
                kept[place] += factor * found.elastic
                other[place] += factor * (found.force - found.elastic)
    return energy


def pressed(state: NewtonEuler, stop: WitnessStop) -> float:
    """The force of both ends on the speed."""
    return float(sum(sign * found.force for _, sign, _, _, found in _ends(state, stop)))


def told(state: NewtonEuler) -> dict[str, float]:
    """Gaps and forces by name."""
    found = {}
    for stop in state.mechanism.stops:
        for word, _, gap, _, pressing in _ends(state, stop):
            found[f"{stop.name}.{word}_gap"] = gap
            if stop.rigid is None:
                found[f"{stop.name}.{word}_normal_force"] = pressing.force
    return found


def closings(state: NewtonEuler) -> dict[str, Closed]:
    """Of rigid ones, by name."""
    found = {}
    for stop in state.mechanism.stops:
        for word, _, gap, rate, _ in _ends(state, stop) if stop.rigid is not None else ():
            assert stop.rigid is not None
            along, laws = np.array([1.0, 0.0, 0.0]), (*stop.rigid, 0.0, 0.0)
            found[f"{stop.name}.{word}"] = Closed(gap, along, rate * along, laws, np.zeros(3))
    return found
