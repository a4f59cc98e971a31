"""Accelerations and Lagrange multipliers of constrained motion.

    M a - A^T lambda = f,      A a = b

M is factored as L^T D L, the multipliers follow from the Schur complement A M^-1 A^T:

    (A M^-1 A^T) lambda = b - A M^-1 f,      a = M^-1 (f + A^T lambda)

A mass matrix that is singular by itself (a coordinate without inertia that the constraints tie to
others) is replaced by M + A^T A, which is positive definite where the system as a whole is regular;
with A a = b the multipliers of that system are lambda + b.

Reference: Benzi, Golub and Liesen, *Numerical solution of saddle point problems*, Acta Numerica
2005, sections 5 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.dynamics.factor import Factor, factor
from eomc.derive.graph import Expression

Lower = Mapping[tuple[int, int], Expression]

_RELATIVE_PIVOT = 2.0**-46


def lower_triangle(rows: Sequence[Sequence[Expression]]) -> dict[tuple[int, int], Expression]:
    """Structurally nonzero entries of the lower triangle; the diagonal is kept whole."""
    return {
        (i, j): row[j]
        for i, row in enumerate(rows)
        for j in range(i + 1)
        if i == j or not row[j].is_zero
    }


def dot(a: Sequence[Expression], b: Sequence[Expression], zero: Expression) -> Expression:
    """Sum of products, structural zeros skipped."""
    total = zero
    for x, y in zip(a, b, strict=True):
        if not (x.is_zero or y.is_zero):
            total = total + x * y
    return total


def live_pivots(matrix: Lower, factored: Factor) -> list[Expression]:
    """By how much each pivot is above round-off of the diagonal entry it came from."""
    return [
        pivot if pivot == matrix[k, k] else pivot - _RELATIVE_PIVOT * matrix[k, k]
        for k, pivot in enumerate(factored.pivots)
    ]


class ConstrainedSolver:
    """Solves the two rows above on the graph; without constraints, M a = f.

    `tied` are the rows A of M + A^T A, if M is singular by itself.
    """

    def __init__(
        self,
        mass: Lower,
        size: int,
        jacobian: Sequence[Sequence[Expression]],
        zero: Expression,
        *,
        tied: Sequence[Sequence[Expression]] = (),
    ) -> None:
        self.zero = zero
        self.jacobian = jacobian
        self.augmented = bool(tied)
        self.mass = dict(mass)
        if tied:
            for i in range(size):
                for j in range(i + 1):
                    share = dot([row[i] for row in tied], [row[j] for row in tied], zero)
                    if (i, j) in self.mass or not share.is_zero:
                        self.mass[i, j] = self.mass.get((i, j), zero) + share
        self.factor = factor(self.mass, size)
        self._inverse_times = [self.factor.solve(row) for row in jacobian]
        self.schur = lower_triangle(
            [[dot(row, column, zero) for column in self._inverse_times] for row in jacobian]
        )
        self.schur_factor = factor(self.schur, len(jacobian))

    def solve(
        self, force: Sequence[Expression], rate: Sequence[Expression] = ()
    ) -> tuple[list[Expression], list[Expression]]:
        """(a, lambda) of M a - A^T lambda = force, A a = rate."""
        a = self.factor.solve(force)
        if not self.jacobian:
            return a, []
        gap = [b - dot(row, a, self.zero) for row, b in zip(self.jacobian, rate, strict=True)]
        multipliers = self.schur_factor.solve(gap)
        for column, multiplier in zip(self._inverse_times, multipliers, strict=True):
            if not multiplier.is_zero:
                a = [x + y * multiplier for x, y in zip(a, column, strict=True)]
        if self.augmented:
            multipliers = [m - b for m, b in zip(multipliers, rate, strict=True)]
        return a, multipliers

    @property
    def pivots(self) -> list[Expression]:
        """Pivots that must be positive: those of the speeds, then those of the multipliers."""
        return [*live_pivots(self.mass, self.factor), *live_pivots(self.schur, self.schur_factor)]
