"""Derivatives by differences, with controlled steps.

One-sided: [g(x + h e_k) - g(x)] / h; central: [g(x + h e_k) - g(x - h e_k)] / 2h. The step starts
at a fraction of |x_k| plus a small absolute length, and shrinks until two successive columns agree.
Central differences have a check of their own: the slopes ahead and behind agree where the step is
short, and no second step is taken then.

Reference: Trom, *Automated linearization of nonlinear coupled differential and algebraic
equations*, Iowa State University (1990), section 3.1 (the loop; its numbers are not printed there).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.errors import LinearizationError

Scheme = Literal["one-sided", "central"]

_EPS = float(np.finfo(float).eps)
STEP = 1e-4
"""[rad] of central differences of strains, which are smooth: errors of about 1e-9."""


@dataclass(frozen=True)
class Steps:
    """Lengths of the steps of differences: one that is fixed, or shorter and shorter ones.

    Attributes
    ----------
    scheme : "one-sided" or "central"
    fixed : float, optional
        One step for every variable; it is not controlled then.
    relative, absolute : float
        The first step is relative*|x| + absolute, that of central differences `shrink` of it.
    shrink : float
        Factor from one step to the next.
    tolerance : float
        Two successive columns that differ by less than this fraction of their size agree.
    most : int
        Number of steps that are tried.
    """

    scheme: Scheme = "one-sided"
    fixed: float | None = None
    relative: float = 1e-3
    absolute: float = 1e-6
    shrink: float = 0.1
    tolerance: float = 0.01
    most: int = 8

    def __post_init__(self) -> None:
        if self.scheme not in ("one-sided", "central"):
            raise ValueError(f"scheme: {self.scheme!r}; give 'one-sided' or 'central'")
        if self.fixed is not None and not (np.isfinite(self.fixed) and self.fixed > 0):
            raise ValueError(f"fixed: {self.fixed!r}; give a positive step")
        if not (0 < self.shrink < 1):
            raise ValueError(f"shrink: {self.shrink!r}; give a number between 0 and 1")
        if not (self.relative >= 0 and self.absolute > 0 and self.tolerance > 0 and self.most > 1):
            raise ValueError("relative, absolute, tolerance and most must be positive")


def difference_columns(
    g: Callable[[Array], Array],
    sizes: Array,
    names: tuple[str, ...],
    steps: Steps,
    what: str,
    start: Array | None = None,
) -> tuple[Array, Array]:
    """(dg/dx (m, n), steps used (n,)) of g(displacement (n,)) at zero.

    `sizes` are |x_k| of the variables, `names` their names; `start` is g(0) if it is known.
    Raises LinearizationError, naming the variable, if a column does not settle.
    """
    if start is None:
        start = np.array(g(np.zeros(len(sizes))), dtype=float)
    columns, used = [], []
    for k, size in enumerate(np.abs(sizes)):
        unit = np.zeros(len(sizes))
        unit[k] = 1.0

        def column(h: float, unit: Array = unit) -> tuple[Array, float]:
            ahead = (np.asarray(g(h * unit), dtype=float) - start) / h
            if steps.scheme == "one-sided":
                return ahead, np.inf
            behind = (start - np.asarray(g(-h * unit), dtype=float)) / h
            return (ahead + behind) / 2, _length(ahead - behind)

        found, step = _settled(column, float(size), start, steps, f"{what} {names[k]!r}")
        columns.append(found)
        used.append(step)
    shape = (len(start), len(sizes))
    return np.array(columns).reshape(shape[::-1]).T.copy(), np.array(used, dtype=float)


def _length(column: Array) -> float:
    return math.sqrt(np.vdot(column, column))


def _settled(
    column: Callable[[float], tuple[Array, float]],
    size: float,
    start: Array,
    steps: Steps,
    what: str,
) -> tuple[Array, float]:
    """The first column that agrees with the one before or, central, in its halves; its step.

    `column` gives the slopes and by how much those ahead and behind differ.
    """
    if steps.fixed is not None:
        return column(steps.fixed)[0], steps.fixed
    before: Array | None = None
    h = steps.relative * size + steps.absolute
    rounding = 8 * _EPS * _length(start)  # what two rounded values leave of a difference
    for k in range(steps.most):
        if k or steps.scheme == "central":
            h *= steps.shrink
        now, apart = column(h)
        change = apart if before is None else min(apart, _length(now - before))
        if change <= steps.tolerance * _length(now) + rounding / h:
            return now, h
        before = now
    raise LinearizationError(
        f"differences by {what} do not settle: at steps down to {h:.3g} two successive columns "
        f"still differ by more than {100 * steps.tolerance:g} %; the force has a kink or jump here"
    )
