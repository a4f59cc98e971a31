"""The problem of a design: what is minimized, within which bounds, and its exact gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.designs.closure import DesignError
from eomc.runtime.designs.design import Design
from eomc.runtime.designs.dual import DualArray, concatenated, dual
from eomc.runtime.designs.states import DesignFunctions
from eomc.runtime.fit.unknowns import Unknowns

Quantity = Callable[[Design], Any]
"""A number or an array of a design."""

Limits = tuple[Quantity, float, float]
"""A quantity with its lower and upper bound; equal bounds are an equation."""

ArrayGoal = Literal["sum of squares", "largest"]


@dataclass(frozen=True)
class DesignTrial:
    """Objective, and conditions as margins >= 0 and equalities = 0, with derivatives by theta.

    `names` are those of the conditions of the margins; `solutions` start the next trial.
    """

    theta: Array
    objective: DualArray
    margins: DualArray
    equalities: DualArray
    names: tuple[str, ...]
    design: Design


@dataclass(eq=False)
class DesignProblem:
    """Objective and conditions as functions of theta, evaluated once for values and gradients."""

    functions: DesignFunctions
    unknowns: Unknowns
    given: Mapping[str, float]
    objective: Quantity
    conditions: Mapping[str, Limits]
    evaluations: int = 0
    why: str = ""
    _last: DesignTrial | None = None
    _warm: Mapping[int, Any] = field(default_factory=dict)

    def trial(self, theta: Array) -> DesignTrial | None:
        """None where the model cannot be evaluated; `why` says why."""
        if self._last is not None and np.array_equal(theta, self._last.theta):
            return self._last
        self.evaluations += 1
        n, values = len(theta), self.unknowns.values(theta)
        slopes = np.asarray(self.unknowns.slopes(theta))
        slopes = slopes if slopes.ndim == 2 else np.diag(slopes)
        free = {name: DualArray(values[k], slopes[k]) for k, name in enumerate(self.unknowns.names)}
        free |= {name: DualArray(float(x), np.zeros(n)) for name, x in self.given.items()}
        design = Design(self.functions, free, self._warm)
        try:
            objective = dual(self.objective(design), n)
            found = [dual(f(design), n).ravel() for f, _, _ in self.conditions.values()]
        except (DesignError, ArithmeticError, np.linalg.LinAlgError) as error:
            self.why = str(error)
            return None
        trial = self._bounded(np.array(theta), objective, found, design)
        parts = (trial.objective, trial.margins, trial.equalities)
        if not all(np.isfinite(part.value).all() for part in parts):
            self.why = "the objective or a condition is not finite"
            return None
        for part in parts:
            bad = ~np.isfinite(part.slopes).reshape(-1, n).all(axis=0)
            if bad.any():
                raise DesignError(
                    f"the derivative by {self.unknowns.names[int(np.argmax(bad))]!r} is not finite:"
                    " the objective or a condition has none, as of repeated eigenvalues or the "
                    "root of zero"
                )
        self._last = trial
        return trial

    def _bounded(
        self, theta: Array, objective: DualArray, found: Sequence[DualArray], design: Design
    ) -> DesignTrial:
        """The trial with conditions divided by the sizes of their bounds."""
        n = len(theta)
        margins, equalities = [DualArray(np.zeros(0), np.zeros((0, n)))], []
        names: list[str] = []
        for (name, (_, low, high)), rows in zip(self.conditions.items(), found, strict=True):
            size = max((abs(x) for x in (low, high) if np.isfinite(x)), default=0.0) or 1.0
            if low == high:
                equalities.append((rows - low) / size)
                continue
            for bound, sign in ((low, 1.0), (high, -1.0)):
                if np.isfinite(bound):
                    margins.append(sign * (rows - bound) / size)
                    names += [name] * len(rows)
        nothing = margins[0]
        return DesignTrial(
            theta,
            objective,
            concatenated(margins),
            concatenated([nothing, *equalities]),
            tuple(names),
            design,
        )

    def accept(self, trial: DesignTrial) -> None:
        """Let the next trials begin from the solutions of this one."""
        self._warm = trial.design.solutions
