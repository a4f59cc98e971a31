"""M = L^T D L, factored from the leaves so that the branches cause no fill-in.

Reference: Featherstone, *Rigid Body Dynamics Algorithms*, sec. 6.4 and 6.5 (LTDL). One reciprocal a
pivot; entries that are structurally zero are never touched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derive.graph import Expression


@dataclass(frozen=True)
class Factor:
    """Unit lower triangular L by rows, pivots D and their reciprocals."""

    rows: tuple[dict[int, Expression], ...]
    pivots: tuple[Expression, ...]
    reciprocals: tuple[Expression, ...]

    def solve(self, right: Sequence[Expression]) -> list[Expression]:
        """x with M x = right: L^T y = right, D z = y, L x = z."""
        x = list(right)
        for k in reversed(range(len(x))):
            if not x[k].is_zero:
                for i, entry in self.rows[k].items():
                    x[i] = x[i] - entry * x[k]
        for k, reciprocal in enumerate(self.reciprocals):
            x[k] = x[k] * reciprocal
            for i, entry in self.rows[k].items():
                x[k] = x[k] - entry * x[i]
        return x


def factor(matrix: Mapping[tuple[int, int], Expression], size: int) -> Factor:
    """Factor the symmetric positive definite matrix given by its lower triangle.

    Raises KeyError for a diagonal entry that is structurally zero.
    """
    rows: list[dict[int, Expression]] = [{} for _ in range(size)]
    for (i, j), value in sorted(matrix.items(), key=lambda item: item[0]):
        rows[i][j] = value
    pivots = [rows[k].pop(k) for k in range(size)]
    reciprocals: list[Expression] = list(pivots)
    for k in reversed(range(size)):
        reciprocals[k] = 1 / pivots[k].named(f"pivot {k}")
        row = rows[k]
        scaled = {i: entry * reciprocals[k] for i, entry in row.items()}
        for i, entry in scaled.items():
            pivots[i] = pivots[i] - entry * row[i]
            target = rows[i]
            for j, other in row.items():
                if j < i:
                    change = entry * other
                    target[j] = target[j] - change if j in target else -change
            rows[i] = dict(sorted(target.items()))
        rows[k] = scaled
    return Factor(tuple(rows), tuple(pivots), tuple(reciprocals))
