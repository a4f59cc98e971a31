"""Motions of bodies as homogeneous 4x4 matrices with their derivatives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array


@dataclass(frozen=True)
class BodyMotion:
    """Pose X, its unit velocities (directions, 4, 4), X' and X'' of one body in the world."""

    x: Array
    units: Array
    rate: Array
    second: Array

    def position(self, r: Array) -> Array:
        """Of the point r (3,) of the body."""
        return self.x[:3, :3] @ r + self.x[:3, 3]

    def velocity(self, r: Array) -> Array:
        """Of the point r of the body."""
        return self.rate[:3, :3] @ r + self.rate[:3, 3]

    def acceleration(self, r: Array) -> Array:
        """Of the point r of the body."""
        return self.second[:3, :3] @ r + self.second[:3, 3]

    def partial_velocities(self, r: Array) -> Array:
        """(directions, 3): velocities of the point r at unit speeds."""
        return self.units[:, :3, :3] @ r + self.units[:, :3, 3]

    @property
    def rotation(self) -> Array:
        """R_world_body."""
        return self.x[:3, :3]

    @property
    def angular_velocity(self) -> Array:
        """w of R' R^T = [w]x."""
        return _axial(self.rate[:3, :3] @ self.rotation.T)

    @property
    def angular_acceleration(self) -> Array:
        """w' of R'' R^T = [w']x + [w]x^2, whose second term is symmetric."""
        return _axial(self.second[:3, :3] @ self.rotation.T)

    @property
    def partial_angular_velocities(self) -> Array:
        """(directions, 3): angular velocities at unit speeds."""
        products = self.units[:, :3, :3] @ self.rotation.T
        return np.array([_axial(product) for product in products]).reshape(-1, 3)

    def then(self, other: BodyMotion) -> BodyMotion:
        """The product X1 X2 with its derivatives."""
        return BodyMotion(
            self.x @ other.x,
            self.units @ other.x + self.x @ other.units,
            self.rate @ other.x + self.x @ other.rate,
            self.second @ other.x + 2 * self.rate @ other.rate + self.x @ other.second,
        )


def _axial(matrix: Array) -> Array:
    """The vector of the skew part."""
    skew = (matrix - matrix.T) / 2
    return np.array([skew[2, 1], skew[0, 2], skew[1, 0]])


def constant(x: Array, directions: int) -> BodyMotion:
    """A pose that does not change."""
    zero = np.zeros((4, 4))
    return BodyMotion(x, np.zeros((directions, 4, 4)), zero, zero)
