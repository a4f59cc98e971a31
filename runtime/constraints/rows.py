"""The constraints of a compiled model, evaluated at times and states.

phi(q, t) = 0,   G u + b = 0,   G u' + g = 0
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.excitation import Excitation
from eomc.runtime.state import State

Array = NDArray[np.float64]

RANK = 1e-9
"""Singular values below this fraction of the largest count as zero."""

ROUNDING = 0.0
"""Tolerance of residuals: Newton's method goes as far as rounding allows, whatever the lengths."""


def has_constraints(model: CompiledModel) -> bool:
    """Whether the model has loops or other constraints."""
    return "constraint_jacobian" in model.available_functions


class Rows:
    """Independent rows of a constrained model under an excitation.

    Attributes
    ----------
    names : of all rows, in the order of multipliers
    positions : places among them of the rows that have a residual in q
    """

    def __init__(self, model: CompiledModel, excitation: Excitation) -> None:
        if not has_constraints(model):
            raise ValueError(f"model {model.name!r} has no constraints")
        self.model, self.excitation = model, excitation
        model.prepare("constraint_jacobian", "constraint_residual", "constraint_velocity")
        self.names = model.output_rows("constraint_jacobian")
        held = model.output_rows("constraint_residual")
        self.positions = tuple(self.names.index(name) for name in held)
        self._is_redundant = bool(model.redundant)

    @property
    def position_names(self) -> tuple[str, ...]:
        """Names of the rows that have a residual in q."""
        return tuple(self.names[place] for place in self.positions)

    def values(self, t: float, state: State) -> dict[str, Any]:
        """Arguments of functions by name."""
        return {"q": state.q, "u": state.u, **self.excitation.others(t, state)}

    def call(self, function: str, t: float, state: State, **more: Any) -> Array:
        """A function of one output at a time and state."""
        found = self.excitation.call(function, {**self.values(t, state), **more})
        return np.asarray(found, dtype=np.float64)

    def solve(
        self, solver: str, t: float, state: State, steps: int | None = None, **more: Any
    ) -> Any:
        """A compiled solver of the constraints at a time and state.

        `steps` bounds the iterations of those that iterate, to rounding. Raises FloatingPointError
        if it fails.
        """
        compiled, names = self.model.solver(solver)
        values = {**self.values(t, state), **more}
        keywords: dict[str, Any] = {}
        if steps is not None:
            keywords = {"tolerance": ROUNDING, "max_steps": steps}
        if self.excitation.p is not None:
            keywords["p"] = self.excitation.p
        return compiled(*[values[name] for name in names], **keywords)

    def residual(self, t: float, state: State) -> Array:
        """phi (number of position rows,)."""
        return self.call("constraint_residual", t, state).reshape(-1)

    @cached_property
    def closure_names(self) -> tuple[str, ...]:
        """Names of all rows that have a residual in q, those too that depend on others."""
        if self._is_redundant:
            return self.model.output_rows("closure_residual")
        return self.position_names

    def closure(self, t: float, state: State) -> Array:
        """Residuals of the rows `closure_names`; of a loop that is over-constrained they tell
        configurations where it is closed from those where only the independent rows vanish."""
        if self._is_redundant:
            return self.call("closure_residual", t, state).reshape(-1)
        return self.residual(t, state)

    def closure_jacobian(self, t: float, state: State) -> Array:
        """Derivatives of `closure` (rows, nu)."""
        if self._is_redundant:
            return self.call("closure_jacobian", t, state).reshape(-1, self.model.nu)
        return self.jacobian(t, state)[list(self.positions)]

    def velocity(self, t: float, state: State) -> Array:
        """G u + b (m,)."""
        return self.call("constraint_velocity", t, state).reshape(-1)

    def bias(self, t: float, state: State) -> Array:
        """g (m,)."""
        return self.call("constraint_bias", t, state).reshape(-1)

    def jacobian(self, t: float, state: State) -> Array:
        """G (m, nu)."""
        return self.call("constraint_jacobian", t, state).reshape(-1, self.model.nu)

    def moved(self, q: Array, du: Array) -> Array:
        """q displaced along du."""
        return np.asarray(self.excitation.call("integrate", {"q": q, "du": du}))

    def normalized(self, q: Array) -> Array:
        """q with quaternions of unit length."""
        return np.asarray(self.excitation.call("normalize", {"q": np.ascontiguousarray(q)}))


def numerical_rank(matrix: Array) -> int:
    """Number of singular values that are not zero to rounding.

    >>> numerical_rank(np.array([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    if not matrix.size:
        return 0
    values = np.linalg.svd(matrix, compute_uv=False)
    return int((values > RANK * max(float(values[0]), 1e-300)).sum())


def worst(residuals: Array, names: tuple[str, ...]) -> tuple[str, float]:
    """Name and value of the largest residual.

    >>> worst(np.array([0.1, -0.3]), ("loop.x", "loop.y"))
    ('loop.y', -0.3)
    """
    place = int(np.argmax(np.where(np.isfinite(residuals), np.abs(residuals), np.inf)))
    return names[place], float(residuals[place])
