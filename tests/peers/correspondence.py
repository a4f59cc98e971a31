"""Where the coordinates and speeds of a model of ours stand in a Pinocchio model of the same robot.

All of it is linear: theirs = map @ ours (+ offset). A permutation if both have the same joints; a
mimic joint, which Pinocchio's model moves freely, takes a row with its multiplier, and forces,
matrices and Jacobians come back through the same map (principle of virtual power).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from eomc.binding.arrays import Array

pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")


@dataclass
class Correspondence:
    """Pinocchio's model and the maps from our coordinates and speeds to its own.

    q_map (nq_theirs, nq_ours), q_offset; u_map (nv_theirs, nu_ours). `circles` are places of
    (cos, sin) pairs in Pinocchio's q, whose angle the map writes into the first of the two.
    `damping`, `friction`, `friction_speed` act on Pinocchio's speeds; Pinocchio's own algorithms
    leave them out.
    """

    model: pin.Model
    q_map: Array
    q_offset: Array
    u_map: Array
    circles: Sequence[int] = ()
    damping: Array = field(default_factory=lambda: np.zeros(0))
    friction: Array = field(default_factory=lambda: np.zeros(0))
    friction_speed: Array = field(default_factory=lambda: np.ones(0))

    @property
    def nu(self) -> int:
        """Number of our speeds."""
        return self.u_map.shape[1]

    @property
    def is_permutation(self) -> bool:
        """Whether both models have the same joints, so that Pinocchio's own inverse applies."""
        return self.u_map.shape[0] == self.u_map.shape[1]

    def q(self, ours: Array) -> Array:
        """Our coordinates as Pinocchio's."""
        theirs = self.q_map @ ours + self.q_offset
        for place in self.circles:
            theirs[place : place + 2] = np.cos(theirs[place]), np.sin(theirs[place])
        return theirs

    def q_back(self, theirs: Array) -> Array:
        """Pinocchio's coordinates as ours; angles of unbounded joints within (-pi, pi]."""
        theirs = theirs.copy()
        for place in self.circles:
            theirs[place] = np.arctan2(theirs[place + 1], theirs[place])
            theirs[place + 1] = self.q_offset[place + 1]
        return np.linalg.lstsq(self.q_map, theirs - self.q_offset, rcond=None)[0]

    def u(self, ours: Array) -> Array:
        """Our speeds, accelerations or tangent displacements as Pinocchio's."""
        return self.u_map @ ours

    def force(self, theirs: Array) -> Array:
        """Pinocchio's generalized forces as ours."""
        return self.u_map.T @ theirs

    def matrix(self, theirs: Array) -> Array:
        """A square matrix over the speeds, forces by rows."""
        return self.u_map.T @ self.columns(theirs)

    def columns(self, theirs: Array) -> Array:
        """A Jacobian."""
        return theirs.reshape(-1, len(self.u_map)) @ self.u_map

    def losses(self, u: Array) -> tuple[Array, Array]:
        """Forces of damping and friction at our speeds `u`, and their derivative by `u`."""
        v = self.u(u)
        if not self.damping.size:
            return np.zeros(self.nu), np.zeros((self.nu, self.nu))
        saturation = np.tanh(v / self.friction_speed)
        force = self.damping * v + self.friction * saturation
        slope = self.damping + self.friction * (1 - saturation**2) / self.friction_speed
        return self.force(force), self.matrix(np.diag(slope))
