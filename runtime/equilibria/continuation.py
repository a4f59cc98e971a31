"""Equilibria along a parameter, around folds: pseudo-arclength continuation.

The branch of f(x, p) = 0 is followed by its arc length: a step along the tangent, then Newton's
method on f = 0 together with the step's own length. Unlike steps in p this passes the folds where
dp/ds changes its sign, also a snap-through as a whole.

Reference: Keller, *Numerical solution of bifurcation and nonlinear eigenvalue problems* (1977).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.equilibria.acceleration import SteadyAcceleration
from eomc.runtime.equilibria.arc import Arc, BranchPoint, Orientation, moved
from eomc.runtime.equilibria.equilibrium import Equilibrium, _names, posed, solved_equilibrium
from eomc.runtime.equilibria.newton import Solved, solve
from eomc.runtime.equilibria.problem import Candidate, EquilibriumProblem
from eomc.runtime.equilibria.unknowns import unknowns
from eomc.runtime.model.errors import EquilibriumError, numerical_errors
from eomc.runtime.model.state import Values
from eomc.runtime.names.renamed import current_arguments

#: Of the arc in sizes of coordinates and of the span, which have no unit: the least step.
_SHORTEST = 1e-9
#: Iterations of Newton's method after which a shorter step is tried.
_MOST = 12
#: Of the span: how near a fold comes to the final value that counts as reached.
_TOUCHING = 1e-9
#: Of a step: marks nearer than this are one point.
_SAME = 1e-6
#: Of the arc: distance of two solutions that are one.
_NEAR = 1e-4
#: Spans behind the start at which a branch is left.
_BACK = 10.0


Mark = tuple[float, BranchPoint]
"""A point within a step, after the length that it is found at."""


@dataclass(frozen=True)
class Branch:
    """Equilibria along `parameter`.

    Attributes
    ----------
    values : (n,)
        The parameter.
    equilibria : tuple of Equilibrium
    folds : tuple of int
        Points where the parameter turns back.
    reached : bool
        Whether the last value is the one asked for: a branch that folds may never come there.
    crossings : tuple of int
        Points where another branch crosses, as at the buckling load of a perfect column.
    end : str
        Why the branch ends, in words.
    """

    parameter: str
    values: Array
    equilibria: tuple[Equilibrium, ...]
    folds: tuple[int, ...]
    reached: bool = True
    crossings: tuple[int, ...] = ()
    end: str = "the value is reached"

    def __len__(self) -> int:
        return len(self.equilibria)

    def __getitem__(self, name: str) -> Array:
        """One quantity along the branch, (n,)."""
        return np.array([state[name] for state in self.equilibria])


@numerical_errors(EquilibriumError)
@current_arguments
def continuation(
    start: Equilibrium,
    parameter: str,
    to: float,
    *,
    solve_for: Sequence[str] | None = None,
    fixed: Sequence[str] = (),
    acceleration: SteadyAcceleration | Values = None,
    step: float | None = None,
    max_steps: int = 400,
) -> Branch:
    """Follow an equilibrium while `parameter` goes to the value `to`.

    Parameters
    ----------
    start : Equilibrium
    parameter : str
        A tunable parameter, an input, ``speed(name)`` or ``tau(name)``, not solved for otherwise.
    to : float
        Where to end. A branch that comes back to its start, goes ten times as far the other way or
        takes `max_steps` steps ends without (`Branch.reached`, `Branch.end`).
    solve_for, fixed, acceleration : as of `equilibrium`
        By default the acceleration of `start`.
    step : float, optional
        Longest step of the arc, 0.1 by default: the parameter over the span to go, together with
        the unknowns over the ranges that they move through. Steps are shortened until they stay
        on the branch: tangents turn by less than 20 degrees from one to the next, and the move
        agrees with them.
    max_steps : int
        Largest number of steps.

    Folds, to rounding, and crossings of other branches, to some 1e-5 of the arc, are points of the
    result. Not seen are pairs of folds less than 1e-9 of the span apart, two crossings within one
    step, and crossings where the determinant does not change its sign, as of two at once.

    Raises
    ------
    EquilibriumError
        For a start that is not on the branch, and where the branch ends before.
    ValueError
        For wrong arguments.
    """
    model = start.model
    (along,) = unknowns(model, [parameter])
    chosen = unknowns(model, _names(model, solve_for, fixed))
    if along in chosen:
        raise ValueError(f"continuation: {parameter!r} is solved for already")
    if not np.isfinite(to):
        raise ValueError(f"to: {to!r}; give a finite number")
    around = Surroundings.of(
        model,
        inputs=dict(start.inputs) or None,
        prescribed=start.prescribed,
        parameters=dict(start.parameters) or None,
        forces=start.forces,
    )
    given = start.acceleration if acceleration is None else acceleration
    without = posed(around, given, chosen, start.t)
    problem = replace(without, unknowns=(*without.unknowns, along))
    at = Candidate(
        start.q,
        start.u,
        start.tau,
        np.array(list(start.inputs.values())),
        np.array(list(start.parameters.values())),
        start.multipliers,
        start.z,
    )
    if (name := without.unbalanced(at)) is not None:
        raise EquilibriumError(
            f"model {model.name!r}: the start is not on the branch: {name!r} does not balance there"
        )
    return _BranchWalk(problem, start.prescribed, to, step, max_steps).run(at)


class _BranchWalk:
    """The branch, step by step. The last unknown is the parameter."""

    @current_arguments
    def __init__(
        self,
        problem: EquilibriumProblem,
        prescribed: Any,
        to: float,
        step: float | None,
        max_steps: int,
    ) -> None:
        self.problem, self.prescribed, self.to, self.most = problem, prescribed, to, max_steps
        self.along = problem.unknowns[-1]
        self.fixed = replace(problem, unknowns=problem.unknowns[:-1])
        self.step = 0.1 if step is None else float(step)
        if not (np.isfinite(self.step) and self.step > 0):
            raise ValueError(f"step: {step!r}; give a positive number")
        self.places: list[BranchPoint] = []
        self.marks: dict[str, list[int]] = {"fold": [], "crossing": []}
        self.reached, self.left, self.bend = False, False, 0.0

    def run(self, start: Candidate) -> Branch:
        at = self._begun(start)
        self.places.append(at)
        length, end = self.step, ""
        for _ in range(self.most):
            at, length = self._stepped(at, length)
            if end := self._end(at, length):
                break
        return Branch(
            self.along.name,
            np.array([place.value for place in self.places]),
            tuple(self._found(place.at) for place in self.places),
            tuple(self.marks["fold"]),
            self.reached,
            tuple(self.marks["crossing"]),
            end or f"{self.most} steps were taken; give a larger most, or a longer step",
        )

    def _begun(self, at: Candidate) -> BranchPoint:
        """The start, with the tangent towards the value."""
        problem, begin = self.problem, self.problem.value(at, self.along)
        self.span = self.to - begin
        if self.span == 0:
            raise ValueError(f"continuation: {self.along.name!r} is {begin:g} already")
        forward = np.eye(len(problem.unknowns))[-1] * np.sign(self.span)
        slopes = problem.slopes(at, 1.0)
        plain = Arc.plain(problem.unknowns, at, self.span)
        tangent = plain.tangent(slopes, forward)
        self.arc = plain.scaled_by(problem.unknowns, tangent)
        start = BranchPoint(at, self.arc.unit(tangent), slopes, begin)
        self.sense, self.sign = np.sign(start.tangent[-1]), 1.0
        self.orientation = Orientation.at(self.arc, start)
        return start

    def _stepped(self, at: BranchPoint, length: float) -> tuple[BranchPoint, float]:
        """The next point, kept with what lies before it, and the length to go on with."""
        while True:
            try:
                there = self._point(at, length)
                step = moved(self.problem, at.at, there.at)
                bend = self.arc.bend(at.tangent, there.tangent) / length
                if self.arc.stays(step, length, at.tangent, there.tangent, max(bend, self.bend)):
                    self._keep(at, there, length)
                    self.bend = bend
                    break
            except EquilibriumError:
                pass
            length /= 2
            if length < _SHORTEST:
                raise EquilibriumError(
                    f"model {self.problem.around.model.name!r}: the branch of equilibria ends near "
                    f"{self.along.name} = {at.value:.6g}"
                )
        self.arc.widen(self.problem, there.at)
        return there, min(length * self.arc.growth(at.tangent, there.tangent), self.step)

    def _point(self, at: BranchPoint, length: float) -> BranchPoint:
        """A step along the tangent, then back onto the branch at right angles to it."""
        problem, tangent = self.problem, self.arc.unit(at.tangent)
        guess = problem.moved(at.at, length * tangent)
        row = (tangent * self.arc.weights**2)[None]

        def across(candidate: Candidate) -> tuple[Array, Array]:
            return row @ moved(problem, guess, candidate), row

        found = solve(problem, guess, across, _MOST).at
        slopes = problem.slopes(found, 1.0)
        ahead = self.arc.tangent(slopes, tangent)
        return BranchPoint(found, ahead, slopes, problem.value(found, self.along))

    def _keep(self, at: BranchPoint, there: BranchPoint, length: float) -> None:
        """Append the point, before it folds and crossings in the step, or the final value."""
        before, latest = 0.0, at
        for s, place, kind in [*self._marks(at, there, length), (length, there, "")]:
            gap = (self.to - place.value) * np.sign(self.span)
            if gap <= (_TOUCHING if kind == "fold" else 0.0) * abs(self.span):
                if gap < 0 and s > before:
                    place = self._located(at, lambda p: p.value - self.to, (before, latest), s)[1]
                self.places.append(self._at_end(place))
                self.reached = True
                return
            if s > before + _SAME * length:
                self.places.append(place)
                before, latest = s, place
            if kind:
                self.marks[kind].append(len(self.places) - 1)

    def _marks(
        self, at: BranchPoint, there: BranchPoint, length: float
    ) -> list[tuple[float, BranchPoint, str]]:
        """Folds and crossings of other branches within a step, by their lengths."""
        found: list[tuple[float, BranchPoint, str]] = []
        begin, end = (0.0, at), (length, there)
        crosses = np.sign(self.orientation.det(self.arc, there)) * self.sign < 0
        if crosses:
            before, crossing, after = self._crossing(at, there, length)
            found.append((*crossing, "crossing"))
        sense = np.sign(there.tangent[-1])
        if sense * self.sense < 0:
            if crosses and before[1].tangent[-1] * self.sense <= 0:
                end = before
            elif crosses and after[1].tangent[-1] * self.sense > 0:
                begin = after
            # On a branch that bends away from another one, the fold is at the crossing itself.
            at_once = crosses and begin[0] == 0 and end[0] == length
            fold = crossing if at_once else self._fold(at, begin, end[0])
            found.append((*fold, "fold"))
        self.sense = sense or self.sense
        fresh = Orientation.at(self.arc, there)
        if fresh.rank >= self.orientation.rank:
            self.orientation, self.sign = fresh, 1.0
        return sorted(found, key=lambda mark: mark[0])

    def _fold(self, at: BranchPoint, begin: Mark, until: float) -> Mark:
        return self._located(at, lambda place: float(place.tangent[-1]), begin, until)

    def _crossing(
        self, at: BranchPoint, there: BranchPoint, length: float
    ) -> tuple[Mark, Mark, Mark]:
        """The crossing of another branch, from points to both sides, and these: the equations are
        singular between them."""

        def det(place: BranchPoint) -> float:
            return self.orientation.det(self.arc, place)

        def value(s: float) -> float:
            if s in (0.0, length):
                return det(there) if s else det(at)
            try:
                place = self._point(at, s)
            except EquilibriumError:
                return 0.0
            gone = self.arc.length(moved(self.problem, at.at, place.at))
            return det(place) if gone < 1.5 * s else 0.0

        from scipy.optimize import brentq

        ends = value(0.0), value(length)
        s = 0.0 if ends[0] * ends[1] >= 0 else float(brentq(value, 0.0, length, xtol=0.01 * length))
        for half in (0.03 * length, 3e-3 * length, 1e-3 * length, 1e-3 * length):
            low, high = max(s - half, 0.0), min(s + half, length)
            before = low, self._point(at, low) if low else at
            after = high, self._point(at, high) if high < length else there
            change = det(after[1]) - det(before[1])
            s = low - det(before[1]) * (high - low) / change if change else s
            s = min(max(s, 0.0), length)
        return before, (s, self._between(before, after, (s - low) / (high - low))), after

    def _between(self, before: Mark, after: Mark, x: float) -> BranchPoint:
        """The point at a part x between two, by the cubic with their tangents."""
        a, b, h = before[1], after[1], after[0] - before[0]
        step = moved(self.problem, a.at, b.at)
        turn = a.tangent * h, b.tangent * h
        change = (3 - 2 * x) * x * x * step + x * (1 - x) ** 2 * turn[0] - x * x * (1 - x) * turn[1]
        at = self.problem.moved(a.at, change)
        return BranchPoint(at, a.tangent, a.slopes, self.problem.value(at, self.along))

    def _located(
        self, at: BranchPoint, f: Callable[[BranchPoint], float], after: Mark, until: float
    ) -> Mark:
        """Length at which f vanishes within a step, and the point."""
        from scipy.optimize import brentq

        known = dict([after])

        def value(s: float) -> float:
            known[s] = known[s] if s in known else self._point(at, s)
            return f(known[s])

        if value(after[0]) * value(until) >= 0:
            return after
        s = float(brentq(value, after[0], until, xtol=1e-13 * until, rtol=1e-14))
        value(s)
        return s, known[s]

    def _at_end(self, place: BranchPoint) -> BranchPoint:
        """The equilibrium at the final value itself, unless a fold is there."""
        change = np.eye(len(self.problem.unknowns))[-1] * (self.to - place.value)
        guess = self.problem.moved(place.at, change)
        try:
            found = solve(self.fixed, guess).at
        except EquilibriumError:
            return place
        near = self.arc.length(moved(self.problem, place.at, found)) < _NEAR
        return replace(place, at=found, value=self.to) if near else place

    def _end(self, at: BranchPoint, length: float) -> str:
        """The reason for which the branch is not followed on; empty if it is."""
        if self.reached:
            return "the value is reached"
        start = self.places[0]
        if (at.value - start.value) * np.sign(self.span) < -_BACK * abs(self.span):
            return f"it goes the other way, {self.along.name} = {at.value:.6g}"
        back = moved(self.problem, at.at, start.at)
        self.left |= self.arc.length(back) > 2 * self.step
        ahead = float(at.tangent * self.arc.weights @ (back * self.arc.weights))
        if self.left and self.arc.length(back) < 2 * length and 0 <= ahead <= length:
            try:
                again = self._point(at, ahead)
            except EquilibriumError:
                return ""
            if self.arc.length(moved(self.problem, start.at, again.at)) < _NEAR:
                return "it is closed: it came back to its start"
        return ""

    def _found(self, at: Candidate) -> Equilibrium:
        residual = float(np.abs(self.problem.residual(at)).max(initial=0.0))
        rank = len(self.problem.unknowns) - 1
        return solved_equilibrium(self.fixed, Solved(at, residual, 0, rank), self.prescribed)
