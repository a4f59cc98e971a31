"""The equations of an equilibrium: f(q, u, z, a(u)) - tau = 0, z' = 0 in chosen unknowns.

Derivatives are exact but those of user forces without one, and those of constraints and their
forces by parameters, which are differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import (
    CONSISTENT,
    position_sizes,
    position_violation,
    worst,
)
from eomc.runtime.constraints.constraints import ConstraintValues
from eomc.runtime.derivatives.constraint_derivatives import constraint_derivatives
from eomc.runtime.derivatives.operating_point import OperatingPoint, Surroundings
from eomc.runtime.derivatives.tree import tree_derivatives
from eomc.runtime.equilibria.acceleration import SteadyAcceleration
from eomc.runtime.equilibria.balance import acting, tolerances, unknown_sizes
from eomc.runtime.equilibria.unknowns import UnknownEntry
from eomc.runtime.equilibria.wanted import OutputTargets
from eomc.runtime.model.arguments import speed_sizes


@dataclass(frozen=True)
class Candidate:
    """All that may be unknown."""

    q: Array
    u: Array
    tau: Array
    r: Array
    p: Array
    multipliers: Array = field(default_factory=lambda: np.zeros(0))
    z: Array = field(default_factory=lambda: np.zeros(0))

    def array(self, kind: str) -> Array:
        """The array of the candidate that holds unknowns of a kind."""
        found: Array = {
            "speed": self.u,
            "tau": self.tau,
            "input": self.r,
            "parameter": self.p,
            "multiplier": self.multipliers,
            "state": self.z,
        }[kind]
        return found


@dataclass(frozen=True)
class EquilibriumProblem:
    """Unknowns and the equations for them; multipliers of constraints are among the unknowns, and
    what is wanted beside balance is among the equations."""

    around: Surroundings
    acceleration: SteadyAcceleration
    unknowns: tuple[UnknownEntry, ...]
    t: float = 0.0
    wanted: OutputTargets | None = None

    def moved(self, at: Candidate, step: Array) -> Candidate:
        """The candidate with the unknowns changed by `step`."""
        arrays = {kind: at.array(kind).copy() for kind in _KINDS}
        displacement = np.zeros(len(at.u))
        for unknown, change in zip(self.unknowns, step, strict=True):
            if unknown.kind == "displacement":
                displacement[unknown.place] += change
            else:
                arrays[unknown.kind][unknown.place] += change
        model = self.around.model
        q = at.q
        if displacement.any():
            q = np.asarray(model.function("integrate")(q, displacement))
            q = np.asarray(model.function("normalize")(q))
        return Candidate(q, *(arrays[kind] for kind in _KINDS))

    def value(self, at: Candidate, unknown: UnknownEntry) -> float:
        """The present value of an unknown that is no displacement on a manifold."""
        if unknown.kind == "displacement":
            model = self.around.model
            return float(at.q[model.coordinates.index(unknown.name)])
        return float(at.array(unknown.kind)[unknown.place])

    def values(self, at: Candidate) -> dict[str, Any]:
        """Arguments of the model's functions."""
        model = self.around.model
        if model.parameters:
            self.around.excitation.p = at.p
        values = self.around.values(self.t, at.q, at.u, self.acceleration.value(at.u), at.z)
        values |= {"r": at.r} if model.inputs else {}
        return values | ({"multipliers": at.multipliers} if self.is_constrained else {})

    @property
    def is_constrained(self) -> bool:
        """True if the model has loops or other constraints."""
        return self.around.model.is_constrained

    def residual(self, at: Candidate) -> Array:
        """f - G^T lambda - tau, (nu,); not finite where the model has no value."""
        values = self.values(at)
        forces = self.around.residual(self.t, values) - at.tau
        if self.is_constrained:
            forces = forces - self.around.constraints_at(values).G.T @ at.multipliers
        return forces

    def residuals(self, at: Candidate, scale: float) -> Array:
        """Forces over `scale` and, below them, residuals of the constraints."""
        found = [self.residual(at) / scale]
        if self.is_constrained:
            found.append(self.constraint_residuals(at))
        if self.wanted is not None:
            found.append(self._wanted_residuals(at))
        if self.around.model.element_states:
            found.append(self.element_rates(at))
        return np.hstack(found)

    def slopes(self, at: Candidate, scale: float) -> Array:
        """The Jacobian of `residuals`."""
        found = [self.jacobian(at) / scale]
        if self.is_constrained:
            found.append(self._constraint_jacobian(at))
        if self.wanted is not None:
            found.append(self._wanted_jacobian(at))
        if self.around.model.element_states:
            found.append(self._rate_jacobian(at))
        return np.vstack(found)

    def unbalanced(self, at: Candidate) -> str | None:
        """The speed or constraint whose equation the candidate violates most, if it does by more
        than rounding to printed digits."""
        scale = self.scale(at)
        residual, jacobian = np.abs(self.residuals(at, scale)), self.slopes(at, scale)
        allowed = tolerances(self, at, jacobian, CONSISTENT, scale, CONSISTENT * 1e-3)
        if not (residual > allowed).any():
            return None
        return worst(residual, self.equation_names, np.where(allowed > 0, allowed, TINY))[0]

    def constraint_residuals(self, at: Candidate) -> Array:
        """phi, G u + b, G a + g, in the sizes of their rows."""
        found = self._constraints(at)
        acceleration = found.acceleration(found.arguments["a"])
        return np.hstack([found.residual, found.velocity, acceleration]) / self._row_sizes

    def constraint_motion(self, at: Candidate) -> Array:
        """Sizes of the terms that cancel in rates and accelerations of the constraints by the
        motion itself, in the sizes of their rows: 0, abs(G) abs(u), abs(G) abs(a) + abs(G u) w
        with w the largest speed."""
        found = self._constraints(at)
        by_speed, by_acceleration = (
            np.abs(found.G) @ np.abs(found.arguments[name]) for name in ("u", "a")
        )
        fastest = np.abs(at.u / self.speed_sizes).max(initial=0.0)
        still = np.zeros(len(found.residual))
        return np.hstack([still, by_speed, by_acceleration + by_speed * fastest]) / self._row_sizes

    @cached_property
    def _row_sizes(self) -> Array:
        constraints = self.around.constraints
        rates = constraints.row_sizes(constraints.names)
        return np.hstack([constraints.row_sizes(constraints.position_names), rates, rates])

    def element_rates(self, at: Candidate) -> Array:
        """z' of the states of elements."""
        found = self.around.call("element_state_rates", self.values(at))
        return np.asarray(found, dtype=np.float64)

    def _rate_jacobian(self, at: Candidate) -> Array:
        found = self.around.call("element_state_derivatives", self.values(at))
        blocks = dict(zip(("displacement", "speed", "state", "", "input"), found, strict=False))
        return self._columns(blocks, self.element_rates, at, len(at.z))

    def _wanted_residuals(self, at: Candidate) -> Array:
        assert self.wanted is not None
        return self.wanted.residuals(self.values(at))

    def _wanted_jacobian(self, at: Candidate) -> Array:
        assert self.wanted is not None
        blocks = self.wanted.slopes(self.values(at))
        return self._columns(blocks, self._wanted_residuals, at, len(self.wanted.names))

    def _columns(
        self, blocks: Mapping[str, Any], f: Callable[[Candidate], Array], at: Candidate, size: int
    ) -> Array:
        """df by the unknowns: columns of the blocks of their kinds, by parameters differences."""
        columns = []
        for k, unknown in enumerate(self.unknowns):
            if unknown.kind in blocks:
                columns.append(np.asarray(blocks[unknown.kind])[:, unknown.place])
            elif unknown.kind == "parameter":
                columns.append(self._differenced(f, at, k))
            else:
                columns.append(np.zeros(size))
        return np.array(columns).reshape(len(columns), size).T

    def _differenced(self, f: Callable[[Candidate], Array], at: Candidate, place: int) -> Array:
        """df by the unknown at `place`, by central differences of order 4."""
        h = _STEP * (abs(self.value(at, self.unknowns[place])) or 1.0)
        step = h * np.eye(len(self.unknowns))[place]
        near, far = (f(self.moved(at, k * step)) - f(self.moved(at, -k * step)) for k in (1, 2))
        column: Array = (8 * near - far) / (12 * h)
        return column

    def open_constraint(self, at: Candidate) -> str | None:
        """A constraint that is left open where all the independent ones are closed, if any."""
        if not self.around.model.redundant:
            return None
        found = self._constraints(at)
        if position_violation(found) is None:
            return None
        sizes, names = position_sizes(found), self.around.constraints.closure_names
        return worst(found.closure, names, sizes)[0]

    def _constraints(self, at: Candidate) -> ConstraintValues:
        return self.around.constraints_at(self.values(at))

    def _constraint_jacobian(self, at: Candidate) -> Array:
        found = self._constraints(at)
        _, by_q, accelerated_by_q, accelerated_by_u = constraint_derivatives(
            self.around, found.arguments
        )
        steady = accelerated_by_u + found.G @ self.acceleration.by_speeds(at.u)
        sizes = self._row_sizes[:, None]
        blocks = {
            "displacement": np.vstack([found.J, by_q, accelerated_by_q]) / sizes,
            "speed": np.vstack([0 * found.J, found.G, steady]) / sizes,
        }
        size = len(found.J) + 2 * len(found.G)
        return self._columns(blocks, self.constraint_residuals, at, size)

    def jacobian(self, at: Candidate) -> Array:
        """Of the forces: columns by the unknowns, (nu, number of unknowns)."""
        values = self.values(at)
        point = OperatingPoint(
            at.q, at.u, values["a"], at.tau, self.t, values, at.multipliers, at.z
        )
        tree, _ = tree_derivatives(self.around, point, "exact", None)
        by_u = tree.by_u + tree.mass @ self.acceleration.by_speeds(at.u)
        n, by_q, by_multipliers = len(at.u), tree.by_q, np.zeros((len(at.u), 0))
        if self.is_constrained:
            curvature, _, _, _ = constraint_derivatives(self.around, values)
            by_q = by_q - curvature
            by_multipliers = -self.around.by_multipliers(values)
        inputs, by_z = -tree.forcing[:, n:], np.zeros((n, 0))
        if self.around.model.element_states:
            by_z = -np.asarray(self.around.call("element_state_derivatives", values)[3])
        blocks = {
            "displacement": by_q,
            "multiplier": by_multipliers,
            "speed": by_u,
            "tau": -np.eye(n),
            "input": inputs,
            "state": by_z,
        }
        adjusted = [k for k, unknown in enumerate(self.unknowns) if unknown.kind == "parameter"]
        if adjusted:
            found = self.around.call("inverse_dynamics_parameter_derivatives", values)
            blocks["parameter"] = np.asarray(found)
        columns = [blocks[unknown.kind][:, unknown.place] for unknown in self.unknowns]
        for k in adjusted if self.is_constrained else ():
            columns[k] = columns[k] - self._differenced(self._constraint_forces, at, k)
        return np.array(columns).reshape(len(columns), n).T

    def _constraint_forces(self, at: Candidate) -> Array:
        """G^T lambda"""
        forces: Array = self._constraints(at).G.T @ at.multipliers
        return forces

    def scale(self, at: Candidate) -> float:
        """Size of the forces that balance, by which all of them are divided: the larger of those
        that act and of what a thousandth of the unknowns' sizes makes; 1 without any."""
        jacobian = self.jacobian(at)
        reach = np.abs(jacobian) @ unknown_sizes(self, at)
        parts = (acting(self, at), reach * 1e-3)
        return max(float(np.max(part, initial=0.0)) for part in parts) or 1.0

    @cached_property
    def speed_sizes(self) -> Array:
        """Size of each speed's displacement."""
        return speed_sizes(self.around.model)

    @property
    def equation_names(self) -> tuple[str, ...]:
        """Speeds, then rows of constraints, what is wanted, states of elements."""
        names = list(self.around.model.speeds)
        if self.is_constrained:
            constraints = self.around.constraints
            names += [*constraints.position_names, *constraints.names, *constraints.names]
        names += self.wanted.names if self.wanted is not None else ()
        return (*names, *self.around.model.element_states)


_KINDS = ("speed", "tau", "input", "parameter", "multiplier", "state")
HIDDEN = ("multiplier", "state")
"""Unknowns that nobody asks for."""
# Of differences by a parameter, by its size: rounding is above their error of order 4.
_STEP = 1e-4
TINY = float(np.finfo(float).tiny)
