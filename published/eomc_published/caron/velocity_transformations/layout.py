"""Indices of the coordinates of each body in q and qbar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.systems.flexible_manipulator.model import FlexibleManipulator

Vector = NDArray[Any]
"""Real, or complex for complex steps; extended precision passes through."""

Matrix = NDArray[Any]

P: Matrix = np.array([[0.0, -1.0], [1.0, 0.0]])
"""A quarter turn."""


def turn(angle: Any) -> Matrix:
    """T = [[cos, -sin], [sin, cos]]"""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


@dataclass(frozen=True)
class BlockLayout:
    """Blocks of q and qbar, which have the same sizes: body 1 the platform, 2..N the units.

    Rows of a unit: two translations, the rotor (eta or alpha), psi, modes, length.
    """

    manipulator: FlexibleManipulator

    @property
    def bodies(self) -> int:
        """N"""
        return 1 + self.manipulator.units

    def modes(self, i: int) -> int:
        """Number of modes of body i."""
        m = self.manipulator
        flexible = m.flexible_platform if i == 1 else m.flexible_units
        return m.modes if flexible else 0

    def size(self, i: int) -> int:
        """n_p = 3 + s, n_u = 5 + s"""
        return (3 if i == 1 else 5) + self.modes(i)

    def start(self, i: int) -> int:
        """First place of body i in q."""
        return sum(self.size(k) for k in range(1, i))

    def block(self, i: int) -> slice:
        """Places of body i in q."""
        return slice(self.start(i), self.start(i) + self.size(i))

    @property
    def total(self) -> int:
        """n_s"""
        return self.start(self.bodies + 1)

    def psi(self, i: int) -> int:
        """Place of the angle of body i."""
        return self.start(i) + (2 if i == 1 else 3)

    def delta(self, i: int) -> slice:
        """Places of the modal amplitudes of body i."""
        first = self.psi(i) + 1
        return slice(first, first + self.modes(i))

    def length(self, i: int) -> int:
        """Place of the length of unit i."""
        return self.start(i) + self.size(i) - 1

    def offset(self, i: int) -> slice:
        """Places of d_i, or of D_i."""
        return slice(self.start(i), self.start(i) + 2)

    def rotor(self, i: int) -> int:
        """Place of alpha_i, or of eta_i."""
        return self.start(i) + 2

    def random_state(self, rng: np.random.Generator) -> tuple[Vector, Vector]:
        """(q, q') with every coordinate away from zero, near the ranges of the thesis."""
        q, rate = np.zeros(self.total), rng.normal(size=self.total)
        unit = self.manipulator.unit
        q[:3] = 6.778e6, rng.uniform(-3, 3), rng.uniform(-3, 3)
        rate[:3] *= 50.0, 1e-3, 0.1
        for i in range(1, self.bodies + 1):
            count = self.modes(i)
            q[self.delta(i)] = rng.normal(size=count) * 0.3 / np.arange(1, count + 1) ** 2
            if i == 1:
                continue
            q[self.psi(i)], q[self.rotor(i)] = rng.uniform(-3, 3, 2)
            q[self.offset(i)] = rng.uniform(-0.5, 0.5, 2)
            if i == 2:
                q[self.offset(i)] = rng.uniform(-50, 50), 1.5
            low, high = unit.slewing_length, unit.slewing_length + unit.deployable_length
            q[self.length(i)] = rng.uniform(low, high)
        return q, rate
