"""Forces of least norm that satisfy equations and bounds: small convex quadratic programs.

    minimize  1/2 x^T P x   subject to   B x = w,   lower <= C x <= upper

with P the identity, or zero on what costs nothing. In the null-space form x = x_0 + N z with
B x_0 = w and B N = 0,

    minimize  1/2 z^T N^T P N z + (N^T P x_0)^T z   subject to   lower - C x_0 <= C N z <= ...

DAQP solves them by a dual active-set method, to rounding.

Reference: Arnstrom, Bemporad and Axehill, A dual active-set solver for embedded quadratic
programming using recursive LDL^T updates, IEEE Trans. Automatic Control 67 (2022); Nahon and
Angeles, Force optimization in redundantly-actuated closed kinematic chains, IEEE ICRA (1989).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.constraints.rank import solutions
from eomc.runtime.control.other_programs import ForceProgram, Objective

_KEPT = 1e-9
"""Part of what is wanted that may be lacking as rounding; bounds may be passed by as much."""
_EQUALITY = 5  # of DAQP
_SOLVED, _INFEASIBLE = 1, -1


class AllocationError(ValueError):
    """No forces within the bounds make what is wanted, or infinitely many equally well."""


def least_effort(
    equations: ArrayLike,
    right_side: ArrayLike,
    lower: ArrayLike = -np.inf,
    upper: ArrayLike = np.inf,
    *,
    bounded: ArrayLike | None = None,
    offset: ArrayLike = 0.0,
    costs: ArrayLike = 1.0,
    targets: ArrayLike = 0.0,
    names: Sequence[str] = (),
    method: Literal["null space", "direct"] = "null space",
    objective: Objective = "squares",
) -> Array:
    """x (n,) of least sum of costs (x_i - targets)^2 with `equations` x = `right_side` and bounds.

    Parameters
    ----------
    equations, right_side : (k, n), (k,)
    lower, upper : numbers, or one for each row of `bounded`
        Infinite where there is no bound.
    bounded, offset : (m, n), (m,), optional
        The bounds hold of C x + offset; of the entries of x themselves by default.
    costs, targets : numbers or (n,)
        Costs are at least 0. The null-space form takes any that leave one best x.
    names : of the rows of `bounded`, for messages
    method : "null space", or "direct", which leaves the equations to the solver
    objective : "squares"; "sum" or "largest", of costs abs(x_i - targets); or a function of x
        Linear programs may have several solutions, of which one is returned. A function is
        minimized from the x of least squares, to a minimum near it.

    Raises ValueError for other shapes, and AllocationError, which names the bounds that fail and by
    how much, if there is no such x.

    >>> least_effort([[1, 1, 1]], [3], upper=[0.5, np.inf, np.inf]).round(12)
    array([0.5 , 1.25, 1.25])
    >>> least_effort([[3, 1]], [4], objective="largest")
    array([1., 1.])
    """
    b, w, c, low, high, p = _checked(equations, right_side, lower, upper, bounded, costs)
    own = np.broadcast_to(np.asarray(offset, dtype=np.float64), len(c))
    aim = np.broadcast_to(np.asarray(targets, dtype=np.float64), b.shape[1])
    labels = tuple(names) or tuple(f"x[{k}]" for k in range(len(c)))
    # Equations of length 1, costs up to 1, forces by the size of those that are wanted: what counts
    # as rounding below, and to the solver, is a part of these.
    length = np.linalg.norm(b, axis=1)
    length = np.where(length > 0, length, 1.0)
    b, w, p = b / length[:, None], w / length, p / (p.max(initial=0.0) or 1.0)
    base, free = _solutions(b, w)
    unit = _size(base, aim, own) or _size(low, high) or 1.0
    base, w, own, aim, low, high = (part / unit for part in (base, w, own, aim, low, high))
    if objective != "squares":
        program = ForceProgram(b, w, c, low - own, high - own, p, aim)
        nearest = (base, free, own, aim, low, high)
        start = _by_null_space(p, c, *nearest) if callable(objective) else base
        solved = None if start is None else program.solved(objective, unit, start)
    elif method == "direct":
        rows, ends = np.vstack([c, b]), (np.append(high - own, w), np.append(low - own, w))
        sense = np.zeros(len(rows), dtype=np.int32)
        sense[len(c) :] = _EQUALITY
        solved = _solve(np.diag(p), -p * aim, rows, *ends, sense)
    elif method == "null space":
        solved = _by_null_space(p, c, base, free, own, aim, low, high)
    else:
        raise ValueError(f"method is {method!r}; give 'null space' or 'direct'")
    if solved is None:
        _refuse(c @ free, c @ base + own, low, high, labels, unit)
    return unit * solved


def _by_null_space(
    p: Array, c: Array, base: Array, free: Array, own: Array, aim: Array, low: Array, high: Array
) -> Array | None:
    """base + free z of least squares within the bounds; None if there is none."""
    hessian, slope = free.T @ (p[:, None] * free), free.T @ (p * (base - aim))
    if len(slope) and np.linalg.eigvalsh(hessian)[0] <= _KEPT**2:
        raise AllocationError("infinitely many forces are as good: some cost nothing")
    rows, start = c @ free, c @ base + own
    x: Array = base - free @ np.linalg.solve(hessian, slope)
    if _holds(c @ x + own, low, high):
        return x
    z = _solve(hessian, slope, rows, high - start, low - start) if len(slope) else None
    x = base if z is None else base + free @ z
    return x if _holds(c @ x + own, low, high) else None


def _size(*parts: Array) -> float:
    """The largest of the numbers that are finite."""
    return max(float(np.abs(part[np.isfinite(part)]).max(initial=0.0)) for part in parts)


def _solve(
    hessian: Array,
    slope: Array,
    rows: Array,
    upper: Array,
    lower: Array,
    sense: NDArray[np.int32] | None = None,
) -> Array | None:
    """The solution, or None if there is none."""
    try:
        import daqp
    except ImportError:
        raise ImportError("bounds of forces need DAQP: pip install 'eomc[allocation]'") from None
    largest = 1e30  # stands for infinity
    arguments: list[Any] = [np.ascontiguousarray(part) for part in (hessian, slope, rows)]
    arguments += [np.clip(upper, -largest, largest), np.clip(lower, -largest, largest)]
    arguments += [] if sense is None else [sense]
    x, _, flag, _ = daqp.solve(*arguments, primal_tol=1e-12, dual_tol=1e-12)
    if flag not in (_SOLVED, _INFEASIBLE):
        raise AllocationError(f"the solver of the quadratic program gave up (code {flag})")
    return np.array(x, dtype=np.float64) if flag == _SOLVED else None


def _solutions(b: Array, w: Array) -> tuple[Array, Array]:
    """x_0 and N of B x = w, in columns of like size."""
    scale = np.linalg.norm(b, axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    scaled = b / scale
    base, free = solutions(scaled, w)
    if np.abs(scaled @ base - w).max(initial=0.0) > _KEPT * np.abs(w).max(initial=0.0):
        raise AllocationError("no forces make what is wanted: it is out of their reach")
    return base / scale, free / scale[:, None]


def _holds(values: Array, low: Array, high: Array) -> bool:
    slack = _KEPT * (1 + np.abs(values))
    return bool(((values >= low - slack) & (values <= high + slack)).all())


def _refuse(
    rows: Array, start: Array, low: Array, high: Array, labels: tuple[str, ...], unit: float
) -> NoReturn:
    """Raise AllocationError with the bounds that fail where the least sum of violations is; numbers
    are told in multiples of `unit`."""
    from scipy.optimize import linprog

    m, n = rows.shape
    own = np.eye(m)
    above, below = np.isfinite(high), np.isfinite(low)
    found = linprog(
        np.append(np.zeros(n), np.ones(m)),
        np.vstack([np.hstack([rows, -own])[above], np.hstack([-rows, -own])[below]]),
        np.append((high - start)[above], (start - low)[below]),
        bounds=[(None, None)] * n + [(0, None)] * m,
    )
    values = start + rows @ found.x[:n]
    lacking = found.x[n:] > _KEPT * (1 + np.abs(values))
    texts, held = [], []
    for k, value in enumerate(values):
        over = value > (low[k] + high[k]) / 2
        side, bound = ("upper", high[k]) if over else ("lower", low[k])
        if lacking[k]:
            where = "above" if over else "below"
            would, limit = unit * value, unit * bound
            texts.append(f"{labels[k]} would be {would:.6g}, {where} its {side} bound {limit:.6g}")
        elif abs(value - bound) <= _KEPT * (1 + abs(value)):
            held.append(f"{labels[k]} at its {side} bound {unit * bound:.6g}")
    told = "; ".join(texts) + (f", with {', '.join(held)}" if held else "")
    raise AllocationError(f"no forces within the bounds: {told or 'by less than their digits'}")


def _checked(
    equations: Any, wanted: Any, lower: Any, upper: Any, bounded: Any, costs: Any
) -> tuple[Array, Array, Array, Array, Array, Array]:
    b, w = np.array(equations, dtype=np.float64), np.array(wanted, dtype=np.float64)
    if b.ndim != 2 or w.shape != b.shape[:1]:
        raise ValueError(f"equations and wanted have shapes {b.shape} and {w.shape}")
    n = b.shape[1]
    c = np.eye(n) if bounded is None else np.array(bounded, dtype=np.float64)
    if c.ndim != 2 or c.shape[1] != n:
        raise ValueError(f"bounded has shape {c.shape}, expected (rows, {n})")
    low, high, p = (
        np.broadcast_to(np.asarray(part, dtype=np.float64), size)
        for part, size in ((lower, len(c)), (upper, len(c)), (costs, n))
    )
    if not all(np.isfinite(part).all() for part in (b, w, c, p)) or (p < 0).any():
        raise ValueError("equations, wanted and costs must be finite, costs at least 0")
    crossed = ~(low <= high)
    if crossed.any():
        k = int(np.argmax(crossed))
        raise ValueError(f"bounds of row {k}: lower {low[k]:g} is not below upper {high[k]:g}")
    return b, w, c, low, high, p
