"""The equations of an equilibrium: f(q, u, z, a(u)) - tau = 0, z' = 0 in chosen unknowns.

Every derivative is exact but those of user forces without one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.constraints.consistency import (
    CONSISTENT,
    position_sizes,
    position_violation,
    worst,
)
from eomc.runtime.constraints.constraints import ConstraintValues
from eomc.runtime.derivatives.constraint_derivatives import constraint_derivatives
from eomc.runtime.derivatives.operating_point import OperatingPoint, Surroundings
from eomc.runtime.derivatives.tree import stiffness_matrix, tree_derivatives
from eomc.runtime.equilibrium.acceleration import SteadyAcceleration
from eomc.runtime.equilibrium.unknowns import Unknown
from eomc.runtime.equilibrium.wanted import Wanted
from eomc.runtime.model.errors import EquilibriumError

Array = NDArray[np.float64]


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
class Problem:
    """Unknowns and the equations for them; multipliers of constraints are among the unknowns, and
    what is wanted beside balance is among the equations."""

    around: Surroundings
    acceleration: SteadyAcceleration
    unknowns: tuple[Unknown, ...]
    t: float = 0.0
    wanted: Wanted | None = None

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

    def value(self, at: Candidate, unknown: Unknown) -> float:
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
        """The speed or constraint whose equation the candidate violates most, if it does."""
        residual = self.residuals(at, self.scale(at))
        if not residual.size:
            return None
        names = list(self.around.model.speeds)
        if self.is_constrained:
            constraints = self.around.constraints
            names += [*constraints.position_names, *constraints.names, *constraints.names]
        names += self.wanted.names if self.wanted is not None else ()
        names += self.around.model.element_states
        name, gap = worst(residual, names)
        return None if abs(gap) <= CONSISTENT else name

    def constraint_residuals(self, at: Candidate) -> Array:
        """phi, G u + b, G a + g."""
        found = self._constraints(at)
        acceleration = found.acceleration(found.arguments["a"])
        return np.hstack([found.residual, found.velocity, acceleration])

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
        """df by the unknown at `place`: Newton's method bears a differenced column."""
        h = _STEP * max(1.0, abs(self.value(at, self.unknowns[place])))
        step = h * np.eye(len(self.unknowns))[place]
        ahead, behind = (f(self.moved(at, sign * step)) for sign in (1, -1))
        column: Array = (ahead - behind) / (2 * h)
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
        blocks = {
            "displacement": np.vstack([found.J, by_q, accelerated_by_q]),
            "speed": np.vstack([0 * found.J, found.G, steady]),
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
        by_p: Array | None = None
        columns = []
        for unknown in self.unknowns:
            if unknown.kind == "parameter" and by_p is None:
                call = self.around.call
                by_p = np.asarray(call("inverse_dynamics_parameter_derivatives", values))
            block = {
                "displacement": by_q,
                "multiplier": by_multipliers,
                "speed": by_u,
                "tau": -np.eye(n),
                "input": inputs,
                "state": by_z,
                "parameter": by_p,
            }[unknown.kind]
            assert block is not None
            columns.append(block[:, unknown.place])
        return np.array(columns).reshape(len(columns), n).T

    def scale(self, at: Candidate) -> float:
        """Size of the forces that balance, for tolerances."""
        values = self.values(at)
        tau = np.abs(np.asarray(self.around.call("inverse_dynamics", values)))
        weighs = self.around.model.offers("gravity")
        gravity = np.abs(np.asarray(self.around.call("gravity", values))) if weighs else tau
        point = OperatingPoint(
            at.q, at.u, values["a"], at.tau, self.t, values, at.multipliers, at.z
        )
        stiffness = np.abs(np.diagonal(stiffness_matrix(self.around, point)))
        parts = (tau, gravity, stiffness * 1e-3, np.abs(at.tau), [1e-12])
        return max(float(np.max(part, initial=0.0)) for part in parts)


_KINDS = ("speed", "tau", "input", "parameter", "multiplier", "state")
HIDDEN = ("multiplier", "state")
"""Unknowns that nobody asks for."""
_STEP = 1e-6
# Longest step in any unknown of a displacement, rad or m.
_LONGEST = 0.7
#: Further equations: values and rows of their Jacobian.
Further = Callable[[Candidate], tuple[Array, Array]]

_MOST = 100
_TOLERANCE = 1e-11


@dataclass(frozen=True)
class Solved:
    """A solution, with the rank of the Jacobian there."""

    at: Candidate
    residual: float
    iterations: int
    rank: int


def solve(
    problem: Problem,
    start: Candidate,
    extra: Further | None = None,
    most: int = _MOST,
) -> Solved:
    """Newton's method with steps of least norm, shortened until the residual falls.

    `extra` gives further equations (values, rows of the Jacobian). Raises EquilibriumError, also
    if it takes more than `most` iterations.
    """
    at, scale = start, problem.scale(start)
    equations, jacobian = _equations(problem, at, scale, extra)
    damping = 0.0
    for iteration in range(most):
        size = float(np.linalg.norm(equations))
        step, rank = _step(problem, jacobian, equations, damping)
        if size <= _TOLERANCE and float(np.abs(step).max(initial=0.0)) < 1e-7:
            return _polished(problem, at, step, equations, scale, extra, iteration, rank)
        length, accepted = 1.0, False
        for _ in range(12):
            trial = problem.moved(at, length * step)
            try:
                if _size(problem, trial, scale, extra) < size * (1 - 1e-4 * length):
                    found, accepted = _equations(problem, trial, scale, extra), True
                    break
            except (ArithmeticError, ValueError):
                pass
            length /= 2
        if not accepted:
            if size <= 1e3 * _TOLERANCE:
                return Solved(at, size * scale, iteration, rank)
            damping = max(10 * damping, 1e-6)
            if damping > 1e6:
                break
            continue
        at, (equations, jacobian) = trial, found
        damping = damping / 10 if damping > 1e-8 else 0.0
    raise _failure(problem, equations, jacobian, scale)


def _size(problem: Problem, at: Candidate, scale: float, extra: Further | None) -> float:
    """Norm of the residuals; shortened steps need no Jacobian."""
    residual = problem.residuals(at, scale)
    if not np.isfinite(residual).all():
        raise EquilibriumError("the forces are not finite")
    more = 0.0 if extra is None else float(np.linalg.norm(extra(at)[0]))
    return float(np.hypot(np.linalg.norm(residual), more))


def _equations(
    problem: Problem, at: Candidate, scale: float, extra: Further | None
) -> tuple[Array, Array]:
    residual, jacobian = problem.residuals(at, scale), problem.slopes(at, scale)
    if not np.isfinite(residual).all():
        raise EquilibriumError("the forces are not finite")
    if extra is not None:
        values, rows = extra(at)
        residual, jacobian = np.hstack([residual, values]), np.vstack([jacobian, rows])
    return residual, jacobian


def _step(problem: Problem, jacobian: Array, equations: Array, damping: float) -> tuple[Array, int]:
    """-J^+ g with columns scaled alike, and the rank of J."""
    columns = np.linalg.norm(jacobian, axis=0)
    weight = 1 / np.where(columns > 0, columns, 1.0)
    u, s, vt = np.linalg.svd(jacobian * weight, full_matrices=False)
    keep = s > 1e-11 * s.max(initial=0.0)
    inverse = np.where(keep, s / np.where(keep, s * s + damping, 1.0), 0.0)
    step: Array = -weight * (vt.T @ (inverse * (u.T @ equations)))
    displaced = [
        abs(x) for x, k in zip(step, problem.unknowns, strict=True) if k.kind == "displacement"
    ]
    longest = max(displaced, default=0.0)
    return step * min(1.0, _LONGEST / longest) if longest > 0 else step, int(keep.sum())


def _polished(
    problem: Problem,
    at: Candidate,
    step: Array,
    equations: Array,
    scale: float,
    extra: Further | None,
    iteration: int,
    rank: int,
) -> Solved:
    """One more step if it helps: convergence is quadratic."""
    trial = problem.moved(at, step)
    found, _ = _equations(problem, trial, scale, extra)
    best, size = at, float(np.linalg.norm(equations))
    if float(np.linalg.norm(found)) <= size:
        best, size = trial, float(np.linalg.norm(found))
    return Solved(best, size * scale, iteration + 1, rank)


def _failure(problem: Problem, equations: Array, jacobian: Array, scale: float) -> EquilibriumError:
    model = problem.around.model
    forces, gaps = np.abs(equations[: model.nu]), np.abs(equations[model.nu :])
    rank = int(np.linalg.matrix_rank(jacobian, tol=1e-10 * np.abs(jacobian).max(initial=0.0)))
    if gaps.size and gaps.max() > forces.max(initial=0.0):
        rates = np.abs(equations[len(equations) - len(model.element_states) :])
        what = f"the constraints stay violated by {gaps.max():.3g}"
        of_wanted = np.abs(_of_wanted(problem, equations))
        if problem.wanted is not None and of_wanted.max(initial=0.0) == gaps.max():
            name = problem.wanted.names[int(np.argmax(of_wanted))]
            what = f"{name!r} stays off what is wanted by {gaps.max():.3g} of it"
        if rates.max(initial=0.0) == gaps.max():
            name = list(model.element_states)[int(np.argmax(rates))]
            what = f"the state {name!r} of an element keeps changing at the rate {gaps.max():.3g}"
    else:
        worst = model.speeds[int(np.argmax(forces))]
        what = f"a force of {forces.max() * scale:.4g} on {worst!r} stays unbalanced"
    names = [unknown.name for unknown in problem.unknowns if unknown.kind not in HIDDEN]
    return EquilibriumError(
        f"model {model.name!r}: no equilibrium near the guess: {what}; the equations have rank "
        f"{rank} in {len(problem.unknowns)} unknowns ({', '.join(names[:8])})"
    )


def _of_wanted(problem: Problem, equations: Array) -> Array:
    """The part of the equations that belongs to what is wanted."""
    count = len(problem.wanted.names) if problem.wanted is not None else 0
    end = len(equations) - len(problem.around.model.element_states)
    return equations[end - count : end]
