"""Accelerations that belong to a steady motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import places_of


class SteadyAcceleration(Protocol):
    """a(u) of a steady motion, with its derivative."""

    def value(self, u: Array) -> Array:
        """(nu,)"""

    def by_speeds(self, u: Array) -> Array:
        """da/du, (nu, nu)"""


@dataclass(frozen=True)
class ConstantAcceleration:
    """Accelerations that do not depend on the speeds: zero, or given ones."""

    a: Array

    def value(self, u: Array) -> Array:
        """a"""
        return self.a

    def by_speeds(self, u: Array) -> Array:
        """0"""
        return np.zeros((len(u), len(u)))


@dataclass(frozen=True)
class SteadyTurn:
    """A steady turn of a base whose x and y are inertial: (x'', y'') = yaw' (-y', x').

    Speeds along the turning body's axes are constant then. Places are those of the speeds.
    """

    x: int
    y: int
    yaw: int

    def value(self, u: Array) -> Array:
        """Centripetal acceleration."""
        a = np.zeros(len(u))
        a[self.x], a[self.y] = -u[self.yaw] * u[self.y], u[self.yaw] * u[self.x]
        return a

    def by_speeds(self, u: Array) -> Array:
        """Its derivative."""
        slope = np.zeros((len(u), len(u)))
        slope[self.x, self.y], slope[self.y, self.x] = -u[self.yaw], u[self.yaw]
        slope[self.x, self.yaw], slope[self.y, self.yaw] = -u[self.y], u[self.x]
        return slope


def steady_turn(model: CompiledModel, x: str, y: str, yaw: str) -> SteadyTurn:
    """The steady turn whose plane is spanned by the speeds x and y, its rate the speed yaw.

    Raises ValueError for unknown names.
    """
    return SteadyTurn(*places_of((x, y, yaw), model.speeds, "turn: no speed"))
