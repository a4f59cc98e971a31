"""M q'' + F = Q + P Lambda: mass matrix, its O(N) inverse, nonlinear terms, accelerations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc_published.caron.velocity_transformations import potential
from eomc_published.caron.velocity_transformations.attachment import decoupled
from eomc_published.caron.velocity_transformations.decoupled_mass import mass_block, mass_block_rate
from eomc_published.caron.velocity_transformations.layout import BlockLayout, Matrix, Vector
from eomc_published.caron.velocity_transformations.material import ElementBody, bodies
from eomc_published.caron.velocity_transformations.transformations import (
    first,
    own_blocks,
    relative_blocks,
    second,
    second_rate,
)


class TransformedEquations:
    """Equations of a manipulator; q and q' as in `BlockLayout`.

    Parameters
    ----------
    manipulator : Manipulator
        Its data; which coordinates are specified is decided in `accelerations`.
    """

    def __init__(self, manipulator: FlexibleManipulator) -> None:
        self.manipulator = manipulator
        self.layout = BlockLayout(manipulator)

    @cached_property
    def bodies(self) -> dict[int, ElementBody]:
        """All bodies by number."""
        return bodies(self.layout)

    # -- kinematics ------------------------------------------------------------------------------

    def decoupled(self, q: Vector) -> Vector:
        """qbar(q)"""
        return decoupled(self.layout, self.bodies, q)

    def first_transformation(self, q: Vector) -> Matrix:
        """[I - R^C]^-1 R"""
        return first(self.layout, self.bodies, q)

    def second_transformation(self, q: Vector) -> Matrix:
        """R^v"""
        return second(self.layout, self.bodies, q)

    # -- mass ------------------------------------------------------------------------------------

    def decoupled_mass(self, q: Vector) -> Matrix:
        """Mbar, block diagonal."""
        full = np.zeros((self.layout.total, self.layout.total), dtype=q.dtype)
        for i, body in self.bodies.items():
            block = self.layout.block(i)
            full[block, block] = mass_block(self.layout, body, i, q)
        return full

    def mass_matrix(self, q: Vector) -> Matrix:
        """M = R^vT Mbar R^v"""
        r = self.second_transformation(q)
        return np.asarray(r.T @ self.decoupled_mass(q) @ r)

    def solve(self, q: Vector, force: Vector) -> Vector:
        """M^-1 force = R^-1 [I - R^C] Mbar^-1 [I - R^C]^T R^-T force, in O(N)."""
        layout, n = self.layout, self.layout.bodies
        own = own_blocks(layout, self.bodies, q)
        carry = relative_blocks(layout, self.bodies, q)
        y = {i: np.linalg.solve(own[i].T, force[layout.block(i)]) for i in own}
        z = {i: y[i] - carry[i + 1].T @ y[i + 1] if i < n else y[i] for i in own}
        w = {i: np.linalg.solve(mass_block(layout, self.bodies[i], i, q), z[i]) for i in own}
        x = {i: w[i] - carry[i] @ w[i - 1] if i > 1 else w[i] for i in own}
        return np.concatenate([np.linalg.solve(own[i], x[i]) for i in own])

    # -- nonlinear terms -------------------------------------------------------------------------

    def mass_matrix_rate(self, q: Vector, dq: Vector) -> Matrix:
        """Derivative of M along dq (IV.3); M' for dq = q'."""
        r, mass = self.second_transformation(q), self.decoupled_mass(q)
        dr, d_mass = second_rate(self.layout, self.bodies, q, dq), self._decoupled_rate(q, dq)
        half = dr.T @ mass @ r
        return np.asarray(half + half.T + r.T @ d_mass @ r)

    def energy_gradient(self, q: Vector, rate: Vector) -> Vector:
        """d(q'^T M q')/dq_k = q'^T {2 (dR^vT/dq_k) Mbar R^v + R^vT (dMbar/dq_k) R^v} q' (IV.6)."""
        velocity = self.second_transformation(q) @ rate
        momentum = self.decoupled_mass(q) @ velocity
        gradient = np.zeros(self.layout.total, dtype=q.dtype)
        for k, unit in enumerate(np.eye(self.layout.total)):
            dr = second_rate(self.layout, self.bodies, q, unit)
            d_mass = self._decoupled_rate(q, unit)
            gradient[k] = 2 * rate @ (dr.T @ momentum) + velocity @ d_mass @ velocity
        return gradient

    def _decoupled_rate(self, q: Vector, dq: Vector) -> Matrix:
        full = np.zeros((self.layout.total, self.layout.total), dtype=q.dtype)
        for i, body in self.bodies.items():
            block = self.layout.block(i)
            full[block, block] = mass_block_rate(self.layout, body, i, q, dq)
        return full

    def gravity(self, q: Vector, field: str | None = None) -> Vector:
        """dV_g/dq; `field` as the manipulator's gravity by default, or "exact"."""
        if field is None and not self.manipulator.gravity:
            return np.zeros(self.layout.total, dtype=q.dtype)
        field = self.manipulator.about if field is None else field
        by_qbar = potential.gravity_gradient(self.layout, self.bodies, q, field)
        # (r_0, theta) are in both sets of coordinates.
        return np.asarray(self.second_transformation(q).T @ by_qbar)

    def gravity_potential(self, q: Vector, field: str) -> Any:
        """V_g [J]"""
        return potential.gravity_potential(self.layout, self.bodies, q, field)

    def strain(self, q: Vector) -> Vector:
        """dV_e/dq"""
        return potential.strain_gradient(self.layout, self.bodies, q)

    def strain_energy(self, q: Vector) -> Any:
        """V_e [J]"""
        return potential.strain_energy(self.layout, self.bodies, q)

    def nonlinear(self, q: Vector, rate: Vector) -> Vector:
        """F = M' q' - d(q'^T M q')/dq / 2 + dV/dq"""
        inertial = self.mass_matrix_rate(q, rate) @ rate - self.energy_gradient(q, rate) / 2
        return np.asarray(inertial + self.gravity(q) + self.strain(q))

    # -- motion ----------------------------------------------------------------------------------

    def accelerations(
        self,
        q: Vector,
        rate: Vector,
        force: Vector | None = None,
        specified: Mapping[int, float] | None = None,
    ) -> tuple[Vector, Vector]:
        """(q'', Lambda): multipliers keep the accelerations of the specified places of q.

        Lambda = (P^T M^-1 P)^-1 (q_s'' - P^T M^-1 (Q - F))                           (2.79)-(2.83)
        """
        right = -self.nonlinear(q, rate)
        if force is not None:
            right = right + force
        free = self.solve(q, right)
        places = list(specified or {})
        if not places:
            return free, np.zeros(0)
        columns = np.array([self.solve(q, unit) for unit in np.eye(self.layout.total)[places]]).T
        wanted = np.array([(specified or {})[place] for place in places])
        multipliers = np.linalg.solve(columns[places], wanted - free[places])
        return free + columns @ multipliers, multipliers
