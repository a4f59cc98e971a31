"""A = L U of a square matrix that need not be symmetric, without exchange of rows.

For matrices near a positive definite one, such as M - dQ/da or 1 - dQ/dx: every pivot is positive
there. Reference: Golub and Van Loan, *Matrix Computations*, sec. 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.graph import Expression


@dataclass(frozen=True)
class TriangularFactors:
    """Shares of rows by columns (unit lower L), rows of U, reciprocals of the pivots."""

    lower: tuple[dict[int, Expression], ...]
    upper: tuple[dict[int, Expression], ...]
    pivots: tuple[Expression, ...]
    reciprocals: tuple[Expression, ...]

    def solve(self, right: Sequence[Expression]) -> list[Expression]:
        """x with A x = right."""
        x = list(right)
        for k, column in enumerate(self.lower):
            if not x[k].is_zero:
                for i, share in column.items():
                    x[i] = x[i] - share * x[k]
        for k in reversed(range(len(x))):
            for j, entry in self.upper[k].items():
                if not x[j].is_zero:
                    x[k] = x[k] - entry * x[j]
            x[k] = x[k] * self.reciprocals[k]
        return x


def eliminate(matrix: Sequence[Sequence[Expression]]) -> TriangularFactors:
    """Eliminate column by column; structural zeros are passed over."""
    rows = [list(row) for row in matrix]
    lower: list[dict[int, Expression]] = []
    reciprocals = []
    for k, row in enumerate(rows):
        reciprocals.append(1 / row[k])
        shares = {
            i: rows[i][k] * reciprocals[k]
            for i in range(k + 1, len(rows))
            if not rows[i][k].is_zero
        }
        for i, share in shares.items():
            for j in range(k + 1, len(rows)):
                if not row[j].is_zero:
                    rows[i][j] = rows[i][j] - share * row[j]
        lower.append(shares)
    upper = tuple(
        {j: row[j] for j in range(k + 1, len(rows)) if not row[j].is_zero}
        for k, row in enumerate(rows)
    )
    pivots = tuple(row[k] for k, row in enumerate(rows))
    return TriangularFactors(tuple(lower), upper, pivots, tuple(reciprocals))
