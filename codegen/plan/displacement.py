"""Short distances to what a piece of a function touches of the work array.

An instruction names a place in memory by a register and a distance. Distances of one byte reach
128 bytes back and 127 forth, or, where vectors have 64 bytes, as many vectors (EVEX); others take
four bytes. So a piece counts from places from which much of what it touches is in reach: of vectors
of 64 bytes one place that it is given, of numbers the middle of each block of 256 bytes, for as
long as it touches this block.

Reference: Intel, *64 and IA-32 Architectures Software Developer's Manual*, vol. 2, sec. 2.7.5
(disp8*N).
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from eomc.codegen.plan.partition import Partition
from eomc.codegen.plan.schedule import Schedule

REACH = 128
"""Bytes, or vectors, back."""
COUNTED = 64
"""Bytes of the vectors that such distances count; of shorter ones few are in reach."""
_FEWEST = 4
"""Mentions that are worth a place: three bytes less for each, seven bytes for the place."""
_MOST = 10
"""Places at a time: registers that are free for them."""
_PAUSE = 200
"""Lines without a mention after which a place is worth no register."""


def touched(plan: Schedule, parts: Partition, piece: range) -> set[int]:
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


@dataclass(frozen=True)
class Place:
    """A place to count from: an index, and the lines from the first to the last mention."""

    index: int
    lines: range


def places(mentions: Sequence[tuple[int, int]], block: int) -> list[Place]:
    """Middles of blocks of so many neighbours; ``mentions`` are lines, in order, and indices.

    >>> places([(0, 5), (1, 6), (2, 7), (3, 40), (4, 8)], 32)
    [Place(index=16, lines=range(0, 5))]
    """
    stretches = [lines for own in _by_block(mentions, block) for lines in _stretches(*own)]
    alive = [0] * (mentions[-1][0] + 1 if mentions else 0)
    found = []
    for number, count, lines in sorted(stretches, key=lambda each: (-each[1], each[0])):
        during = alive[lines.start : lines.stop]
        if count >= _FEWEST and max(during) < _MOST:
            alive[lines.start : lines.stop] = [places_then + 1 for places_then in during]
            found.append(Place(number * block + block // 2, lines))
    return sorted(found, key=lambda place: (place.lines.start, place.index))


def _by_block(mentions: Iterable[tuple[int, int]], block: int) -> list[tuple[int, list[int]]]:
    """Of each block the lines that mention it."""
    lines: dict[int, list[int]] = {}
    for line, index in mentions:
        lines.setdefault(index // block, []).append(line)
    return sorted(lines.items())


def _stretches(block: int, lines: list[int]) -> Iterator[tuple[int, int, range]]:
    """The block, mentions, and lines without a long pause."""
    first = 0
    for k, line in enumerate(lines):
        if k + 1 == len(lines) or lines[k + 1] - line > _PAUSE:
            yield block, k + 1 - first, range(lines[first], line + 1)
            first = k + 1
