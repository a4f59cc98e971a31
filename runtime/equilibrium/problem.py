"""The equations of an equilibrium: f(q, u, a(u)) - tau = 0 in chosen unknowns.

Every derivative is exact but those of user forces without one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.equilibrium.acceleration import SteadyAcceleration
from eomc.runtime.equilibrium.unknowns import Unknown
from eomc.runtime.errors import EquilibriumError
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


@dataclass(frozen=True)
class Problem:
    """Unknowns and the equations for them."""

    around: Surroundings
    acceleration: SteadyAcceleration
    unknowns: tuple[Unknown, ...]
    t: float = 0.0

    def moved(self, at: Candidate, step: Array) -> Candidate:
        """The candidate with the unknowns changed by `step`."""
        arrays = {"speed": at.u, "tau": at.tau, "input": at.r, "parameter": at.p}
        arrays = {kind: array.copy() for kind, array in arrays.items()}
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
        return Candidate(q, arrays["speed"], arrays["tau"], arrays["input"], arrays["parameter"])

    def value(self, at: Candidate, unknown: Unknown) -> float:
        """The present value of an unknown that is no displacement on a manifold."""
        if unknown.kind == "displacement":
            model = self.around.model
            return float(at.q[model.coordinates.index(unknown.name)])
        arrays = {"speed": at.u, "tau": at.tau, "input": at.r, "parameter": at.p}
        return float(arrays[unknown.kind][unknown.place])

    def values(self, at: Candidate) -> dict[str, Any]:
        """Arguments of the model's functions."""
        model = self.around.model
        if model.parameters:
            self.around.excitation.p = at.p
        values = self.around.values(self.t, at.q, at.u, self.acceleration.value(at.u))
        return values | ({"r": at.r} if model.inputs else {})

    def residual(self, at: Candidate) -> Array:
        """f - tau, (nu,); not finite where the model has no value."""
        return self.around.residual(self.t, self.values(at)) - at.tau

    def jacobian(self, at: Candidate) -> Array:
        """Columns by the unknowns, (nu, number of unknowns)."""
        values = self.values(at)
        point = OperatingPoint(at.q, at.u, np.asarray(values["a"]), at.tau, self.t, values)
        tree, _ = tree_derivatives(self.around, point, "exact", None)
        by_u = tree.by_u + tree.mass @ self.acceleration.by_speeds(at.u)
        n = len(at.u)
        inputs = -tree.forcing[:, n:]
        by_p: Array | None = None
        columns = []
        for unknown in self.unknowns:
            if unknown.kind == "parameter" and by_p is None:
                call = self.around.call
                by_p = np.asarray(call("inverse_dynamics_parameter_derivatives", values))
            block = {
                "displacement": tree.by_q,
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

    def with_unknowns(self, more: Sequence[Unknown]) -> Problem:
        """The problem with further unknowns."""
        return replace(self, unknowns=(*self.unknowns, *more))


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
    residual, jacobian = problem.residual(at) / scale, problem.jacobian(at) / scale
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
    forces = np.abs(equations[: model.nu])
    worst = model.speeds[int(np.argmax(forces))]
    rank = int(np.linalg.matrix_rank(jacobian, tol=1e-10 * np.abs(jacobian).max(initial=0.0)))
    return EquilibriumError(
        f"model {model.name!r}: no equilibrium near the guess: a force of "
        f"{forces.max() * scale:.4g} on {worst!r} stays unbalanced; the equations have rank {rank} "
        f"in {len(problem.unknowns)} unknowns ({', '.join(u.name for u in problem.unknowns[:8])})"
    )
