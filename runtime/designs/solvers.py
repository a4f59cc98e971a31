"""Local minima of designs by SciPy: Gauss-Newton of residuals, SQP, and a trust region.

A trial that cannot be evaluated has an infinite objective, by which each of these methods shortens
its step. The largest of several numbers y_i is minimized as t subject to t >= y_i.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.designs.problem import DesignProblem, DesignTrial

_TINY, _SMALL, _STATIONARY = 1e-15, 1e-8, 1e-5


@dataclass(frozen=True)
class LocalMinimum:
    """The end of a local search."""

    theta: Array
    cost: float
    success: bool
    reason: str


def cost_of(trial: DesignTrial, goal: str) -> float:
    """The number that is minimized."""
    y = trial.objective.value
    if y.ndim == 0:
        return float(y)
    return float((y**2).sum()) if goal == "sum of squares" else float(y.max())


def least_squares(problem: DesignProblem, theta: Array, goal: str, most: int) -> LocalMinimum:
    """Of a sum of squares, within bounds."""
    from scipy.optimize import least_squares as minimized

    first = problem.trial(theta)
    assert first is not None
    size = float(np.abs(first.objective.value).max()) or 1.0

    def residuals(x: Array) -> Array:
        trial = problem.trial(x)
        if trial is None:
            return np.full(first.objective.value.size, np.inf)
        return np.asarray(trial.objective.value.ravel() / size)

    def jacobian(x: Array) -> Array:
        trial = problem.trial(x)
        assert trial is not None
        problem.accept(trial)
        return np.asarray(trial.objective.slopes.reshape(-1, len(x)) / size)

    with np.errstate(invalid="ignore"):
        found: Any = minimized(
            residuals,
            theta,
            jacobian,
            problem.unknowns.bounds(),
            x_scale="jac",
            ftol=_TINY,
            xtol=_TINY,
            gtol=_TINY,
            max_nfev=most,
        )
    return LocalMinimum(found.x, 2 * found.cost * size**2, found.status > 0, found.message)


class _Scaled:
    """Objective and conditions in variables of size one; t is one more for the largest of y."""

    def __init__(self, problem: DesignProblem, theta: Array, goal: str) -> None:
        self.problem, self.theta = problem, theta
        first = problem.trial(theta)
        assert first is not None
        self.is_largest = first.objective.ndim > 0 and goal == "largest"
        low, high = problem.unknowns.bounds()
        spans = np.where(np.isfinite(high - low), high - low, np.maximum(np.abs(theta), 1e-3))
        y, slopes = self._number(first, None)
        rates = np.abs(slopes * spans).max(initial=0.0)
        self.spans, self.size = spans, max(float(rates), abs(float(y)) * 1e-6) or 1.0
        self.bounds = [
            (None if np.isinf(a) else a, None if np.isinf(b) else b)
            for a, b in zip((low - theta) / spans, (high - theta) / spans, strict=True)
        ]
        self.start = np.zeros(len(theta))
        if self.is_largest:
            largest = float(first.objective.value.max())
            self.offset = largest
            self.start, self.bounds = np.zeros(len(theta) + 1), [*self.bounds, (None, None)]
        self.rows = len(self.margins(self.start))
        self.equations = len(first.equalities)

    def of(self, x: Array) -> DesignTrial | None:
        return self.problem.trial(self.theta + self.spans * x[: len(self.theta)])

    def _number(self, trial: DesignTrial, x: Array | None) -> tuple[float, Array]:
        y = trial.objective
        if y.ndim and not self.is_largest:
            return float((y.value**2).sum()), 2 * np.tensordot(y.value, y.slopes, y.ndim)
        if y.ndim:
            k = int(np.argmax(y.value))
            return float(y.value.ravel()[k]), y.slopes.reshape(-1, y.slopes.shape[-1])[k]
        return float(y.value), y.slopes

    def value(self, x: Array) -> float:
        if self.is_largest:
            return float(x[-1])
        trial = self.of(x)
        return np.inf if trial is None else self._number(trial, x)[0] / self.size

    def gradient(self, x: Array) -> Array:
        if self.is_largest:
            return np.asarray(np.eye(len(x))[-1])
        trial = self.of(x)
        assert trial is not None
        self.problem.accept(trial)
        return np.asarray(self._number(trial, x)[1] * self.spans / self.size)

    def margins(self, x: Array) -> Array:
        trial = self.of(x)
        if trial is None:
            return np.full(self.rows, -1e10)
        found = trial.margins.value
        if self.is_largest:
            y = trial.objective.value.ravel()
            found = np.concatenate([found, x[-1] - (y - self.offset) / self.size])
        return np.asarray(found)

    def margin_slopes(self, x: Array) -> Array:
        trial = self.of(x)
        assert trial is not None
        found = trial.margins.slopes * self.spans
        if self.is_largest:
            self.problem.accept(trial)
            y = trial.objective.slopes.reshape(-1, len(self.spans)) * self.spans / self.size
            zero = np.zeros((len(found), 1))
            found = np.block([[found, zero], [-y, np.ones((len(y), 1))]])
        return np.asarray(found)

    def equalities(self, x: Array) -> Array:
        trial = self.of(x)
        found = np.full(self.equations, 1e10) if trial is None else trial.equalities.value
        return np.asarray(found)

    def equality_slopes(self, x: Array) -> Array:
        trial = self.of(x)
        assert trial is not None
        found = trial.equalities.slopes * self.spans
        return np.pad(found, ((0, 0), (0, len(x) - found.shape[1])))

    def stationarity(self, x: Array) -> float:
        """|gradient - sum of multipliers times slopes| over |gradient|, with the best multipliers
        of active bounds and conditions (Karush, Kuhn and Tucker); infinite without a trial."""
        from scipy.optimize import nnls

        if self.of(x) is None:
            return np.inf
        gradient, rows = self.gradient(x), self.margin_slopes(x)[self.margins(x) < _STATIONARY]
        ends = np.array([[np.nan if b is None else b for b in pair] for pair in self.bounds])
        low, high = (np.abs(x - ends[:, k]) < _STATIONARY for k in (0, 1))
        one, both = np.eye(len(x)), self.equality_slopes(x)
        A = np.concatenate([rows, one[low], -one[high], both, -both]).T
        size = float(np.linalg.norm(gradient)) or 1.0
        return float(nnls(A, gradient)[1]) / size if A.size else float(np.linalg.norm(gradient))

    def minimum(self, x: Array, success: bool, reason: str) -> LocalMinimum:
        """The end of a search, a success only if the conditions hold there."""
        theta = self.theta + self.spans * x[: len(self.theta)]
        theta = np.clip(theta, *self.problem.unknowns.bounds())
        trial = self.problem.trial(theta)
        if trial is None:
            return LocalMinimum(theta, np.inf, False, self.problem.why)
        names = dict.fromkeys(
            name
            for name, margin in zip(trial.names, trial.margins.value, strict=True)
            if margin < -_SMALL
        )
        if names or np.abs(trial.equalities.value).max(initial=0.0) > _SMALL:
            violated = ", ".join(names) or "an equation"
            return LocalMinimum(theta, np.inf, False, f"{violated}: violated; {reason}")
        goal = "largest" if self.is_largest else "sum of squares"
        return LocalMinimum(theta, cost_of(trial, goal), success, reason)


def slsqp(problem: DesignProblem, theta: Array, goal: str, most: int) -> LocalMinimum:
    """Sequential least-squares quadratic programming (Kraft 1988)."""
    from scipy.optimize import minimize

    scaled = _Scaled(problem, theta, goal)
    conditions: list[Any] = []
    if scaled.rows:
        conditions.append({"type": "ineq", "fun": scaled.margins, "jac": scaled.margin_slopes})
    if scaled.equations:
        conditions.append({"type": "eq", "fun": scaled.equalities, "jac": scaled.equality_slopes})
    found: Any = minimize(
        scaled.value,
        scaled.start,
        jac=scaled.gradient,
        bounds=scaled.bounds,
        constraints=conditions,
        method="SLSQP",
        options={"maxiter": most, "ftol": _TINY},
    )
    # Rounding ends a line search too, at a minimum.
    success = found.success or scaled.stationarity(found.x) < _STATIONARY
    return scaled.minimum(found.x, bool(success), str(found.message))


def trust_region(problem: DesignProblem, theta: Array, goal: str, most: int) -> LocalMinimum:
    """The interior-point trust region of `trust-constr` (Byrd, Hribar and Nocedal 1999)."""
    from scipy.optimize import Bounds, NonlinearConstraint, minimize

    scaled = _Scaled(problem, theta, goal)
    conditions = []
    for rows, f, jacobian, high in (
        (scaled.rows, scaled.margins, scaled.margin_slopes, np.inf),
        (scaled.equations, scaled.equalities, scaled.equality_slopes, 0.0),
    ):
        if rows:
            conditions.append(NonlinearConstraint(f, 0.0, high, jac=jacobian))
    low = [-np.inf if a is None else a for a, _ in scaled.bounds]
    high_ = [np.inf if b is None else b for _, b in scaled.bounds]
    found: Any = minimize(
        scaled.value,
        scaled.start,
        jac=scaled.gradient,
        bounds=Bounds(low, high_),
        constraints=conditions,
        method="trust-constr",
        options={"maxiter": most, "gtol": 1e-10, "xtol": 1e-14, "barrier_tol": 1e-12},
    )
    return scaled.minimum(found.x, found.status in (1, 2), str(found.message))


SOLVERS: dict[str, Callable[[DesignProblem, Array, str, int], LocalMinimum]] = {
    "least squares": least_squares,
    "SLSQP": slsqp,
    "trust-constr": trust_region,
}
