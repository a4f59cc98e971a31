"""Equilibria along a parameter, around folds: pseudo-arclength continuation.

The branch of f(x, p) = 0 is followed by its arc length: a step along the tangent, then Newton's
method on f = 0 together with the step's own length. Unlike steps in p this passes the folds where
dp/ds changes its sign.

Reference: Keller, *Numerical solution of bifurcation and nonlinear eigenvalue problems* (1977).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.equilibrium.acceleration import SteadyAcceleration
from eomc.runtime.equilibrium.equilibrium import Equilibrium, _names, found, posed
from eomc.runtime.equilibrium.newton import Solved, solve
from eomc.runtime.equilibrium.problem import Candidate, Problem
from eomc.runtime.equilibrium.unknowns import unknowns
from eomc.runtime.model.errors import EquilibriumError
from eomc.runtime.model.state import Values

Array = NDArray[np.float64]

_SHORTEST = 1e-6


@dataclass(frozen=True)
class Branch:
    """Equilibria along `parameter`.

    Attributes
    ----------
    values : (n,)
        The parameter.
    equilibria : tuple of Equilibrium
    folds : tuple of int
        Places where the parameter turned back.
    reached : bool
        Whether the last value is the one asked for: a branch that folds may never come there.
    """

    parameter: str
    values: Array
    equilibria: tuple[Equilibrium, ...]
    folds: tuple[int, ...]
    reached: bool = True

    def __len__(self) -> int:
        return len(self.equilibria)

    def __getitem__(self, name: str) -> Array:
        """One quantity along the branch, (n,)."""
        return np.array([state[name] for state in self.equilibria])


def continuation(
    start: Equilibrium,
    parameter: str,
    to: float,
    *,
    solve_for: Sequence[str] | None = None,
    hold: Sequence[str] = (),
    acceleration: SteadyAcceleration | Values = None,
    step: float | None = None,
    most: int = 400,
) -> Branch:
    """Follow an equilibrium while `parameter` goes to the value `to`.

    Parameters
    ----------
    start : Equilibrium
    parameter : str
        A tunable parameter, an input, ``speed(name)`` or ``tau(name)``, not solved for otherwise.
    to : float
        Where to end. A branch that turns back and passes its start, or takes more than `most`
        steps, ends without (`Branch.reached`).
    solve_for, hold, acceleration : as of `equilibrium`
        By default the acceleration of `start`.
    step : float, optional
        Longest step of the arc, unknowns and the parameter (over the span to go) together.
    most : int
        Largest number of steps.

    Raises
    ------
    EquilibriumError
        For a start that is not on the branch, and where the branch ends before.
    ValueError
        For wrong arguments.
    """
    model = start.model
    (along,) = unknowns(model, [parameter])
    chosen = unknowns(model, _names(model, solve_for, hold))
    if along in chosen:
        raise ValueError(f"continuation: {parameter!r} is solved for already")
    if not np.isfinite(to):
        raise ValueError(f"to: {to!r}; give a finite number")
    around = Surroundings.of(
        model,
        inputs=dict(start.inputs) or None,
        motion=start.motion,
        parameters=dict(start.parameters) or None,
        forces=start.forces,
    )
    given = start.acceleration if acceleration is None else acceleration
    fixed = posed(around, given, chosen, start.t)
    problem = replace(fixed, unknowns=(*fixed.unknowns, along))
    at = Candidate(
        start.q, start.u, start.tau, np.array(list(start.inputs.values())),
        np.array(list(start.parameters.values())), start.multipliers, start.z,
    )  # fmt: skip
    if (name := fixed.unbalanced(at)) is not None:
        raise EquilibriumError(
            f"model {model.name!r}: the start is not on the branch: {name!r} does not balance there"
        )
    return _Walk(problem, start.motion, to, step, most).run(at)


class _Walk:
    """The branch, step by step. The last unknown is the parameter."""

    def __init__(
        self, problem: Problem, motion: Any, to: float, step: float | None, most: int
    ) -> None:
        self.problem, self.motion, self.to, self.most = problem, motion, to, most
        self.along = problem.unknowns[-1]
        self.fixed = replace(problem, unknowns=problem.unknowns[:-1])
        self.step = 0.1 if step is None else float(step)
        if not (np.isfinite(self.step) and self.step > 0):
            raise ValueError(f"step: {step!r}; give a positive number")

    def run(self, at: Candidate) -> Branch:
        problem = self.problem
        begin = problem.value(at, self.along)
        span = self.to - begin
        if span == 0:
            raise ValueError(f"continuation: {self.along.name!r} is {begin:g} already")
        # The arc is measured in displacements, speeds and the parameter; forces just follow.
        weight = np.array([float(u.kind in ("displacement", "speed")) for u in problem.unknowns])
        weight[-1] = 1 / abs(span)
        tangent = self._tangent(at, weight, np.eye(len(weight))[-1] * np.sign(span))
        points, values, folds = [self._found(at)], [begin], []
        length, last = self.step, False
        for _ in range(self.most):
            left = (self.to - values[-1]) / tangent[-1] if tangent[-1] * span > 0 else np.inf
            last = bool(left <= length * (1 + 1e-9))
            try:
                if last:
                    at = self._at_end(at, tangent, left)
                else:
                    at = self._corrected(at, tangent, length, weight)
            except EquilibriumError:
                length /= 2
                if length < _SHORTEST:
                    raise EquilibriumError(
                        f"model {problem.around.model.name!r}: the branch of equilibria ends near "
                        f"{self.along.name} = {values[-1]:.6g}"
                    ) from None
                continue
            points.append(self._found(at))
            values.append(problem.value(at, self.along))
            if last:
                break
            ahead = self._tangent(at, weight, tangent)
            if ahead[-1] * tangent[-1] < 0:
                folds.append(len(points) - 1)
            tangent, length = ahead, min(1.5 * length, self.step)
            if (values[-1] - begin) * span < 0:
                break
        reached = bool(values[-1] == self.to or last)
        return Branch(self.along.name, np.array(values), tuple(points), tuple(folds), reached)

    def _tangent(self, at: Candidate, weight: Array, like: Array) -> Array:
        """The direction of the branch, of weighted length 1, forward along `like`."""
        jacobian = self.problem.slopes(at, self.problem.scale(at))
        border = np.vstack([jacobian, like * weight**2])
        columns = np.linalg.norm(border, axis=0)
        columns = np.where(columns > 0, columns, 1.0)
        right = np.append(np.zeros(len(jacobian)), 1.0)
        tangent: Array = np.linalg.lstsq(border / columns, right, rcond=1e-12)[0] / columns
        return tangent / float(np.linalg.norm(weight * tangent))

    def _corrected(self, at: Candidate, tangent: Array, length: float, weight: Array) -> Candidate:
        """A step along the tangent, then back onto the branch at right angles to it."""
        guess = self.problem.moved(at, length * tangent)
        row = (tangent * weight * weight)[None]
        model = self.problem.around.model

        def across(candidate: Candidate) -> tuple[Array, Array]:
            gone = np.asarray(model.function("difference")(guess.q, candidate.q))
            moved = []
            for unknown in self.problem.unknowns:
                if unknown.kind == "displacement":
                    moved.append(gone[unknown.place])
                else:
                    now, then = (self.problem.value(c, unknown) for c in (candidate, guess))
                    moved.append(now - then)
            return row @ np.array(moved), row

        return solve(self.problem, guess, across).at

    def _at_end(self, at: Candidate, tangent: Array, left: float) -> Candidate:
        """The equilibrium at the final value itself."""
        guess = self.problem.moved(at, left * tangent)
        return solve(self.fixed, guess).at

    def _found(self, at: Candidate) -> Equilibrium:
        residual = float(np.abs(self.problem.residual(at)).max(initial=0.0))
        rank = len(self.problem.unknowns) - 1
        return found(self.fixed, Solved(at, residual, 0, rank), self.motion)
