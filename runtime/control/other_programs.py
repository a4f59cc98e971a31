"""Forces that are best by other objectives than their squares: linear and nonlinear programs.

    minimize  f(x)   subject to   B x = w,   lower <= C x <= upper

With d = x - targets and costs p the objective "sum" is sum p_i abs(d_i), "largest" is
max p_i abs(d_i): linear programs in x and further unknowns s >= abs(d), solved by HiGHS. Any other
one is a function of x, minimized by sequential quadratic programming (SLSQP).

References: Dantzig, *Linear Programming and Extensions* (1963); Kraft, A software package for
sequential quadratic programming, DFVLR-FB 88-28 (1988).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from eomc.binding.arrays import Array

Objective = Literal["squares", "sum", "largest"] | Callable[[Array], float]
"""Objective of a program, by name or as a function of all forces."""


@dataclass(frozen=True)
class ForceProgram:
    """B x = w, lower <= C x <= upper, costs p of the distances from the targets."""

    equations: Array
    right_side: Array
    bounded: Array
    lower: Array
    upper: Array
    costs: Array
    targets: Array

    def solved(self, objective: Objective, unit: float, start: Array) -> Array | None:
        """The best x, or None if nothing satisfies the conditions.

        A function is of `unit` x, and is minimized from `start`. Raises ValueError for other words.
        """
        if callable(objective):
            return self._nonlinear(lambda x: float(objective(unit * x)), start)
        if objective not in ("sum", "largest"):
            raise ValueError(
                f"objective is {objective!r}; give 'squares', 'sum', 'largest' or a function"
            )
        return self._linear(shared=objective == "largest")

    def _linear(self, *, shared: bool) -> Array | None:
        """By x and one s for each entry, or one `shared` by all."""
        from scipy.optimize import linprog

        n, p = len(self.costs), self.costs
        own, aim = np.diag(p), p * self.targets
        s = np.ones((n, 1)) if shared else np.eye(n)
        above, below = np.isfinite(self.upper), np.isfinite(self.lower)
        none = np.zeros((int(above.sum() + below.sum()), s.shape[1]))
        rows = np.vstack([self.bounded[above], -self.bounded[below]])
        found = linprog(
            np.append(np.zeros(n), np.ones(s.shape[1])),
            np.vstack([np.hstack([own, -s]), np.hstack([-own, -s]), np.hstack([rows, none])]),
            np.hstack([aim, -aim, self.upper[above], -self.lower[below]]),
            np.hstack([self.equations, np.zeros((len(self.equations), s.shape[1]))]),
            self.right_side,
            bounds=[(None, None)] * n + [(0, None)] * s.shape[1],
        )
        return np.asarray(found.x[:n]) if found.status == 0 else None

    def _nonlinear(self, objective: Callable[[Array], float], start: Array) -> Array | None:
        from scipy.optimize import LinearConstraint, minimize

        limits: list[Any] = [LinearConstraint(self.equations, self.right_side, self.right_side)]
        limited = np.isfinite(self.lower) | np.isfinite(self.upper)
        if limited.any():
            inside = self.bounded[limited], self.lower[limited], self.upper[limited]
            limits.append(LinearConstraint(*inside))
        options = {"maxiter": 1000, "ftol": 1e-15}
        found = minimize(objective, start, method="SLSQP", constraints=limits, options=options)
        lacking = np.abs(self.equations @ found.x - self.right_side).max(initial=0.0)
        return np.asarray(found.x) if np.isfinite(found.fun) and lacking < 1e-7 else None
