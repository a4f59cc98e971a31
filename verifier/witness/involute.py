"""The cable of a string that unwinds, in numbers, by its taut and its free length alone.

With l(q), l0 = r phi and eps = l/l0 - 1 of the joint's coordinates the spring is the slope of its
energy V = A E eps_+^2 l0/2, or does the work of the elongation, -F d(l - l0); the damping does that
or the work of the strain, -F (dl - (1 + eps) dl0). Slopes are complex steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.joint_motion import STRINGS
from eomc.verifier.witness.mechanism import UnwindingCable

if TYPE_CHECKING:
    from eomc.verifier.witness.newton_euler import NewtonEuler

_STEP = 1e-40
_STRAINS: dict[str, Callable[[Any, Any], Any]] = {
    "involute_elongation": lambda r, q: q[1] / (r * q[0]),
    "involute_strain": lambda r, q: q[1],
    "involute_length": lambda r, q: q[1] / (r * q[0]) - 1,
}


class UnwindingInState:
    """At the coordinates and rates of its joint."""

    def __init__(self, cable: UnwindingCable, values: Mapping[str, Array]) -> None:
        self.cable = cable
        self.q = np.array([c.value(values) for c in cable.coordinates], dtype=complex)
        self.rates = np.array([s.value(values) for s in cable.speeds])

    def _taut(self, q: Any) -> Any:
        return STRINGS[self.cable.kind](self.cable.radius, q)

    def _free(self, q: Any) -> Any:
        return self.cable.radius * q[0]

    def _strain(self, q: Any) -> Any:
        return _STRAINS[self.cable.kind](self.cable.radius, q)

    def _pulling(self, strain: Any) -> Any:
        """eps_+"""
        width = self.cable.width
        if width:
            return (strain + np.sqrt(strain**2 + width**2)) / 2
        return strain if np.real(strain) > 0 else 0 * strain

    def _energy(self, q: Any) -> Any:
        return self.cable.stiffness * self._pulling(self._strain(q)) ** 2 * self._free(q) / 2

    def _slopes(self, f: Callable[[Any], Any]) -> Array:
        return np.array([f(self.q + 1j * _STEP * unit).imag for unit in np.eye(2)]) / _STEP

    @cached_property
    def tensions(self) -> tuple[float, float]:
        """By the strain, and by its rate."""
        cable, strain = self.cable, float(np.real(self._strain(self.q)))
        pulling, rising = self._pulling(strain), self._pulling(strain + 1j * _STEP).imag / _STEP
        spring = cable.stiffness * pulling * (rising if cable.elasticity == "energy" else 1.0)
        damper = cable.viscosity * rising * float(self._slopes(self._strain) @ self.rates)
        if cable.damping == "pulls":
            damper = max(damper, -spring)
        return float(spring), float(damper)

    def forces(self) -> tuple[Array, Array, float]:
        """On the joint's speeds, with a potential and without; the energy."""
        spring, damper = self.tensions
        taut, free = self._slopes(self._taut), self._slopes(self._free)
        strain = float(np.real(self._strain(self.q)))
        paid = 1.0 if self.cable.dissipation == "elongation" else 1 + strain
        lossy = -damper * (taut - paid * free) if damper else np.zeros(2)
        if self.cable.elasticity == "energy":
            return -self._slopes(self._energy), lossy, float(np.real(self._energy(self.q)))
        return np.zeros(2), lossy - spring * (taut - free), 0.0

    def told(self) -> dict[str, float]:
        """Tension, strain, both lengths."""
        values = (sum(self.tensions), *(f(self.q) for f in (self._strain, self._taut, self._free)))
        words = ("tension", "strain", "length", "rest_length")
        pairs = zip(words, values, strict=True)
        return {f"{self.cable.name}.{word}": float(np.real(value)) for word, value in pairs}


def strings(state: NewtonEuler) -> list[UnwindingInState]:
    """Cables of strings that unwind in a state of the mechanism."""
    return [UnwindingInState(cable, state.values) for cable in state.mechanism.unwinding]


def at_joints(state: NewtonEuler, kept: Array, other: Array) -> float:
    """Add their forces with and without a potential on unit speeds; the energy of the former."""
    energy = 0.0
    for string in strings(state):
        elastic, lossy, stored = string.forces()
        energy += stored
        for k, speed in enumerate(string.cable.speeds):
            if speed.array:
                kept[state.direction(speed)] += speed.factor * elastic[k]
                other[state.direction(speed)] += speed.factor * lossy[k]
    return energy
