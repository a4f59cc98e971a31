"""Blocks of columns: speeds that follow one another on a way to the base, side by side in rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from eomc.derive.graph import Call, Climb

_END = -1


class Blocks:
    """Speeds by blocks of `width` at most, in the order of the links.

    Each block climbs towards the base, from its last speed on. Places are counted from its first.

    above : the next speed on the way to the base, of the same link or of an ancestor; -1 at its end
    index : of each speed in the arrays of the tree
    links : of each speed
    """

    def __init__(
        self, above: Sequence[int], index: Sequence[int], links: Sequence[int], width: int
    ) -> None:
        self.above, self.index, self.links, self.width = tuple(above), index, links, width
        self.blocks = tuple(self._found())

    def _found(self) -> list[tuple[int, ...]]:
        """From the tips inward: a block that is not full is at the base, where the way is short."""
        taken: set[int] = set()
        found = []
        for tip in reversed(range(len(self.above))):
            if tip in taken:
                continue
            block, speed = [tip], self.above[tip]
            while len(block) < self.width and speed != _END and speed not in taken:
                if self.index[speed] + 1 != self.index[block[-1]]:
                    break
                block.append(speed)
                speed = self.above[speed]
            taken.update(block)
            found.append(tuple(block))
        return found

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The first speed of each block."""
        return tuple(block[-1] for block in self.blocks)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Speeds of each block."""
        return tuple(len(block) for block in self.blocks)

    def own(self, calls: Sequence[Call]) -> Climb:
        """`calls` at the speeds of each block and of their links."""
        return Climb(tuple(block[0] for block in self.blocks), self._own_following, tuple(calls))

    def others(self, calls: Sequence[Call]) -> Climb:
        """`calls` at the speeds between those and the base."""
        first = tuple(self.above[own[-1]] for own in self._own_rows)
        return Climb(first, self.above, tuple(calls))

    @cached_property
    def _own_following(self) -> tuple[int, ...]:
        block_of = {speed: number for number, block in enumerate(self.blocks) for speed in block}
        return tuple(
            up
            if up != _END and (block_of[up] == block_of[k] or self.links[up] == self.links[k])
            else _END
            for k, up in enumerate(self.above)
        )

    @cached_property
    def _own_rows(self) -> list[list[int]]:
        """Speeds at which the own climb of each block calls."""
        found = []
        for tip, *_ in self.blocks:
            rows = [tip]
            while (following := self._own_following[rows[-1]]) != _END:
                rows.append(following)
            found.append(rows)
        return found

    @cached_property
    def reach(self) -> tuple[int, int]:
        """Least and largest place, counted from the first speed of a block, of the speeds of the
        links that its own climb calls at."""
        places = [
            k - first
            for first, rows in zip(self.first, self._own_rows, strict=True)
            for k in range(rows[-1], rows[0] + 1)
        ]
        of_links = [
            k - first
            for first, (tip, *_) in zip(self.first, self.blocks, strict=True)
            for k, link in enumerate(self.links)
            if link == self.links[tip]
        ]
        return min(places), max(of_links)


class ChainBlocks:
    """Speeds of a chain by blocks of `width` at most; each descends towards the tip.

    index : of each speed in the arrays of the tree
    """

    def __init__(self, index: Sequence[int], width: int) -> None:
        self.count = len(index)
        self.blocks: list[list[int]] = []
        for k, place in enumerate(index):
            block = self.blocks[-1] if self.blocks else []
            if 0 < len(block) < width and place == index[k - 1] + 1:
                block.append(k)
            else:
                self.blocks.append([k])
        self.first = tuple(block[0] for block in self.blocks)
        self.sizes = tuple(map(len, self.blocks))
        self.reach = 0, max(self.sizes) - 1

    def own(self, calls: Sequence[Call]) -> Climb:
        """`calls` at the speeds of each block."""
        last = {block[-1] for block in self.blocks}
        following = tuple(_END if k in last else k + 1 for k in range(self.count))
        return Climb(self.first, following, tuple(calls))

    def others(self, calls: Sequence[Call]) -> Climb:
        """`calls` at the speeds between those and the tip."""
        after = (block[-1] + 1 for block in self.blocks)
        first = tuple(_END if k == self.count else k for k in after)
        following = (*range(1, self.count), _END)
        return Climb(first, following, tuple(calls))
