"""The motion of a place on a rod: it follows the strains of the rod from the root to there."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Acceleration, LinkPose, Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression
from eomc.derive.motions.following import Following
from eomc.derive.rods.bent_rod import Bent, RodOnGraph, at_root

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

    def _placed(self, q: Sequence[Expression]) -> LinkPose:
        bent = self.rod.bent(q)
        before = self._behind(bent)
        at = bent.at_root if before == 0 else bent.placed[before - 1]
        start = bent.spans[before - 1][1] if before else 0.0
        return at if start == self.s else at.then(bent.segment(start, self.s).pose)

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """R and p in the root frame."""
        at = self._placed(q)
        return at.rotation, at.origin

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Columns of the section, in its axes."""
        bent = self.rod.bent(q)
        before, at = self._behind(bent), self._placed(q)
        columns = [SpatialMotion.zero(bent.still)] * self.speeds
        start = 0.0
        if before:
            columns, start = bent.columns[before - 1], bent.spans[before - 1][1]
        if start < self.s:
            last = bent.segment(start, self.s)
            step = self.rod.columns(at_root(at, last), bent.nodes(start, self.s))
            columns = [a + b for a, b in zip(columns, step, strict=True)]
        return [at.to_child(column) for column in columns]

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion | None:
        """The rate of the twist (v, w) in section axes where the strains do not accelerate:
        (a - w x v, w')."""
        bent = self.rod.bent(q)
        rest = [bent.zero] * self.speeds
        before = self._behind(bent)
        spans = bent.spans[:before]
        start = spans[-1][1] if spans else 0.0
        steps = list(zip(bent.segments, spans, strict=False))
        if start < self.s:
            steps.append((bent.segment(start, self.s), (start, self.s)))
        motion, v = Acceleration.zero(bent.still), bent.still
        for segment, span in steps:
            relative, change = bent.motion(segment, span, u, rest)
            pose = segment.pose
            v = pose.rotation.to_child(v + motion.w.cross(pose.origin)) + relative.linear
            motion = pose.acceleration(motion, relative, change)
        return SpatialMotion(linear=motion.a - motion.w.cross(v), angular=motion.alpha)
