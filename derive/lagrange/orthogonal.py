"""Linear systems without pivoting: Gram-Schmidt orthogonalization without square roots.

    A = Q R,  Q^T Q = D diagonal, R unit upper triangular;      A x = b:  R x = D^-1 Q^T b

The right-hand sides are orthogonalized along with the columns (modified Gram-Schmidt), which makes
the solution as accurate as Householder's. No order of elimination has to be chosen beforehand: the
factors exist wherever A is regular.

Reference: Björck, *Numerical Methods for Least Squares Problems*, section 2.4.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.graph import Expression, Guard
from eomc.derive.lagrange.multipliers import dot

_RELATIVE_LENGTH = 2.0**-88


class OrthogonalFactor:
    """A square matrix, given by rows, ready to solve with."""

    def __init__(self, rows: Sequence[Sequence[Expression]], zero: Expression) -> None:
        self.zero = zero
        self.columns = [list(column) for column in zip(*rows, strict=True)]
        self.lengths: list[Expression] = []
        self.reciprocals: list[Expression] = []
        self.upper: list[dict[int, Expression]] = []
        self._before = [dot(column, column, zero) for column in self.columns]
        for k, column in enumerate(self.columns):
            self.lengths.append(dot(column, column, zero))
            self.reciprocals.append(1 / self.lengths[k])
            row: dict[int, Expression] = {}
            for j in range(k + 1, len(self.columns)):
                share = self._remove(k, self.columns[j])
                if not share.is_zero:
                    row[j] = share
            self.upper.append(row)

    def _remove(self, k: int, vector: list[Expression]) -> Expression:
        """Take the part along column k out of `vector`; returns its coefficient."""
        column = self.columns[k]
        share = dot(column, vector, self.zero) * self.reciprocals[k]
        if not share.is_zero:
            for i, entry in enumerate(column):
                if not entry.is_zero:
                    vector[i] = vector[i] - share * entry
        return share

    def solve(self, right: Sequence[Expression]) -> list[Expression]:
        """x with A x = right."""
        rest = list(right)
        x = [self._remove(k, rest) for k in range(len(self.columns))]
        for k in reversed(range(len(x))):
            for j, entry in self.upper[k].items():
                x[k] = x[k] - entry * x[j]
        return x

    def guards(self, code: str, relative: float = _RELATIVE_LENGTH) -> list[Guard]:
        """`code` unless every column stands out of the span of those before it, by more than
        `relative` of its squared length."""
        return [
            Guard((length - relative * before).node, code)
            for length, before in zip(self.lengths, self._before, strict=True)
            if not length.is_constant
        ]
