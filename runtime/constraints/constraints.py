"""The constraints of a compiled model, and their values at times and states.

phi(q, t) = 0,   G u + b = 0,   G u' + g = 0

Whether a model is constrained is declared (`CompiledModel.is_constrained`), whatever is compiled;
what its constraints are asked for and is not compiled is compiled then, or named in an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State

VALUES = ("constraint_residual", "constraint_jacobian", "constraint_velocity")
"""Functions that every use of constraints takes."""

ROUNDING = 0.0
"""Tolerance of residuals: Newton's method goes as far as rounding allows, whatever the lengths."""


class IndependentConstraints:
    """Independent constraints of a model under an excitation.

    Attributes
    ----------
    names : of all rows, in the order of multipliers
    positions : places among them of the rows that have a residual in q
    position_names : names of these
    closure_names : names of all rows that have a residual in q, those too that depend on others
    q_sizes, u_sizes : what counts as 1 of the coordinates and speeds: 1 rad, the model's length
    """

    def __init__(self, model: CompiledModel, excitation: Excitation) -> None:
        if not model.is_constrained:
            raise ValueError(f"model {model.name!r} has no constraints")
        self.model, self.excitation = model, excitation
        rows = _ROWS.get(model)
        if rows is None:
            rows = _ROWS[model] = _RowLayout(model)
        self.names, self.position_names = rows.names, rows.position_names
        self.positions = rows.positions
        self.q_sizes, self.u_sizes = rows.q_sizes, rows.u_sizes
        self._rows = rows

    def row_sizes(self, names: Sequence[str]) -> Array:
        """Sizes of these rows: their residuals under displacements of the coordinates' sizes."""
        return self._rows.sizes_of("rows", tuple(names))

    def scaled(self, jacobian: Array, names: Sequence[str]) -> Array:
        """Derivatives of rows in their sizes by displacements in theirs: rank is judged so."""
        found: Array = jacobian * self.u_sizes / self.row_sizes(names)[:, None]
        return found

    @cached_property
    def closure_names(self) -> tuple[str, ...]:
        """Names of all rows that have a residual in q, those too that depend on others."""
        if self.model.redundant:
            return self.model.output_names("closure_residual")
        return self.position_names

    @cached_property
    def rate_names(self) -> tuple[str, ...]:
        """Names of all rows, those too that depend on others."""
        return self.model.output_names("closure_velocity") if self.model.redundant else self.names

    def at(self, t: float, state: State) -> ConstraintValues:
        """Values at a time and state."""
        return ConstraintValues(self, self.arguments(t, state))

    def arguments(self, t: float, state: State) -> dict[str, Any]:
        """Arguments of functions by name."""
        return {"q": state.q, "u": state.u, **self.excitation.others(t, state)}

    def solve(
        self, solver: str, t: float, state: State, max_steps: int | None = None, **more: Any
    ) -> Any:
        """A compiled solver of the constraints at a time and state.

        `max_steps` bounds the iterations of those that iterate, to rounding. Raises
        FloatingPointError if it fails.
        """
        compiled, names = self.model.solver(solver)
        values = {**self.arguments(t, state), **more}
        keywords: dict[str, Any] = {}
        if max_steps is not None:
            keywords = {"tolerance": ROUNDING, "max_steps": max_steps}
        if self.excitation.p is not None:
            keywords["parameters"] = self.excitation.p
        return compiled(*[values[name] for name in names], **keywords)

    def moved(self, q: Array, du: Array) -> Array:
        """q displaced along du."""
        return np.asarray(self.excitation.call("integrate", {"q": q, "du": du}))

    def normalized(self, q: Array) -> Array:
        """q with quaternions of unit length."""
        return np.asarray(self.excitation.call("normalize", {"q": np.ascontiguousarray(q)}))


class _RowLayout:
    """Names, places and sizes of a model's rows, the same under any excitation."""

    def __init__(self, model: CompiledModel) -> None:
        model.prepare(*VALUES)
        self.names = model.output_names("constraint_jacobian")
        self.position_names = model.output_names("constraint_residual")
        self.positions = tuple(self.names.index(name) for name in self.position_names)
        self._sizes = model.manifest.get("metadata", {}).get("sizes", {})
        self._told: dict[tuple[str, tuple[str, ...]], Array] = {}
        self.q_sizes = self.sizes_of("q", model.coordinates)
        self.u_sizes = self.sizes_of("u", model.speeds)

    def sizes_of(self, what: str, names: tuple[str, ...]) -> Array:
        """Sizes of coordinates, speeds or rows by name, not to be written to."""
        found = self._told.get((what, names))
        if found is None:
            known = self._sizes.get(what, {})
            found = np.array([known.get(name, 1.0) for name in names])
            found.flags.writeable = False
            self._told[what, names] = found
        return found


_ROWS: WeakKeyDictionary[CompiledModel, _RowLayout] = WeakKeyDictionary()


@dataclass(frozen=True)
class ConstraintValues:
    """Constraints at the arguments `arguments` of the model's functions, evaluated when asked."""

    constraints: IndependentConstraints
    arguments: Mapping[str, Any]

    def _call(self, function: str, *shape: int) -> Array:
        found = self.constraints.excitation.call(function, self.arguments)
        return np.asarray(found, dtype=np.float64).reshape(shape)

    @cached_property
    def residual(self) -> Array:
        """phi (number of rows of positions,)."""
        return self._call("constraint_residual", -1)

    @cached_property
    def closure(self) -> Array:
        """Residuals of the rows `closure_names`; of a loop that is over-constrained they tell
        configurations where it is closed from those where only the independent rows vanish."""
        if self.constraints.model.redundant:
            return self._call("closure_residual", -1)
        return self.residual

    @cached_property
    def closure_jacobian(self) -> Array:
        """Derivatives of `closure` (rows, nu)."""
        if self.constraints.model.redundant:
            return self._call("closure_jacobian", -1, self.constraints.model.nu)
        return self.J

    @cached_property
    def closure_rate(self) -> Array:
        """Rates of the rows `rate_names`."""
        if self.constraints.model.redundant:
            return self._call("closure_velocity", -1)
        return self.velocity

    @cached_property
    def velocity(self) -> Array:
        """G u + b (m,)."""
        return self._call("constraint_velocity", -1)

    @cached_property
    def G(self) -> Array:
        """(m, nu)"""
        return self._call("constraint_jacobian", -1, self.constraints.model.nu)

    @cached_property
    def J(self) -> Array:
        """Rows of G that hold displacements."""
        positions = self.constraints.positions
        every = positions == tuple(range(len(self.G)))
        return self.G if every else self.G[list(positions)]

    def acceleration(self, a: Array) -> Array:
        """G a + g (m,)."""
        return self.G @ a + self._call("constraint_bias", -1)
