"""Newton's method for equilibria: steps of least norm, shortened until the residual falls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import ACCEPTED
from eomc.runtime.equilibria.balance import tolerances, unknown_sizes
from eomc.runtime.equilibria.problem import HIDDEN, TINY, Candidate, EquilibriumProblem
from eomc.runtime.model.errors import EquilibriumError

#: Further equations: values and rows of their Jacobian.
Further = Callable[[Candidate], tuple[Array, Array]]

_MOST = 100
# Longest step of a displacement, in its size: sines are no longer lines beyond.
_LONGEST = 0.7
# Share of what acts, and of a displacement's size, at which Newton's method has converged.
_TOLERANCE, _SETTLED = 1e-11, 1e-7
# Share of a residual that a step leaves, and of an unknown's size, which are rounding.
_EXPLAINED, _ROUNDED = 1e-3, 1e-12
# Singular values beside the largest one, columns scaled alike, that are rounding.
_RANK = 1e-11
# Damping relative to squared singular values: from the least that changes a step, to where steps
# are too short to get anywhere.
_LEAST_DAMPING, _MOST_DAMPING = 1e-8, 1e6


# Where forces are unbalanced in a direction without stiffness, as across a straight cable, steps
# along the accelerations that they leave, in the sizes of the unknowns.
_KICKS = (1e-1, 1e-2, 1e-3, 1e-4)


class Unbalanced(EquilibriumError):
    """Nothing balances near the guess; the search ended `at` a candidate."""

    def __init__(self, text: str, at: Candidate) -> None:
        super().__init__(text)
        self.at = at


@dataclass(frozen=True)
class Solved:
    """A solution, with its largest unbalanced force and the rank of the Jacobian there."""

    at: Candidate
    residual: float
    iterations: int
    rank: int


@dataclass(frozen=True)
class _NewtonPoint:
    """A candidate with its equations and their derivatives."""

    at: Candidate
    equations: Array
    jacobian: Array

    @property
    def norm(self) -> float:
        """Norm of the equations, which steps have to reduce."""
        return float(np.linalg.norm(self.equations))


def solve(
    problem: EquilibriumProblem, start: Candidate, extra: Further | None = None, most: int = _MOST
) -> Solved:
    """The equilibrium near `start`.

    `extra` gives further equations (values, rows of the Jacobian). Raises EquilibriumError where
    nothing balances by the tolerances of `eomc.runtime.equilibria.balance`, also if it takes more
    than `most` iterations.
    """
    search = _NewtonRun(problem, start, extra, most)
    try:
        return search.run(start)
    except Unbalanced as error:
        for kick in _KICKS if extra is None else ():
            try:
                return search.run(search.pushed(error.at, kick))
            except (EquilibriumError, FloatingPointError):
                pass
        raise


class _NewtonRun:
    """One run of the method."""

    def __init__(
        self, problem: EquilibriumProblem, start: Candidate, extra: Further | None, most: int
    ) -> None:
        self.problem, self.start, self.extra, self.most = problem, start, extra, most
        self.scale = problem.scale(start)

    def run(self, start: Candidate) -> Solved:
        """From a candidate."""
        here, damping = self.point(start), 0.0
        for iteration in range(self.most):
            step, rank = self.step(here, damping)
            if self.is_balanced(here, _TOLERANCE) and self.is_short(step, here.at):
                return self.polished(here, step, iteration, rank)
            ahead = self.ahead(here, step)
            if ahead is not None:
                here = ahead
                damping = damping / 10 if damping > _LEAST_DAMPING else 0.0
                continue
            if self.is_accepted(here):
                return self.solved(here, iteration, rank)
            damping = max(10 * damping, 100 * _LEAST_DAMPING)
            if damping > _MOST_DAMPING:
                break
        if self.is_accepted(here):  # steps may gain a little each, without end
            return self.solved(here, self.most, self.step(here, 0.0)[1])
        raise self.failure(here)

    def pushed(self, at: Candidate, size: float) -> Candidate:
        """The candidate after a step along the accelerations that the forces leave there."""
        problem = self.problem
        values = problem.values(at)
        mass = np.asarray(problem.around.call("mass_matrix", values), dtype=float)
        along = -np.linalg.lstsq(mass, problem.residual(at), rcond=None)[0]
        free = [u.place for u in problem.unknowns if u.kind == "displacement"]
        step = np.array(
            [along[u.place] if u.kind == "displacement" else 0.0 for u in problem.unknowns]
        )
        longest = float(np.abs(along[free] / problem.speed_sizes[free]).max(initial=0.0))
        return problem.moved(at, step * (size / longest)) if longest > 0 else at

    def point(self, at: Candidate) -> _NewtonPoint:
        equations = self.values(at)
        jacobian = self.problem.slopes(at, self.scale)
        if self.extra is not None:
            jacobian = np.vstack([jacobian, self.extra(at)[1]])
        return _NewtonPoint(at, equations, jacobian)

    def values(self, at: Candidate) -> Array:
        """The equations; shortened steps need no Jacobian."""
        found = self.problem.residuals(at, self.scale)
        if not np.isfinite(found).all():
            raise EquilibriumError("the forces are not finite")
        return found if self.extra is None else np.hstack([found, self.extra(at)[0]])

    def allowed(self, here: _NewtonPoint, share: float) -> Array:
        return tolerances(self.problem, here.at, here.jacobian, share, self.scale, start=self.start)

    def is_balanced(self, here: _NewtonPoint, share: float) -> bool:
        """True if every equation holds within a share of what acts in it."""
        return bool((np.abs(here.equations) <= self.allowed(here, share)).all())

    def is_accepted(self, here: _NewtonPoint) -> bool:
        """True if what acts is balanced, or the step that would balance it is rounding of the
        unknowns, as where stiffness vanishes between large forces that cancel."""
        if self.is_balanced(here, ACCEPTED) and self.has_settled(here):
            return True
        step = self.step(here, 0.0)[0]
        left = float(np.linalg.norm(here.equations + here.jacobian @ step))
        sizes = unknown_sizes(self.problem, here.at, self.start)
        return left <= _EXPLAINED * here.norm and bool((np.abs(step) <= _ROUNDED * sizes).all())

    def has_settled(self, here: _NewtonPoint) -> bool:
        """True if the whole step to where the linear equations balance is short."""
        return self.is_short(self.step(here, 0.0)[0], here.at)

    def is_short(self, step: Array, at: Candidate) -> bool:
        sizes = unknown_sizes(self.problem, at, self.start)
        kinds = np.array([u.kind in ("displacement", "speed") for u in self.problem.unknowns])
        moved = np.abs(step) > _SETTLED * np.where(sizes > 0, sizes, np.inf)
        return not bool((moved & kinds).any())

    def ahead(self, here: _NewtonPoint, step: Array) -> _NewtonPoint | None:
        """The point after the step, its half and so on; None if the residual does not fall."""
        length = 1.0
        for _ in range(12):
            trial = self.problem.moved(here.at, length * step)
            try:
                if float(np.linalg.norm(self.values(trial))) < here.norm * (1 - 1e-4 * length):
                    return self.point(trial)
            except (ArithmeticError, ValueError):
                pass
            length /= 2
        return None

    def step(self, here: _NewtonPoint, damping: float) -> tuple[Array, int]:
        """-J^+ g with columns scaled alike, and the rank of J."""
        columns = np.linalg.norm(here.jacobian, axis=0)
        weight = 1 / np.where(columns > 0, columns, 1.0)
        u, s, vt = np.linalg.svd(here.jacobian * weight, full_matrices=False)
        keep = s > _RANK * s.max(initial=0.0)
        inverse = np.where(keep, s / np.where(keep, s * s + damping, 1.0), 0.0)
        step: Array = -weight * (vt.T @ (inverse * (u.T @ here.equations)))
        sizes = unknown_sizes(self.problem, here.at, self.start)
        displaced = [
            abs(x) / size
            for x, size, k in zip(step, sizes, self.problem.unknowns, strict=True)
            if k.kind == "displacement"
        ]
        longest = max(displaced, default=0.0)
        return step * min(1.0, _LONGEST / longest) if longest > 0 else step, int(keep.sum())

    def polished(self, here: _NewtonPoint, step: Array, iteration: int, rank: int) -> Solved:
        """One more step if it helps: convergence is quadratic."""
        trial = self.problem.moved(here.at, step)
        found = self.values(trial)
        if float(np.linalg.norm(found)) <= here.norm:
            here = _NewtonPoint(trial, found, here.jacobian)
        return self.solved(here, iteration + 1, rank)

    def solved(self, here: _NewtonPoint, iterations: int, rank: int) -> Solved:
        forces = np.abs(here.equations[: self.problem.around.model.nu])
        return Solved(here.at, float(forces.max(initial=0.0)) * self.scale, iterations, rank)

    def failure(self, here: _NewtonPoint) -> EquilibriumError:
        """The error: it names the equation that is furthest from its tolerance."""
        problem, model = self.problem, self.problem.around.model
        names = problem.equation_names
        size, allowed = np.abs(here.equations), self.allowed(here, ACCEPTED)
        shares = (size / np.where(allowed > 0, allowed, TINY))[: len(names)]
        worst = int(np.argmax(shares)) if shares.size else 0
        rank = int(
            np.linalg.matrix_rank(here.jacobian, tol=1e-10 * np.abs(here.jacobian).max(initial=0.0))
        )
        free = [unknown.name for unknown in problem.unknowns if unknown.kind not in HIDDEN]
        text = (
            f"model {model.name!r}: no equilibrium near the guess: "
            f"{self._message(worst, float(size[worst]))}; the equations have rank {rank} in "
            f"{len(problem.unknowns)} unknowns ({', '.join(free[:8])})"
        )
        return Unbalanced(text, here.at)

    def _message(self, place: int, size: float) -> str:
        """The equation at a place, and by how much it is not met."""
        problem, model = self.problem, self.problem.around.model
        name = problem.equation_names[place]
        wanted = len(problem.wanted.names) if problem.wanted is not None else 0
        own = len(problem.equation_names) - len(model.element_states)
        if place < model.nu:
            return f"a force of {size * self.scale:.4g} on {name!r} stays unbalanced"
        if place >= own:
            return f"the state {name!r} of an element keeps changing at the rate {size:.3g}"
        if place >= own - wanted:
            return f"{name!r} stays off what is wanted by {size:.3g} of it"
        return f"the constraint {name!r} stays violated by {size:.3g} of its size"
