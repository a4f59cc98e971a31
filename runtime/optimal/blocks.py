"""A nonlinear program as a sum of blocks: y(w) = (cost, rows) with sparse exact derivatives.

A block is evaluated at many places at once: from columns of w at each place to rows of y, where the
contributions of all blocks add up. Row 0 is the cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eomc.runtime.optimal.arrays import Array

_STEP = 1e-3
"""Length of central differences of fourth order: rounding and truncation are both near 1e-12."""


def differenced(function: Callable[[Array], Array], z: Array) -> Array:
    """Derivatives (K, ..., nz) of a function (K, nz) -> (K, ...), by fourth-order differences."""
    columns = []
    for j in range(z.shape[1]):
        h = np.zeros_like(z)
        h[:, j] = _STEP * np.maximum(1.0, np.abs(z[:, j]))
        wide = np.asarray(function(z + 2 * h)) - function(z - 2 * h)
        near = np.asarray(function(z + h)) - function(z - h)
        columns.append(((8 * near - wide).T / (12 * h[:, j])).T)
    return np.stack(columns, axis=-1)


def curvature_of(gradient: Callable[[Array], Array], z: Array) -> Array:
    """Symmetric second derivatives (K, nz, nz) by differences of exact first ones (K, nz)."""
    found = differenced(gradient, z)
    return (found + np.swapaxes(found, 1, 2)) / 2


class ProgramBlock:
    """Values (K, ny) from z = w[columns] (K, nz), added to y[rows]; rows of -1 are left out.

    `slopes_mask` (ny, nz) and `curvature_mask` (nz, nz) are the entries that are not always zero,
    None for all of them and for a linear block.
    """

    slopes_mask: Array | None = None
    curvature_mask: Array | None = None
    linear = False

    def __init__(self, rows: Any, columns: Any) -> None:
        self.rows, self.columns = np.asarray(rows, dtype=int), np.asarray(columns, dtype=int)

    @property
    def curved_columns(self) -> Array:
        """Columns of the second derivatives, (places, nz)."""
        return self.columns

    def value(self, z: Array) -> Array:
        """(K, ny)"""
        raise NotImplementedError

    def slopes(self, z: Array) -> Array:
        """(K, ny, nz)"""
        raise NotImplementedError

    def curvature(self, z: Array, weights: Array) -> Array:
        """Second derivatives of weights^T y, weights (K, ny)."""
        return curvature_of(lambda x: np.einsum("ki,kij->kj", weights, self.slopes(x)), z)


class LinearBlock(ProgramBlock):
    """y = M z, M (ny, nz) or one at each place."""

    linear = True

    def __init__(self, rows: Any, columns: Any, matrix: Any) -> None:
        super().__init__(rows, columns)
        m = np.asarray(matrix, dtype=np.float64)
        self._matrix = np.broadcast_to(m, (len(self.rows), *m.shape[-2:]))
        self.slopes_mask = (self._matrix != 0).any(axis=0)

    def value(self, z: Array) -> Array:
        result: Array = np.einsum("kij,kj->ki", self._matrix, z)
        return result

    def slopes(self, z: Array) -> Array:
        return self._matrix


class QuadraticBlock(ProgramBlock):
    """The cost a^T z + sum of b (z - c)^2."""

    def __init__(self, columns: Any, a: Any, b: Any = 0.0, c: Any = 0.0) -> None:
        columns = np.atleast_2d(np.asarray(columns, dtype=int))
        super().__init__(np.zeros((len(columns), 1), dtype=int), columns)
        self._a, self._b, self._c = (np.broadcast_to(x, columns.shape) for x in (a, b, c))
        self.curvature_mask = np.eye(columns.shape[1], dtype=bool)

    def value(self, z: Array) -> Array:
        result: Array = np.sum(self._a * z + self._b * (z - self._c) ** 2, axis=1)[:, None]
        return result

    def slopes(self, z: Array) -> Array:
        result: Array = (self._a + 2 * self._b * (z - self._c))[:, None]
        return result

    def curvature(self, z: Array, weights: Array) -> Array:
        result: Array = 2 * (weights * self._b)[:, :, None] * np.eye(z.shape[1])
        return result


class DifferencedBlock(ProgramBlock):
    """A function (K, nz) -> (K, ny) without derivatives of its own."""

    def __init__(self, rows: Any, columns: Any, function: Callable[[Array], Array]) -> None:
        super().__init__(rows, columns)
        self._function = function

    def value(self, z: Array) -> Array:
        return self._function(z)

    def slopes(self, z: Array) -> Array:
        return differenced(self.value, z)


class _SummedPattern:
    """Places of entries that add up where they meet, in order of columns."""

    def __init__(self, rows: list[Array], columns: list[Array], kept: list[Array]) -> None:
        self._kept = kept
        nothing = np.zeros(0, dtype=int)
        i, j = (np.concatenate([nothing, *part]) for part in (rows, columns))
        key = j * (1 + int(i.max(initial=0))) + i
        _, first, self._place = np.unique(key, return_index=True, return_inverse=True)
        self.rows, self.columns = i[first], j[first]

    def __call__(self, parts: list[Array]) -> Array:
        pairs = zip(parts, self._kept, strict=True)
        entries = np.concatenate([np.zeros(0), *(part[kept] for part, kept in pairs)])
        return np.bincount(self._place, entries, len(self.rows)).astype(np.float64)


class NonlinearProgram:
    """Unknowns w with bounds, rows with bounds, and blocks between them.

    Rows are numbered by stage, in each in the order in which they were made. `exact` says whether
    Hessians have second derivatives of steps and outputs; without these they are those of Gauss
    and Newton.
    """

    def __init__(self) -> None:
        self.exact = True
        self.blocks: list[ProgramBlock] = []
        self._sides: list[list[Array]] = [[], [], [], []]
        self._stages: list[Array] = []
        self._count = [0, 1]
        self._last: tuple[bytes, Array] = (b"", np.zeros(0))

    def _made(self, kind: int, lower: Any, upper: Any, shape: tuple[int, ...]) -> Array:
        start = self._count[kind]
        count = int(np.prod(shape))
        self._count[kind] += count
        for side, bound in enumerate((lower, upper)):
            self._sides[2 * kind + side].append(np.broadcast_to(bound, shape).ravel())
        return np.arange(start, start + count).reshape(shape)

    def unknowns(self, lower: Any, upper: Any, shape: tuple[int, ...]) -> Array:
        """Places in w of new unknowns."""
        return self._made(0, lower, upper, shape)

    def more_rows(self, lower: Any, upper: Any, shape: tuple[int, ...], stages: Any) -> Array:
        """Numbers of new rows; `stages` is that of each along the first axis."""
        whole = np.broadcast_to(np.asarray(stages).reshape(-1, *[1] * (len(shape) - 1)), shape)
        self._stages.append(whole.ravel())
        return self._made(1, lower, upper, shape)

    def close(self) -> NonlinearProgram:
        """Number the rows and find the patterns; nothing is added afterwards."""
        self.size, self.height = self._count
        stages = np.concatenate([np.zeros(0), *self._stages])
        order = np.argsort(stages, kind="stable")
        number = np.zeros(self.height, dtype=int)
        number[1 + order] = 1 + np.arange(len(order))
        self.number, self.stages = number, stages[order]
        for block in self.blocks:
            block.rows = np.where(block.rows < 0, -1, number[block.rows])
        empty = np.zeros(0)
        sides = [np.concatenate([empty, *side]) for side in self._sides]
        self.limits = sides[0], sides[1], sides[2][order], sides[3][order]
        self._slopes = self._pattern(False)
        self._curvature = self._pattern(True)
        self.jacobian_rows, self.jacobian_columns = self._slopes.rows, self._slopes.columns
        self.hessian_rows, self.hessian_columns = self._curvature.rows, self._curvature.columns
        return self

    def _pattern(self, second: bool) -> _SummedPattern:
        rows, columns, kept = [], [], []
        for block in self.blocks:
            if second and block.linear:
                continue
            across = block.curved_columns if second else block.columns
            down = across if second else block.rows
            mask = block.curvature_mask if second else block.slopes_mask
            shape = (*down.shape, across.shape[1])
            i = np.broadcast_to(down[:, :, None], shape)
            j = np.broadcast_to(across[:, None, :], shape)
            here = (i >= 0) & (True if mask is None else mask)
            rows.append(i[here])
            columns.append(j[here])
            kept.append(here)
        return _SummedPattern(rows, columns, kept)

    def value(self, w: Array) -> Array:
        """(cost, rows)"""
        y = np.zeros(self.height + 1)  # rows that are left out add up in the last entry
        for block in self.blocks:
            np.add.at(y, block.rows, block.value(w[block.columns]))
        return y[:-1]

    def cost(self, w: Array) -> float:
        return float(self.value(w)[0])

    def jacobian(self, w: Array) -> Array:
        """Entries of the Jacobian of (cost, rows), in the order of the pattern."""
        if self._last[0] != w.tobytes():
            found = self._slopes([block.slopes(w[block.columns]) for block in self.blocks])
            self._last = w.tobytes(), found
        return self._last[1]

    def hessian(self, w: Array, weights: Array) -> Array:
        """Entries of the Hessian of weights^T (cost, rows), in the order of the pattern."""
        padded = np.append(weights, 0.0)
        parts = []
        for block in self.blocks:
            if not block.linear:
                block_weights = padded[block.rows]
                parts.append(self._curved(block, w[block.columns], block_weights))
        return self._curvature(parts)

    def _curved(self, block: ProgramBlock, z: Array, weights: Array) -> Array:
        if self.exact:
            return block.curvature(z, weights)
        return self._gauss_newton(block, z, weights)

    @staticmethod
    def _gauss_newton(block: ProgramBlock, z: Array, weights: Array) -> Array:
        own: Callable[[Array, Array], Array] | None = getattr(block, "gauss_newton", None)
        if own is not None:
            return own(z, weights)
        if isinstance(block, QuadraticBlock):
            return block.curvature(z, weights)
        width = block.curved_columns.shape
        return np.zeros((*width, width[1]))


class QuadraticFormBlock(ProgramBlock):
    """y = (z - c)^T P (z - c), a cost or a row."""

    def __init__(self, row: int, columns: Any, matrix: Array, center: Array) -> None:
        super().__init__([[row]], np.atleast_2d(columns))
        self._matrix, self._center = matrix, center

    def value(self, z: Array) -> Array:
        apart = z - self._center
        result: Array = np.einsum("ki,ij,kj->k", apart, self._matrix, apart)[:, None]
        return result

    def slopes(self, z: Array) -> Array:
        return 2 * ((z - self._center) @ self._matrix)[:, None]

    def curvature(self, z: Array, weights: Array) -> Array:
        return 2 * weights[:, :, None] * self._matrix
