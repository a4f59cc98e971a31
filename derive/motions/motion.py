"""Elementary motions: what one link may do relative to the frame it hangs on.

Every joint kind is a short sequence of these and of constant placements. A motion answers the same
questions each time: how many coordinates q and speeds u, the pose R(q), p(q), the motion subspace S
with the relative twist S u, the rates q' = G(q) u, and the walk on its manifold (`integrate`,
`difference`, `neutral`, `normalize`). The subspace of most motions is constant in the axes of the
moving link, so that S' u = 0 there; that of a place on a deformed body, or of an involute, is not,
and its `drift` S' u enters the accelerations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from eomc.derive.geometry import Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression


class Motion(Protocol):
    """Relative motion of a link with respect to its parent-side frame."""

    @property
    def coordinates(self) -> int:
        """Number of coordinates q."""

    @property
    def speeds(self) -> int:
        """Number of generalized speeds u."""

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """R_parent_child and the child origin in parent coordinates."""

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Twist for each unit speed, in child axes."""

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion | None:
        """S' u in child axes; None if S is constant there."""

    def rates(self, q: Sequence[Expression], u: Sequence[Expression]) -> list[Expression]:
        """q' = G(q) u."""

    def integrate(self, q: Sequence[Expression], du: Sequence[Expression]) -> list[Expression]:
        """The configuration reached from q by the tangent displacement du."""

    def difference(self, q0: Sequence[Expression], q1: Sequence[Expression]) -> list[Expression]:
        """The tangent displacement that leads from q0 to q1."""

    def neutral(self) -> list[float]:
        """Coordinates of the reference configuration."""

    def normalize(self, q: Sequence[Expression]) -> list[Expression]:
        """q put back on the manifold."""


class Straight:
    """Shared by motions whose speeds are the rates of their coordinates: G = 1, straight lines."""

    coordinates: int
    speeds: int

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion | None:
        """None unless the subspace depends on q."""
        return None

    def rates(self, q: Sequence[Expression], u: Sequence[Expression]) -> list[Expression]:
        """q' = u"""
        return list(u)

    def integrate(self, q: Sequence[Expression], du: Sequence[Expression]) -> list[Expression]:
        """q + du"""
        return [a + b for a, b in zip(q, du, strict=True)]

    def difference(self, q0: Sequence[Expression], q1: Sequence[Expression]) -> list[Expression]:
        """q1 - q0"""
        return [b - a for a, b in zip(q0, q1, strict=True)]

    def neutral(self) -> list[float]:
        """Zeros."""
        return [0.0] * self.coordinates

    def normalize(self, q: Sequence[Expression]) -> list[Expression]:
        """q"""
        return list(q)


class OneCoordinate(Straight):
    """The same with one coordinate."""

    coordinates = 1
    speeds = 1
