"""The motion of a place on a rod: it follows the strains of the rod from the root to there."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Rotation, Vector
from eomc.derive.geometry.spatial import Spatial
from eomc.derive.graph import Expression
from eomc.derive.motions.following import Following
from eomc.derive.motions.motion import Column
from eomc.derive.rods.bent_rod import Bent, RodOnGraph
from eomc.derive.rods.recursion import Carried, step_acceleration
from eomc.derive.rods.segment import Placed

__all__ = ["StationMotion"]


class StationMotion(Following):
    """Pose g(s), S = the sum of the columns of all segments up to s, S' u from the same segments.

    The section at s stands behind the last Gauss point before it, one more segment apart.
    """

    def __init__(self, rod: RodOnGraph, s: float) -> None:
        super().__init__(len(rod.functions))
        self.rod, self.s = rod, s

    def _behind(self, bent: Bent) -> int:
        """Number of sections before the station, or at it."""
        return sum(section.s <= self.s for section in self.rod.sections)

    def _placed(self, q: Sequence[Expression]) -> Placed:
        bent = self.rod.bent(q)
        before = self._behind(bent)
        at = bent.at_root if before == 0 else bent.placed[before - 1]
        start = bent.spans[before - 1][1] if before else 0.0
        return at if start == self.s else at.then(bent.segment(start, self.s))

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """R and p in the root frame."""
        at = self._placed(q)
        return Rotation([at.rotation]), at.origin

    def subspace(self, q: Sequence[Expression]) -> list[Column]:
        """Columns of the section, in its axes."""
        bent = self.rod.bent(q)
        before, at = self._behind(bent), self._placed(q)
        columns: list[Spatial] = [(bent.still, bent.still)] * self.speeds
        start = 0.0
        if before:
            columns, start = bent.columns[before - 1], bent.spans[before - 1][1]
        if start < self.s:
            last = bent.segment(start, self.s)
            step = self.rod.columns(at.told(last), bent.nodes(start, self.s))
            columns = [(a[0] + b[0], a[1] + b[1]) for a, b in zip(columns, step, strict=True)]
        return [at.from_root(column) for column in columns]

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> Column | None:
        """The rate of the twist (w, v) in section axes where the strains do not accelerate:
        (w', a - w x v)."""
        bent = self.rod.bent(q)
        rest = [bent.zero] * self.speeds
        before = self._behind(bent)
        spans = bent.spans[:before]
        start = spans[-1][1] if spans else 0.0
        steps = list(zip(bent.segments, spans, strict=False))
        if start < self.s:
            steps.append((bent.segment(start, self.s), (start, self.s)))
        motion, v = Carried.resting(bent.zero), bent.still
        for segment, span in steps:
            relative, change = bent.motion(segment, span, u, rest)
            rotation, origin = segment.pose
            v = rotation.to_child(v + motion.w.cross(origin)) + relative[1]
            motion = step_acceleration(segment.pose, motion, relative, change)
        return motion.alpha, motion.a - motion.w.cross(v)
