"""Short distances to what a piece of a function touches of the work array and of its outputs.

An instruction names a place in memory by a register and a distance. Distances of one byte reach
128 bytes back and 127 forth, or, where vectors have 64 bytes, as many vectors (EVEX); others take
four bytes. So a piece counts from places from which much of what it touches is in reach: of vectors
of 64 bytes one place that it is given, of numbers the middle of each block of 256 bytes, for as
long as it touches this block.

Reference: Intel, *64 and IA-32 Architectures Software Developer's Manual*, vol. 2, sec. 2.7.5
(disp8*N).
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from eomc.codegen.plan.partition import FunctionPartition
from eomc.codegen.plan.schedule import Schedule
from eomc.derive.graph.tuning import FEWEST_MENTIONS, MOST_BASES, REACH, UNUSED_LINES


def touched(plan: Schedule, parts: FunctionPartition, piece: range) -> set[int]:
    """Slots that a piece reads or writes, each once."""
    nodes = {node for position in piece for node in (plan.order[position], *plan.reads[position])}
    return {parts.slots[node] for node in nodes if node in parts.slots}


def origin(slots: Iterable[int]) -> int:
    """The slot to count from; the first where all are in its reach.

    >>> origin([0, 100]), origin([0, 300, 310])
    (0, 300)
    """
    places = sorted(slots)
    starts = [0, *(place + REACH for place in places), *places]
    return max(
        starts,
        key=lambda start: (
            bisect_left(places, start + REACH) - bisect_left(places, start - REACH),
            -start,
        ),
    )


class Block(NamedTuple):
    """So many neighbours in an array, which one place has in reach; blocks are numbered."""

    array: str
    size: int
    number: int

    @property
    def middle(self) -> int:
        """The index to count from."""
        return self.number * self.size + self.size // 2


def places(mentions: Iterable[tuple[int, Block]]) -> list[tuple[range, Block]]:
    """Blocks with the lines for which they have a place; ``mentions`` stand in order of lines.

    >>> near, far = Block("work", 32, 0), Block("work", 32, 1)
    >>> places([(0, near), (1, near), (2, near), (3, far), (4, near)])
    [(range(0, 5), Block(array='work', size=32, number=0))]
    """
    lines: dict[Block, list[int]] = {}
    for line, block in mentions:
        lines.setdefault(block, []).append(line)
    stretches = [(-n, b, during) for b, own in lines.items() for n, during in _stretches(own)]
    alive = [0] * (1 + max((own[-1] for own in lines.values()), default=0))
    found = []
    for n, block, during in sorted(stretches, key=lambda each: (*each[:2], each[2].start)):
        then = alive[during.start : during.stop]
        if -n >= FEWEST_MENTIONS and max(then) < MOST_BASES:
            alive[during.start : during.stop] = [count + 1 for count in then]
            found.append((during, block))
    return sorted(found, key=lambda each: (each[0].start, each[1]))


def _stretches(lines: list[int]) -> Iterator[tuple[int, range]]:
    """Mentions without a long pause: how many, from line to line."""
    first = 0
    for k, line in enumerate(lines):
        if k + 1 == len(lines) or lines[k + 1] - line > UNUSED_LINES:
            yield k + 1 - first, range(lines[first], line + 1)
            first = k + 1
