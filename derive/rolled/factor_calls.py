"""Calls through M = L^T D L, over pairs of a speed and another on its way to the base.

L is kept pair by pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from eomc.derive.graph import Call, Climb, ForLoop, RolledArgument, RolledArray
from eomc.derive.rolled import factor_steps as steps
from eomc.derive.rolled.speed_pairs import END
from eomc.derive.rolled.sweeps import SharedSweeps


class FactorCalls:
    """Of the matrix of this name, whose rows are filled up to whole rows of `width` numbers."""

    def __init__(self, over: SharedSweeps, width: int, matrix: str) -> None:
        self.over, self.width, self.matrix = over, width, matrix
        self.count, self.nu = over.speed_count, over.tree.nu
        self.pairs = over.pairs
        self.pitch = -(-self.nu // width) * width

    # -- the factor ------------------------------------------------------------------------------

    @property
    def factor(self) -> ForLoop:
        """Speeds from the tips on, each with the pairs that it is the first of."""
        turns: list[tuple[int, int]] = []
        for k in reversed(range(self.count)):
            turns += [(k, p) for p in self.pairs.of(k) or [END]]
        firsts = tuple(0 if p == self.pairs.first[k] else END for k, p in turns)
        paired = tuple(0 if p != END else END for _, p in turns)
        ways = tuple(self.pairs.upper[p] if p != END else END for _, p in turns)
        lower = RolledArgument("lower", tuple(max(p, 0) for _, p in turns))
        reciprocal = RolledArgument("reciprocal", tuple(k for k, _ in turns))
        pivot = {"diagonal": self._entries([(k, k) for k, _ in turns]), "reciprocal": reciprocal}
        ends = [(k, max(i, 0)) for (k, _), i in zip(turns, ways, strict=True)]
        scale = {"one": self._entries(ends), "other": reciprocal, "product": lower}
        first, following, columns = self._ways
        rows = [self.pitch * speed for speed in self.over.speeds]
        still = (0,) * len(columns)
        less = {
            "total": RolledArgument(self.matrix, tuple(rows[i] for _, i in ends), columns),
            "factor": RolledArgument("lower", lower.offsets, still),
            "other": RolledArgument(self.matrix, tuple(rows[k] for k, _ in ends), columns),
        }
        starts = tuple(first[i] if i != END else END for i in ways)
        climb = Climb(starts, following, (Call((steps.less_step(self.width),), still, less),))
        calls = (
            Call((steps.pivot_step(),), firsts, pivot),
            Call((steps.product_step(),), paired, scale),
        )
        return ForLoop(len(turns), calls, (climb,))

    @cached_property
    def _ways(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Columns of each speed and those on its way, a row at a time: where each way starts, what
        follows, and the columns."""
        over = self.over
        if self.width == 1:
            return tuple(range(self.count)), over.above, over.speeds
        first: list[int] = []
        following: list[int] = []
        columns: list[int] = []
        for k in range(self.count):
            places = {over.speeds[i] // self.width for i in self.pairs.way(k)}
            first.append(len(following))
            following += [*range(len(following) + 1, len(following) + len(places)), END]
            columns += [self.width * place for place in sorted(places)]
        return tuple(first), tuple(following), tuple(columns)

    def _entries(self, entries: Sequence[tuple[int, int]]) -> RolledArgument:
        speeds = self.over.speeds
        places = tuple(self.pitch * speeds[i] + speeds[j] for i, j in entries)
        return RolledArgument(self.matrix, places)

    def solve(self, ready: str, a: str) -> list[ForLoop]:
        """Accelerations by the forces that are left, which change."""
        each = tuple(range(self.count))
        factor = {"factor": self._lower}
        inward = {
            "total": RolledArgument(ready, self._still, self.pairs.upper),
            "other": RolledArgument(ready, each, (0,) * len(self.pairs.pairs)),
        }
        start = {
            "one": RolledArgument(ready, each),
            "other": RolledArgument("reciprocal", each),
            "product": RolledArgument(a, self.over.speeds),
        }
        places = tuple(self.over.speeds[i] for i in self.pairs.upper)
        outward = {
            "total": RolledArgument(a, self.over.speeds, (0,) * len(self.pairs.pairs)),
            "other": RolledArgument(a, self._still, places),
        }
        first, second = (self._along_pairs({**factor, **more}) for more in (inward, outward))
        begin = Call((steps.product_step(),), self._still, start)
        return [
            ForLoop(self.count, (), (first,), backward=True),
            ForLoop(self.count, (begin,), (second,)),
        ]

    @cached_property
    def _still(self) -> tuple[int, ...]:
        return (0,) * self.count

    @property
    def _lower(self) -> RolledArgument:
        return RolledArgument("lower", self._still, tuple(range(len(self.pairs.pairs))))

    def _along_pairs(self, pieces: Mapping[str, RolledArgument]) -> Climb:
        """A product off a number, for the pairs of a speed."""
        call = Call((steps.less_step(1),), (0,) * len(self.pairs.pairs), pieces)
        return Climb(self.pairs.first, self.pairs.next, (call,))

    # -- arrays ----------------------------------------------------------------------------------

    @property
    def arrays(self) -> list[RolledArray]:
        """M and its factor."""
        return [
            self.over.matrix(self.matrix, self.pitch, self.width),
            RolledArray("lower", max(len(self.pairs.pairs), 1)),
            RolledArray("reciprocal", self.count),
        ]
