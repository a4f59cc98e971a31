"""The equations of an equilibrium: f(q, u, a(u)) - tau = 0 in chosen unknowns.

Every derivative is exact but those of user forces without one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.constraints.rows import has_constraints
from eomc.runtime.equilibrium.acceleration import SteadyAcceleration
from eomc.runtime.equilibrium.unknowns import Unknown
from eomc.runtime.errors import EquilibriumError
from eomc.runtime.linearization.constrained import CLOSED, rows_at
from eomc.runtime.linearization.linearize import tree_derivatives
from eomc.runtime.linearization.operating_point import OperatingPoint, Surroundings

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

    def array(self, kind: str) -> Array:
        """Where unknowns of a kind stand."""
        found: Array = {
            "speed": self.u,
            "tau": self.tau,
            "input": self.r,
            "parameter": self.p,
            "multiplier": self.multipliers,
        }[kind]
        return found


@dataclass(frozen=True)
class Problem:
    """Unknowns and the equations for them; multipliers of constraints are among the unknowns."""

    around: Surroundings
    acceleration: SteadyAcceleration
    unknowns: tuple[Unknown, ...]
    t: float = 0.0

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
        values = self.around.values(self.t, at.q, at.u, self.acceleration.value(at.u))
        values |= {"r": at.r} if model.inputs else {}
        return values | ({"multipliers": at.multipliers} if self.is_constrained else {})

    @property
    def is_constrained(self) -> bool:
        """Whether there are loops or other constraints."""
        return has_constraints(self.around.model)

    def residual(self, at: Candidate) -> Array:
        """f - G^T lambda - tau, (nu,); not finite where the model has no value."""
        values = self.values(at)
        forces = self.around.residual(self.t, values) - at.tau
        if self.is_constrained:
            g = rows_at(self.around.call, self.around.model, values).G
            forces = forces - g.T @ at.multipliers
        return forces

    def equations(self, at: Candidate, scale: float) -> tuple[Array, Array]:
        """Forces over `scale` and, below them, residuals of the constraints; their Jacobian."""
        forces, slopes = self.residual(at) / scale, self.jacobian(at) / scale
        if not self.is_constrained:
            return forces, slopes
        held = self.constraint_residuals(at)
        return np.hstack([forces, held]), np.vstack([slopes, self._constraint_jacobian(at)])

    def constraint_residuals(self, at: Candidate) -> Array:
        """phi, G u + b, G a + g."""
        values = self.values(at)
        rows = rows_at(self.around.call, self.around.model, values)
        bias = np.asarray(self.around.call("constraint_bias", values)).reshape(-1)
        return np.hstack([rows.residual, rows.velocity, rows.G @ values["a"] + bias])

    def open_constraint(self, at: Candidate) -> str | None:
        """A constraint that is left open where all the independent ones are closed, if any."""
        if not self.around.model.redundant:
            return None
        closure = rows_at(self.around.call, self.around.model, self.values(at)).closure
        name = max(closure, key=lambda row: abs(closure[row]))
        return name if abs(closure[name]) > CLOSED else None

    def _constraint_jacobian(self, at: Candidate) -> Array:
        values = self.values(at)
        rows = rows_at(self.around.call, self.around.model, values)
        _, by_q, accelerated_by_q, accelerated_by_u = (
            np.asarray(part) for part in self.around.call("constraint_derivatives", values)
        )
        steady = accelerated_by_u + rows.G @ self.acceleration.by_speeds(at.u)
        blocks = {
            "displacement": np.vstack([rows.J, by_q, accelerated_by_q]),
            "speed": np.vstack([0 * rows.J, rows.G, steady]),
        }
        size = len(rows.J) + 2 * len(rows.G)
        columns = []
        for k, unknown in enumerate(self.unknowns):
            if unknown.kind in blocks:
                columns.append(blocks[unknown.kind][:, unknown.place])
            elif unknown.kind == "parameter":
                # Geometry hangs on parameters; Newton's method bears a differenced column.
                h = _STEP * max(1.0, abs(self.value(at, unknown)))
                step = h * np.eye(len(self.unknowns))[k]
                ahead, behind = (
                    self.constraint_residuals(self.moved(at, sign * step)) for sign in (1, -1)
                )
                columns.append((ahead - behind) / (2 * h))
            else:
                columns.append(np.zeros(size))
        return np.array(columns).reshape(len(columns), size).T

    def jacobian(self, at: Candidate) -> Array:
        """Of the forces: columns by the unknowns, (nu, number of unknowns)."""
        values = self.values(at)
        point = OperatingPoint(at.q, at.u, values["a"], at.tau, self.t, values, at.multipliers)
        tree, _ = tree_derivatives(self.around, point, "exact", None)
        by_u = tree.by_u + tree.mass @ self.acceleration.by_speeds(at.u)
        n, by_q, by_multipliers = len(at.u), tree.by_q, np.zeros((len(at.u), 0))
        if self.is_constrained:
            curvature, _, _, _ = self.around.call("constraint_derivatives", values)
            by_q = by_q - np.asarray(curvature)
            by_multipliers = -rows_at(self.around.call, self.around.model, values).G.T
        inputs = -tree.forcing[:, n:]
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
                "parameter": by_p,
            }[unknown.kind]
            assert block is not None
            columns.append(block[:, unknown.place])
        return np.array(columns).reshape(len(columns), n).T

    def scale(self, at: Candidate) -> float:
        """Size of the forces that balance, for tolerances."""
        values = self.values(at)
        tau = np.abs(np.asarray(self.around.call("inverse_dynamics", values)))
        gravity = np.abs(np.asarray(self.around.call("gravity", values)))
        stiffness = np.abs(np.diagonal(np.asarray(self.around.call("linearization", values)[2])))
        parts = (tau, gravity, stiffness * 1e-3, np.abs(at.tau), [1e-12])
        return max(float(np.max(part, initial=0.0)) for part in parts)


_KINDS = ("speed", "tau", "input", "parameter", "multiplier")
_STEP = 1e-6
# Longest step in any unknown of a displacement, rad or m.
_LONGEST = 0.7
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
    extra: Callable[[Candidate], tuple[Array, Array]] | None = None,
) -> Solved:
    """Newton's method with steps of least norm, shortened until the residual falls.

    `extra` gives further equations (values, rows of the Jacobian). Raises EquilibriumError.
    """
    at, scale = start, problem.scale(start)
    equations, jacobian = _equations(problem, at, scale, extra)
    damping = 0.0
    for iteration in range(_MOST):
        size = float(np.linalg.norm(equations))
        step, rank = _step(problem, jacobian, equations, damping)
        if size <= _TOLERANCE and float(np.abs(step).max(initial=0.0)) < 1e-7:
            return _polished(problem, at, step, equations, scale, extra, iteration, rank)
        length, accepted = 1.0, False
        for _ in range(12):
            trial = problem.moved(at, length * step)
            try:
                found = _equations(problem, trial, scale, extra)
            except (ArithmeticError, ValueError):
                length /= 2
                continue
            if float(np.linalg.norm(found[0])) < size * (1 - 1e-4 * length):
                accepted = True
                break
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


def _equations(
    problem: Problem,
    at: Candidate,
    scale: float,
    extra: Callable[[Candidate], tuple[Array, Array]] | None,
) -> tuple[Array, Array]:
    residual, jacobian = problem.equations(at, scale)
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
    extra: Callable[[Candidate], tuple[Array, Array]] | None,
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
    forces, held = np.abs(equations[: model.nu]), np.abs(equations[model.nu :])
    rank = int(np.linalg.matrix_rank(jacobian, tol=1e-10 * np.abs(jacobian).max(initial=0.0)))
    if held.size and held.max() > forces.max(initial=0.0):
        what = f"the constraints stay violated by {held.max():.3g}"
    else:
        worst = model.speeds[int(np.argmax(forces))]
        what = f"a force of {forces.max() * scale:.4g} on {worst!r} stays unbalanced"
    shown = [unknown.name for unknown in problem.unknowns if unknown.kind != "multiplier"]
    return EquilibriumError(
        f"model {model.name!r}: no equilibrium near the guess: {what}; the equations have rank "
        f"{rank} in {len(problem.unknowns)} unknowns ({', '.join(shown[:8])})"
    )
