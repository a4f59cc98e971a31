"""The arc length of a branch of equilibria, and whether a step along it stays on the branch.

A coordinate is measured by the range that it moves over: at the start what the tangent foretells
for the span of the parameter, later what it has moved if that is more. So the arc depends neither
on units nor on the size of the mechanism.

Reference: Allgower and Georg, *Introduction to numerical continuation methods* (2003), chapter 6:
steps judged by the angle between tangents and by the distance that the corrector moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.equilibria.problem import Candidate, EquilibriumProblem
from eomc.runtime.equilibria.unknowns import UnknownEntry

#: Forces follow: arcs are not measured by them.
_FOLLOWING = ("tau", "multiplier")
#: Largest angle [rad] between the tangents at both ends of a step, and largest distance that the
#: corrector moves, of the step.
_TURN, _CORRECTION = 0.35, 0.35
#: Moves below this part of the step, in scaled coordinates, are not compared with the tangents.
_SMALL = 1e-3
#: Of the largest scale: that of a coordinate which the tangent does not move.
_STILL = 0.1
#: Steps that still turn at this length pass a corner: a force law with a kink.
_CORNER = 1e-5
#: Of the span: folds nearer to each other are not looked for.
_UNSEEN = 1e-9
_SINGULAR = 1e-9


@dataclass(frozen=True)
class BranchPoint:
    """A point of the branch.

    Attributes
    ----------
    tangent : (n,)
        By the unknowns, the parameter last.
    slopes : (m, n)
        The Jacobian of the equations, forces in their units.
    value : float
        Of the parameter.
    """

    at: Candidate
    tangent: Array
    slopes: Array
    value: float


@dataclass
class Arc:
    """Scaled coordinates of the unknowns; `weights` (n,) are 1/scale, zero for what follows."""

    weights: Array
    start: Candidate

    @classmethod
    def plain(cls, unknowns: Sequence[UnknownEntry], start: Candidate, span: float) -> Arc:
        """Displacements and speeds in their units, the parameter over its span."""
        kinds = [unknown.kind in ("displacement", "speed") for unknown in unknowns]
        return cls(np.append(np.array(kinds[:-1], dtype=float), 1 / abs(span)), start)

    def scaled_by(self, unknowns: Sequence[UnknownEntry], tangent: Array) -> Arc:
        """The arc with the scales that the tangent at the start foretells."""
        counted = np.array([unknown.kind not in _FOLLOWING for unknown in unknowns[:-1]], bool)
        span = 1 / self.weights[-1]
        scale = np.abs(tangent[:-1]) / max(abs(tangent[-1]) / span, _STILL)
        largest = float(scale[counted].max(initial=0.0)) or 1.0
        moving = max(int(np.sum(counted & (scale > _STILL * largest))), 1)
        scale = np.maximum(scale, _STILL * largest) * np.sqrt(moving)
        return Arc(np.append(np.where(counted, 1 / scale, 0.0), 1 / span), self.start)

    def widen(self, problem: EquilibriumProblem, at: Candidate) -> None:
        """Take in how far the coordinates have come."""
        gone = np.abs(moved(problem, self.start, at))[:-1]
        counted = self.weights[:-1] > 0
        own = self.weights[:-1]
        own[counted] = 1 / np.maximum(1 / own[counted], gone[counted])

    def length(self, step: Array) -> float:
        """Of a change of the unknowns."""
        return float(np.linalg.norm(self.weights * step))

    def unit(self, tangent: Array) -> Array:
        """The tangent at length 1."""
        found: Array = tangent / self.length(tangent)
        return found

    def tangent(self, slopes: Array, like: Array) -> Array:
        """The direction of the branch, of length 1, forward along `like`."""
        sizes = np.linalg.norm(slopes, axis=1, keepdims=True)
        slopes = slopes / np.where(sizes > 0, sizes, 1.0)
        border = np.vstack([slopes, like * self.weights**2])
        columns = np.linalg.norm(border, axis=0)
        columns = np.where(columns > 0, columns, 1.0)
        right = np.append(np.zeros(len(slopes)), 1.0)
        tangent: Array = np.linalg.lstsq(border / columns, right, rcond=1e-12)[0]
        if np.linalg.norm(slopes / columns @ tangent) > 1e-6 * np.linalg.norm(tangent):
            # At right angles to `like`: a start at a fold itself.
            tangent = np.linalg.svd(slopes / columns)[2][-1]
        return self.unit(tangent / columns)

    def growth(self, before: Array, after: Array) -> float:
        """Of the length after a step: so that tangents turn by half of what they may."""
        w = self.weights
        turn = np.arccos(min(float((w * self.unit(before)) @ (w * self.unit(after))), 1.0))
        return float(np.clip(_TURN / 2 / max(turn, 1e-9), 0.5, 1.5))

    def bend(self, before: Array, after: Array) -> float:
        """Change of the parameter's part in the tangent."""
        return abs(float((self.unit(after) - self.unit(before))[-1] * self.weights[-1]))

    def stays(self, step: Array, length: float, before: Array, after: Array, bend: float) -> bool:
        """True if a step is one along a smooth branch with these tangents, not onto another sheet.

        Tangents turn little, the corrector moved little, no coordinate moved by more than twice
        what its slopes at both ends give, and the parameter, at the rate `bend` of its slope, does
        not turn back and forth in between.
        """
        w = self.weights
        if length < _CORNER:
            return self.length(step) < 3 * length
        before, after, step = w * self.unit(before), w * self.unit(after), w * step
        if float(before @ after) < np.cos(_TURN):
            return False
        if float(np.linalg.norm(step - length * before)) > _CORRECTION * length:
            return False
        back_and_forth = abs(before[-1] + after[-1]) < bend * length
        if back_and_forth and before[-1] * after[-1] > 0 and bend * length**2 > _UNSEEN:
            return False
        expected, bound = length / 2 * (before + after), length / 2 * (abs(before) + abs(after))
        return bool((np.abs(step - expected) <= bound + _SMALL * length).all())


def moved(problem: EquilibriumProblem, since: Candidate, at: Candidate) -> Array:
    """Change of the unknowns between two points, (n,)."""
    gone = np.asarray(problem.around.model.function("difference")(since.q, at.q))
    return np.array(
        [
            gone[unknown.place]
            if unknown.kind == "displacement"
            else problem.value(at, unknown) - problem.value(since, unknown)
            for unknown in problem.unknowns
        ]
    )


@dataclass(frozen=True)
class Orientation:
    """The sign of det [df; tangent], which changes where another branch crosses, not at folds.

    Rows that depend on others and directions that stay open are left out by bases of ranges, taken
    at a regular point nearby. Reference: Keller (1977), section 5; Allgower and Georg, chapter 8.
    """

    sizes: Array
    rows: Array
    columns: Array

    @classmethod
    def at(cls, arc: Arc, place: BranchPoint) -> Orientation:
        """At a point."""
        bordered = _bordered(arc, place)
        sizes = np.linalg.norm(bordered, axis=1, keepdims=True)
        sizes = np.where(sizes > 0, sizes, 1.0)
        u, s, vt = np.linalg.svd(bordered / sizes, full_matrices=False)
        rank = int(np.sum(s > _SINGULAR * s.max(initial=0.0)))
        return cls(sizes, u[:, :rank], vt[:rank])

    @property
    def rank(self) -> int:
        """Number of independent equations."""
        return len(self.columns)

    def det(self, arc: Arc, place: BranchPoint) -> float:
        """At another point."""
        inner = self.rows.T @ (_bordered(arc, place) / self.sizes) @ self.columns.T
        sign, size = np.linalg.slogdet(inner)
        return float(sign * np.exp(min(size, 300.0)))


def _bordered(arc: Arc, place: BranchPoint) -> Array:
    border = np.vstack([place.slopes, arc.unit(place.tangent) * arc.weights**2])
    scaled: Array = border / np.where(arc.weights > 0, arc.weights, 1.0)
    return scaled
