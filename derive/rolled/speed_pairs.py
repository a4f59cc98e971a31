"""Pairs of a speed and another one on its way to the base."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

END = -1
"""Instead of a pair or a speed: there is none."""


class SpeedPairs:
    """Each speed with those on its way, the nearest first; speeds in the order of the links.

    above : the next speed on the way of each

    >>> pairs = SpeedPairs([-1, 0, 1, 0])
    >>> pairs.pairs
    [(1, 0), (2, 1), (2, 0), (3, 0)]
    >>> pairs.first, pairs.next
    ((-1, 0, 1, 3), (-1, 2, -1, -1))
    >>> pairs.unmet(range(4), pitch=5)
    [4, 8, 9, 13, 14, 16, 17, 19]
    """

    def __init__(self, above: Sequence[int]) -> None:
        self.count = len(above)
        self.pairs: list[tuple[int, int]] = []
        for k, i in enumerate(above):
            while i != END:
                self.pairs.append((k, i))
                i = above[i]

    @cached_property
    def upper(self) -> tuple[int, ...]:
        """The speed of each pair that is on the way of the other."""
        return tuple(i for _, i in self.pairs)

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The first pair of each speed."""
        found = [END] * self.count
        for p, (k, _) in reversed(list(enumerate(self.pairs))):
            found[k] = p
        return tuple(found)

    @cached_property
    def next(self) -> tuple[int, ...]:
        """The pair after each one, of the same speed."""
        last = {k: p for p, (k, _) in enumerate(self.pairs)}
        return tuple(END if p == last[k] else p + 1 for p, (k, _) in enumerate(self.pairs))

    def of(self, k: int) -> list[int]:
        """All pairs of a speed."""
        found, p = [], self.first[k]
        while p != END:
            found.append(p)
            p = self.next[p]
        return found

    def way(self, k: int) -> set[int]:
        """A speed and those on its way."""
        return {k, *(self.upper[p] for p in self.of(k))}

    def unmet(self, index: Sequence[int], pitch: int) -> list[int]:
        """Entries of a matrix, in rows of so many numbers, that are of no pair.

        index : of each speed in the matrix
        """
        met = {(pitch + 1) * index[k] for k in range(self.count)}
        for k, i in self.pairs:
            met |= {pitch * index[k] + index[i], pitch * index[i] + index[k]}
        return [entry for entry in range(self.count * pitch) if entry not in met]
