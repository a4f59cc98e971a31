"""The explicit model: mass matrix and nonlinear terms from the formats of the energy's terms.

    H q'' + C = Q,    C = C1 q' + C2                                              (3.14), (3.22a)

    H_ij = M dR/dq_i.dR/dq_j
         + sum_k (m_k dr_k/dq_i.dr_k/dq_j + domega_k/dq'_i . I_k . domega_k/dq'_j)
         + (sum_k m_k dr_k/dq_i).dR/dq_j + (sum_k m_k dr_k/dq_j).dR/dq_i             (3.21), (3.53)
    C1_ij = (dR/dq_i + dr_k/dq_i) m_k . sum_s d2r_k/dq_s dq_j q'_s
         + domega_k/dq'_i . I_k . domega_k/dq_j + omega_k . I_k . d2omega_k/dq'_i dq_j       (3.22b)
    C2_i = -omega_k . I_k . domega_k/dq_i                                                    (3.22c)

summed over all bodies k. Positions r_k are differentiated in inertial axes, angular velocities
omega_k in the axes of their own body, where I_k is constant. With barycentric vectors r_k is rho_k,
body 0 included, and the terms that couple r_k to R add up to zero. Every elementary vector is a
named intermediate that H and C share. Moosavian 1996, sections 3.3 and 3.4, appendix A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.differentiation import vector_derivatives, vectors_along
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.kinetic_energy import principal

Matrix = list[list[Expression]]


@dataclass(frozen=True)
class _Spin:
    """Derivatives of one body's angular velocity, in its axes."""

    momentum: Vector
    by_rate: tuple[Vector, ...]
    weighted_by_rate: tuple[Vector, ...]
    by_coordinate: tuple[Vector, ...]
    mixed: tuple[tuple[Vector, ...], ...]


class ExplicitDynamics:
    """H, C1, C2 and C in the coordinate rates of a chain.

    Parameters
    ----------
    kinematics : DirectPath or Barycentric
        Of a chain with speeds "rates".
    """

    def __init__(self, kinematics: Kinematics) -> None:
        self.kinematics = kinematics
        self.chain = kinematics.chain
        self.zero = self.chain.zero
        self._still = Vector(self.zero, self.zero, self.zero)
        self._size = len(self.chain.q)

    # -- elementary vectors ----------------------------------------------------------------------

    @cached_property
    def _reference(self) -> list[Vector]:
        """dR/dq_i"""
        return [by[0] for by in vector_derivatives([self.chain.reference], self.chain.q)]

    @cached_property
    def _masses(self) -> list[Expression]:
        return [self.chain.mass(body) for body in self.chain.bodies]

    @cached_property
    def _positions(self) -> list[list[Vector]]:
        """[k][i] = dr_k/dq_i"""
        positions = [self.kinematics.position[body] for body in self.chain.bodies]
        by_q = vector_derivatives(positions, self.chain.q)
        return [list(column) for column in zip(*by_q, strict=True)]

    @cached_property
    def _position_rates(self) -> list[list[Vector]]:
        """[k][j] = sum_s d2r_k/dq_s dq_j q'_s"""
        direction = dict(zip(self.chain.q, self.chain.speeds, strict=True))
        return [vectors_along(row, direction) for row in self._positions]

    @cached_property
    def _spins(self) -> list[_Spin]:
        chain = self.chain
        omega = [chain.body_rates[body] for body in chain.bodies]
        by_rates = vector_derivatives(omega, chain.speeds)
        by_q = vector_derivatives(omega, chain.q)
        spins = []
        for k, body in enumerate(chain.bodies):
            moments = chain.inertia(body)
            by_rate = [row[k] for row in by_rates]
            mixed = vector_derivatives(by_rate, chain.q)
            spins.append(
                _Spin(
                    principal(moments, omega[k]),
                    tuple(by_rate),
                    tuple(principal(moments, v) for v in by_rate),
                    tuple(row[k] for row in by_q),
                    tuple(tuple(row[i] for row in mixed) for i in range(self._size)),
                )
            )
        return spins

    @cached_property
    def _carried(self) -> list[Vector]:
        """sum_k m_k dr_k/dq_i; zero about the system's centre of mass."""
        if not self.kinematics.coupled:
            return [self._still] * self._size
        return self._weighted(self._positions)

    def _weighted(self, vectors: Sequence[Sequence[Vector]]) -> list[Vector]:
        columns = zip(*vectors, strict=True)
        return [
            sum((v * m for m, v in zip(self._masses, column, strict=True)), start=self._still)
            for column in columns
        ]

    # -- the equations ---------------------------------------------------------------------------

    @cached_property
    def mass_matrix(self) -> Matrix:
        """H (N, N)"""
        lower = [[self._mass(i, j) for j in range(i + 1)] for i in range(self._size)]
        n = range(self._size)
        return [[lower[max(i, j)][min(i, j)] for j in n] for i in n]

    def _mass(self, i: int, j: int) -> Expression:
        reference, carried = self._reference, self._carried
        entry = reference[i].dot(reference[j]) * self.chain.total_mass
        entry = entry + carried[i].dot(reference[j]) + carried[j].dot(reference[i])
        for mass, by in zip(self._masses, self._positions, strict=True):
            entry = entry + by[i].dot(by[j]) * mass
        for spin in self._spins:
            entry = entry + spin.by_rate[i].dot(spin.weighted_by_rate[j])
        return entry

    @cached_property
    def nonlinear_matrix(self) -> Matrix:
        """C1 (N, N)"""
        return [[self._nonlinear(i, j) for j in range(self._size)] for i in range(self._size)]

    @cached_property
    def _carried_rates(self) -> list[Vector]:
        if not self.kinematics.coupled:
            return [self._still] * self._size
        return self._weighted(self._position_rates)

    def _nonlinear(self, i: int, j: int) -> Expression:
        entry = self._reference[i].dot(self._carried_rates[j])
        for mass, by, rate in zip(self._masses, self._positions, self._position_rates, strict=True):
            entry = entry + by[i].dot(rate[j]) * mass
        for spin in self._spins:
            entry = entry + spin.weighted_by_rate[i].dot(spin.by_coordinate[j])
            entry = entry + spin.momentum.dot(spin.mixed[i][j])
        return entry

    @cached_property
    def nonlinear_vector(self) -> list[Expression]:
        """C2 (N,)"""
        return [
            -sum((s.momentum.dot(s.by_coordinate[i]) for s in self._spins), start=self.zero)
            for i in range(self._size)
        ]

    @cached_property
    def nonlinear_terms(self) -> list[Expression]:
        """C = C1 q' + C2 (N,), the products with q' taken before those with the inertias."""
        rates = self.chain.speeds
        accelerations = [_along(row, rates, self._still) for row in self._position_rates]
        carried = self._still
        if self.kinematics.coupled:
            weighted = zip(self._masses, accelerations, strict=True)
            carried = sum((a * mass for mass, a in weighted), start=self._still)
        forces = [a * mass for a, mass in zip(accelerations, self._masses, strict=True)]
        turning = [_along(spin.by_coordinate, rates, self._still) for spin in self._spins]
        terms = []
        for i, second in enumerate(self.nonlinear_vector):
            entry = second + self._reference[i].dot(carried)
            for by, force in zip(self._positions, forces, strict=True):
                entry = entry + by[i].dot(force)
            for spin, rate in zip(self._spins, turning, strict=True):
                entry = entry + spin.weighted_by_rate[i].dot(rate)
                entry = entry + spin.momentum.dot(_along(spin.mixed[i], rates, self._still))
            terms.append(entry)
        return terms


def _along(vectors: Sequence[Vector], rates: Sequence[Expression], still: Vector) -> Vector:
    """sum_j vectors[j] q'_j"""
    return sum((v * rate for v, rate in zip(vectors, rates, strict=True)), start=still)
